//! Structure checks: the requirements of each version's published schema.

use manifest_core::json::{self, Node, quote};
use manifest_core::table::{self, Rules, UnknownMemberLocation};
use manifest_core::{Profile, Report, ValidateOptions, quoted, read};

use crate::enums::Version;
use crate::rules;
use crate::table::TABLE;

static RULES: Rules = Rules {
    unknown_member: &rules::UNKNOWN_MEMBER,
    unknown_members: UnknownMemberLocation::AtObject,
    tag: &rules::TAG,
    count: &rules::COUNT,
    length: &rules::LENGTH,
    pattern: &rules::PATTERN,
    enum_value: &rules::WORD,
    integer: Some(&rules::INTEGER),
    range: &rules::RANGE,
};

/// Returns the version that a manifest declares, or reports that it declares none.
pub(crate) fn read_version(node: Node<'_>, report: &mut Report) -> Option<Version> {
    if node.is_array() {
        let message = "expected an object, found an array";
        let help = "an array of documents is a stream";
        report.push(json::rules::TYPE.at(node, message).help(help));
        return None;
    }
    if !node.is_object() {
        read::report_wrong_type(node, "an object", report);
        return None;
    }
    let member = node.get("manifest_version");
    let Some(stated) = member.filter(|version| !version.is_null()) else {
        let place = node.pointer().push("manifest_version");
        let missing = rules::MANIFEST_VERSION
            .at_pointer(place, "the member \"manifest_version\" is missing")
            .span(member.unwrap_or(node).span())
            .help("add \"manifest_version\": \"0.4\", or the version that the manifest follows");
        report.push(missing);
        return None;
    };
    let found = stated.text().as_deref().and_then(Version::from_word);
    if found.is_none() {
        let message = match stated.text() {
            Some(text) => format!("{} is not a version of the specification", quoted(&text)),
            None => format!("expected a string, found {}", stated.kind().with_article()),
        };
        let known = join_alternatives(Version::WORDS);
        let found = rules::MANIFEST_VERSION.at(stated, message).help(format!("write {known}"));
        report.push(match suggest_version(stated) {
            Some(word) => found.help(format!("write \"{word}\"")).fix(stated.span(), quote(word)),
            None => found,
        });
    }
    found
}

/// Returns the version that the author probably meant if the stated one has a leading `v`,
/// an extra `.0`, or is written as a number.
fn suggest_version(stated: Node<'_>) -> Option<&'static str> {
    let raw = stated.raw().trim_matches('"');
    let bare = raw.trim_start_matches('v');
    let exact = Version::WORDS.iter().find(|word| **word == bare);
    exact.or_else(|| Version::WORDS.iter().rev().find(|word| format!("{word}.0") == bare)).copied()
}

/// Checks a manifest against the table of its version.
pub(crate) fn check(
    node: Node<'_>,
    version: Version,
    options: &ValidateOptions,
    report: &mut Report,
) {
    // The reference implementation ignores `format`.
    let formats = options.profile != Profile::Reference;
    table::check(node, &TABLE, version as u8, &RULES, formats, &mut [], report);
}

/// Returns a list such as `"a", "b" or "c"`.
fn join_alternatives(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}
