//! Checks of indexes.

use std::collections::BTreeSet;

use crate::{Version, grammar, rules};
use manifest_core::json::{Document, Node};
use manifest_core::{Report, Rule, ValidateOptions, did_you_mean, quoted, read, url};

use super::{PublisherKind, RegistryStatus, Status};

/// The maximum number of manifests in a publisher's index.
const MAX_MANIFESTS: usize = 256;

/// The result of checking a text: `None`, or the broken rule and the expected text.
type TextProblem = Option<(&'static Rule, String)>;

/// Checks a publisher's index. If it is invalid, a registry drops all of its entries.
pub fn validate_publisher_index(document: &Document<'_>, options: &ValidateOptions) -> Report {
    let mut report = options.new_report();
    let root = document.root();
    let names = ["version", "publisher", "generated_at", "manifests"];
    let Some([version, publisher, generated, manifests]) =
        read_members(root, names, 4, &mut report)
    else {
        return report;
    };
    check_text(version, &mut report, |text| one_of(text, &["1"]));
    if let Some(node) = publisher {
        self::check_publisher(node, &mut report);
    }
    check_text(generated, &mut report, |_| None);
    check_list(manifests, MAX_MANIFESTS, &mut report, check_entry);
    report
}

/// Checks a registry's index.
pub fn validate_registry_index(document: &Document<'_>, options: &ValidateOptions) -> Report {
    let mut report = options.new_report();
    let names = ["version", "schema_url", "manifests"];
    let Some([version, schema, manifests]) = read_members(document.root(), names, 3, &mut report)
    else {
        return report;
    };
    check_text(version, &mut report, |_| None);
    check_text(schema, &mut report, https_url);
    check_list(manifests, usize::MAX, &mut report, check_listing);
    report
}

fn check_publisher(node: Node<'_>, report: &mut Report) {
    let names = ["kind", "id", "display_name", "homepage", "contact", "atproto_record_uri"];
    let Some([kind, id, name, homepage, contact, record]) = read_members(node, names, 3, report)
    else {
        return;
    };
    check_text(kind, report, |text| one_of(text, PublisherKind::WORDS));
    check_text(name, report, |text| length(text, 1, 80));
    check_text(homepage, report, |_| None);
    check_text(contact, report, |_| None);
    check_text(record, report, |text| {
        matching(text.starts_with("at://"), "a URI that begins with at://")
    });
    let Some(kind) = kind.and_then(Node::text) else { return };
    let Some(kind) = PublisherKind::from_word(&kind) else { return };
    check_text(id, report, |text| {
        let expected = match kind {
            PublisherKind::Github => "an owner and a repository, such as acme/tools",
            PublisherKind::Https => "a host name in lower case, such as example.com",
            PublisherKind::Atproto => "a DID, such as did:plc:… or did:web:example.com",
        };
        matching(is_publisher_id(kind, text), expected)
    });
    if kind == PublisherKind::Atproto {
        read::require(record, node, "atproto_record_uri", report);
    }
}

fn check_entry<'n>(node: Node<'n>, report: &mut Report) -> Option<Node<'n>> {
    let names = [
        "id",
        "manifest_url",
        "manifest_version",
        "status",
        "summary",
        "tags",
        "deprecated_in_favor_of",
    ];
    let [id, url, version, status, summary, tags, instead] = read_members(node, names, 4, report)?;
    check_text(id, report, tool_id);
    check_text(url, report, http_url);
    check_text(version, report, |text| one_of(text, Version::WORDS));
    check_text(status, report, |text| one_of(text, Status::WORDS));
    check_text(summary, report, |text| length(text, 1, 280));
    if let Some(tags) = tags {
        let mut count = 0;
        for tag in read::elements(tags, report).into_iter().flatten() {
            count += 1;
            check_text(Some(tag), report, |text| {
                matching(grammar::TAG.matches(text), grammar::TAG.description)
            });
        }
        if count > 16 {
            report.push(rules::COUNT.at(tags, format!("there are {count} tags, of 16 at most")));
        }
    }
    check_text(instead, report, tool_id);
    if status.and_then(Node::text).as_deref() == Some(Status::Deprecated.word()) {
        read::require(instead, node, "deprecated_in_favor_of", report);
    }
    id
}

fn check_listing<'n>(node: Node<'n>, report: &mut Report) -> Option<Node<'n>> {
    let names =
        ["id", "name", "description", "capabilities", "manifest_url", "status", "manifest_version"];
    let [id, name, description, capabilities, url, status, version] =
        read_members(node, names, 6, report)?;
    check_text(id, report, tool_id);
    check_text(name, report, |_| None);
    check_text(description, report, |_| None);
    read::texts(capabilities, report);
    check_text(url, report, https_url);
    check_text(status, report, |text| one_of(text, RegistryStatus::WORDS));
    check_text(version, report, |text| one_of(text, Version::WORDS));
    id
}

/// Returns the members with these names, and reports unknown ones. The first `required`
/// names must be present.
fn read_members<'n, const N: usize>(
    node: Node<'n>,
    names: [&str; N],
    required: usize,
    report: &mut Report,
) -> Option<[Option<Node<'n>>; N]> {
    if !node.is_object() {
        read::report_wrong_type(node, "an object", report);
        return None;
    }
    let mut found = [None; N];
    for member in node.members() {
        if let Some(index) = names.iter().position(|name| member.has_name(name))
            && let Some(slot) = found.get_mut(index)
        {
            *slot = Some(member.value);
            continue;
        }
        let name = member.name();
        let message = format!("{} is not a member of an index", quoted(&name));
        let mut diagnostic =
            rules::UNKNOWN_MEMBER.at(member.value, message).span(member.key.span());
        if let Some(guess) = did_you_mean(&name, names) {
            diagnostic = diagnostic.help(format!("did you mean {}?", quoted(guess)));
        }
        report.push(diagnostic);
    }
    for (value, name) in found.iter().zip(names).take(required) {
        read::require(*value, node, name, report);
    }
    Some(found)
}

/// Checks the entries of a list, whose ids must be unique.
fn check_list<'n>(
    node: Option<Node<'n>>,
    most: usize,
    report: &mut Report,
    check: impl Fn(Node<'n>, &mut Report) -> Option<Node<'n>>,
) {
    let Some(node) = node else { return };
    let mut seen = BTreeSet::new();
    let mut count = 0;
    for element in read::elements(node, report).into_iter().flatten() {
        count += 1;
        let id = check(element, report);
        if let Some(id) = id
            && let Some(text) = id.text()
            && !seen.insert(text.clone())
        {
            report.push(rules::DUPLICATE_NAME.at(id, format!("{} is taken", quoted(&text))));
        }
    }
    if count > most {
        report
            .push(rules::COUNT.at(node, format!("there are {count} manifests, of {most} at most")));
    }
}

fn check_text(node: Option<Node<'_>>, report: &mut Report, expected: impl Fn(&str) -> TextProblem) {
    let Some(text) = read::text(node, report) else { return };
    let Some(node) = node else { return };
    if let Some((rule, expected)) = expected(&text) {
        report.push(rule.at(node, format!("{} is not {expected}", quoted(&text))));
    }
}

fn one_of(text: &str, words: &[&str]) -> TextProblem {
    if words.contains(&text) {
        return None;
    }
    Some((&rules::WORD, format!("one of {}", words.join(", "))))
}

fn length(text: &str, min: usize, max: usize) -> TextProblem {
    if (min..=max).contains(&text.chars().count()) {
        return None;
    }
    Some((&rules::LENGTH, format!("{min} to {max} characters long")))
}

fn matching(matches: bool, expected: &str) -> TextProblem {
    if matches { None } else { Some((&rules::PATTERN, expected.to_owned())) }
}

fn tool_id(text: &str) -> TextProblem {
    matching(grammar::TOOL_ID.matches(text), grammar::TOOL_ID.description)
}

fn http_url(text: &str) -> TextProblem {
    let error = url::check_http(text).err()?;
    Some((&rules::URL, format!("a URL to fetch: {error}")))
}

fn https_url(text: &str) -> TextProblem {
    match url::check_http(text) {
        Ok(url) if url.secure => None,
        _ => Some((&rules::URL, "an https URL".to_owned())),
    }
}

/// Returns true if a publisher of this kind can have this id.
pub(super) fn is_publisher_id(kind: PublisherKind, id: &str) -> bool {
    match kind {
        PublisherKind::Github => match id.split_once('/') {
            Some((owner, repository)) => is_owner(owner) && is_repository(repository),
            None => false,
        },
        PublisherKind::Https => is_host(id),
        PublisherKind::Atproto => {
            match (id.strip_prefix("did:plc:"), id.strip_prefix("did:web:")) {
                (Some(id), _) => {
                    id.len() == 24 && id.bytes().all(|b| matches!(b, b'a'..=b'z' | b'2'..=b'7'))
                }
                (_, Some(host)) => is_host(host),
                _ => false,
            }
        }
    }
}

/// Returns true for the name of an account of GitHub.
fn is_owner(name: &str) -> bool {
    (1..=39).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.contains("--")
}

/// Returns true for the name of a repository on GitHub.
fn is_repository(name: &str) -> bool {
    (1..=100).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_'))
        && !matches!(name, "." | "..")
}

/// Returns true if the text is a host name in lower case that contains a dot, without a
/// port or a path. Returns false for an IP address.
fn is_host(text: &str) -> bool {
    let Some((_, last)) = text.rsplit_once('.') else { return false };
    text.len() <= 253
        && text.split('.').all(is_label)
        && last.bytes().any(|b| b.is_ascii_lowercase())
}

fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
}
