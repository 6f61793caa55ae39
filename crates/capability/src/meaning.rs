//! Semantic checks: requirements that a table cannot express.

use std::collections::BTreeSet;

use manifest_core::json::Node;
use manifest_core::read::strings;
use manifest_core::{
    Limits, Report, Text, has_control, is_plain_text, quoted, schema, secret, table, url,
};

use crate::manifest::ImplementationKind;
use crate::parts::{Part, Parts};
use crate::table::SECRET;
use crate::{grammar, rules};

pub(crate) fn check(parts: &Parts<'_>, limits: &Limits, report: &mut Report) {
    let schemas = [parts.at(Part::Inputs), parts.at(Part::Outputs)];
    for node in schemas.into_iter().flatten().filter(|node| node.is_object()) {
        // The most permissive schemas need no check.
        if !matches!(node.raw(), "{}" | r#"{"type":"object"}"# | r#"{"type": "object"}"#) {
            for found in schema::check(node, limits) {
                report.push(found);
            }
        }
    }
    allowlist(parts, report);
    for part in [Part::Cpu, Part::Memory] {
        if let Some((node, text)) = parts.text(part).filter(|(_, text)| !grammar::is_resource(text))
        {
            report.add(&rules::RESOURCE, node, format!("{} is not a limit", quoted(&text)));
        }
    }
    origin(parts, report);
    secrets(parts, report);
    implementation(parts, report);
    characters(parts, report);
}

fn allowlist(parts: &Parts<'_>, report: &mut Report) {
    let list = parts.at(Part::Allowlist);
    if parts.is(Part::Network, "allowlist")
        && list.is_none_or(|list| list.elements().next().is_none())
        && let Some(place) = list.or(parts.at(Part::Permissions))
    {
        let message = "the network is limited to a list, and there is none";
        report.add(&rules::ALLOWLIST_MISSING, place, message);
    }
}

fn origin(parts: &Parts<'_>, report: &mut Report) {
    address(parts.at(Part::Url), report);
    let Some((_, source)) = parts.text(Part::Source) else { return };
    let (member, source, name) = match source.as_ref() {
        "url" => (Part::Url, "url", "url"),
        _ => (Part::Path, "local", "path"),
    };
    if let Some(whole) = parts.at(Part::Origin).filter(|_| parts.at(member).is_none()) {
        let message = format!("the source is {source}, and there is no {}", quoted(name));
        report.add(&rules::ORIGIN_SOURCE, whole, message);
    }
}

/// Checks a URL that a host sends requests to.
fn address(node: Option<Node<'_>>, report: &mut Report) {
    let Some((node, text)) = node.and_then(|node| Some((node, node.text()?))) else { return };
    match url::check_http(&text) {
        Err(error) => report.add(&rules::URL, node, error.about(&text)),
        Ok(url) => {
            if !url.secure {
                report.add(&rules::INSECURE_URL, node, "the URL is not https");
            }
            if url.is_private() {
                let message = format!("{} is a private address", quoted(url.host));
                report.add(&rules::PRIVATE_URL, node, message);
            }
        }
    }
}

/// Returns the name and the reference of each secret that is an object.
fn references<'a>(parts: &Parts<'a>) -> impl Iterator<Item = [Option<Node<'a>>; 2]> {
    let secrets = parts.at(Part::Secrets).into_iter().flat_map(Node::elements);
    let objects = secrets.filter(|secret| secret.is_object());
    objects.map(|secret| table::entries(secret, &SECRET))
}

fn text(node: Option<Node<'_>>) -> Text<'_> {
    node.and_then(Node::text).unwrap_or_default()
}

fn secrets(parts: &Parts<'_>, report: &mut Report) {
    let required = parts.at(Part::RequiresOauth).filter(|node| node.bool() == Some(true));
    let list = parts.at(Part::Secrets);
    let several = list.is_some_and(|list| list.elements().nth(1).is_some());
    let (mut names, mut signed_in) = (BTreeSet::new(), false);
    for [name, reference] in references(parts) {
        let (named, kept) = (text(name), text(reference));
        signed_in |= required.is_some() && grammar::is_oauth_secret(&named);
        // A token in place of a reference is reported as a literal secret.
        let fits =
            kept.is_empty() || grammar::is_secret_reference(&kept) || secret::find(&kept).is_some();
        if let Some(node) = reference.filter(|_| !fits) {
            let message = "this is not a reference into a secret store";
            let help = "write where the secret is kept, as in \"vault://kv/app#token\"";
            report.push_with(&rules::SECRET_REF, || rules::SECRET_REF.at(node, message).help(help));
        }
        let taken = several && !named.is_empty() && !names.insert(named.clone());
        if let Some(node) = name.filter(|_| taken) {
            let message = format!("the name {} is taken", quoted(&named));
            report.add(&rules::SECRET_DUPLICATE, node, message);
        }
    }
    if let Some(node) = required.filter(|_| !signed_in) {
        let message = "OAuth is required, and no secret is named OAUTH_…";
        report.add(&rules::OAUTH_SECRET, node, message);
    }
}

/// The blocks, in the order of the specification.
const BLOCKS: [(ImplementationKind, Part); 4] = [
    (ImplementationKind::Command, Part::Command),
    (ImplementationKind::Python, Part::Python),
    (ImplementationKind::McpTool, Part::Mcp),
    (ImplementationKind::A2aRpc, Part::A2a),
];

fn implementation(parts: &Parts<'_>, report: &mut Report) {
    let whole = parts.at(Part::Implementation).filter(|whole| whole.is_object());
    let Some(whole) = whole else { return };
    address(parts.at(Part::RegistryUrl), report);
    address(parts.at(Part::Endpoint), report);
    let own = parts.text(Part::Kind);
    let kind = own.as_ref().and_then(|(_, word)| ImplementationKind::from_word(word));
    let kind = kind.unwrap_or_default();
    let blocks = || BLOCKS.into_iter().filter_map(|(kind, part)| Some((kind, parts.at(part)?)));
    if own.is_some() && blocks().all(|(other, _)| other != kind) {
        let message = format!("the block {} is missing", quoted(kind.block()));
        report.add(&rules::IMPLEMENTATION_BLOCK, whole, message);
    }
    if let Some((other, block)) = blocks().find(|(other, _)| *other != kind) {
        let message = format!("the block {} is not used", quoted(other.block()));
        report.add(&rules::OTHER_BLOCKS, block, message);
    }
}

fn characters(parts: &Parts<'_>, report: &mut Report) {
    let single = [Part::Id, Part::Path, Part::ToolName, Part::ServerId];
    let single = single.into_iter().filter_map(|part| parts.at(part));
    let listed = strings(parts.at(Part::Devices)).chain(strings(parts.at(Part::Allowlist)));
    let names = references(parts).filter_map(|[name, _]| name);
    for node in single.chain(listed).chain(names) {
        if let Some(text) = node.text().filter(|text| !is_plain_text(text)) {
            let message = format!("{} holds a character that does not show", quoted(&text));
            report.add(&rules::CONTROL_CHARACTER, node, message);
        }
    }
    let argv = parts.at(Part::Argv);
    for (index, node) in strings(argv).enumerate() {
        let argument = node.text().unwrap_or_default();
        // Arguments often contain line breaks, but a NUL ends an argument.
        let program = index == 0 && has_control(&argument);
        if program || argument.contains('\0') {
            let message = format!("{} holds a control character", quoted(&argument));
            report.add(&rules::CONTROL_CHARACTER, node, message);
        }
    }
}
