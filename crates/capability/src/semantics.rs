//! Semantic checks: requirements that a table cannot express.

use std::collections::BTreeSet;

use manifest_core::json::Node;
use manifest_core::read::string_elements;
use manifest_core::{
    Limits, Report, Text, has_control, is_plain_text, quoted, schema, secret, table, url,
};

use crate::manifest::ImplementationKind;
use crate::node_map::{NodeKey, NodeMap};
use crate::table::SECRET;
use crate::{grammar, rules};

pub(crate) fn check(parts: &NodeMap<'_>, limits: &Limits, report: &mut Report) {
    let schemas = [parts.get(NodeKey::Inputs), parts.get(NodeKey::Outputs)];
    for node in schemas.into_iter().flatten().filter(|node| node.is_object()) {
        // The most permissive schemas need no check.
        if !matches!(node.raw(), "{}" | r#"{"type":"object"}"# | r#"{"type": "object"}"#) {
            for found in schema::check(node, limits) {
                report.push(found);
            }
        }
    }
    check_allowlist(parts, report);
    for part in [NodeKey::Cpu, NodeKey::Memory] {
        if let Some((node, text)) = parts.text(part).filter(|(_, text)| !grammar::is_resource(text))
        {
            report.add(&rules::RESOURCE, node, format!("{} is not a limit", quoted(&text)));
        }
    }
    check_origin(parts, report);
    check_secrets(parts, report);
    check_implementation(parts, report);
    check_characters(parts, report);
}

fn check_allowlist(parts: &NodeMap<'_>, report: &mut Report) {
    let list = parts.get(NodeKey::Allowlist);
    if parts.has_text(NodeKey::Network, "allowlist")
        && list.is_none_or(|list| list.elements().next().is_none())
        && let Some(place) = list.or(parts.get(NodeKey::Permissions))
    {
        let message = "the network is limited to a list, and there is none";
        report.add(&rules::ALLOWLIST_MISSING, place, message);
    }
}

fn check_origin(parts: &NodeMap<'_>, report: &mut Report) {
    check_url(parts.get(NodeKey::Url), report);
    let Some((_, source)) = parts.text(NodeKey::Source) else { return };
    let (member, source, name) = match source.as_ref() {
        "url" => (NodeKey::Url, "url", "url"),
        _ => (NodeKey::Path, "local", "path"),
    };
    if let Some(whole) = parts.get(NodeKey::Origin).filter(|_| parts.get(member).is_none()) {
        let message = format!("the source is {source}, and there is no {}", quoted(name));
        report.add(&rules::ORIGIN_SOURCE, whole, message);
    }
}

/// Checks a URL that a host sends requests to.
fn check_url(node: Option<Node<'_>>, report: &mut Report) {
    let Some((node, text)) = node.and_then(|node| Some((node, node.text()?))) else { return };
    match url::check_http(&text) {
        Err(error) => report.add(&rules::URL, node, error.message_for(&text)),
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
fn references<'a>(parts: &NodeMap<'a>) -> impl Iterator<Item = [Option<Node<'a>>; 2]> {
    let secrets = parts.get(NodeKey::Secrets).into_iter().flat_map(Node::elements);
    let objects = secrets.filter(|secret| secret.is_object());
    objects.map(|secret| table::member_values(secret, &SECRET))
}

fn text(node: Option<Node<'_>>) -> Text<'_> {
    node.and_then(Node::text).unwrap_or_default()
}

fn check_secrets(parts: &NodeMap<'_>, report: &mut Report) {
    let required = parts.get(NodeKey::RequiresOauth).filter(|node| node.bool() == Some(true));
    let list = parts.get(NodeKey::Secrets);
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
const BLOCKS: [(ImplementationKind, NodeKey); 4] = [
    (ImplementationKind::Command, NodeKey::Command),
    (ImplementationKind::Python, NodeKey::Python),
    (ImplementationKind::McpTool, NodeKey::Mcp),
    (ImplementationKind::A2aRpc, NodeKey::A2a),
];

fn check_implementation(parts: &NodeMap<'_>, report: &mut Report) {
    let whole = parts.get(NodeKey::Implementation).filter(|whole| whole.is_object());
    let Some(whole) = whole else { return };
    check_url(parts.get(NodeKey::RegistryUrl), report);
    check_url(parts.get(NodeKey::Endpoint), report);
    let own = parts.text(NodeKey::Kind);
    let kind = own.as_ref().and_then(|(_, word)| ImplementationKind::from_word(word));
    let kind = kind.unwrap_or_default();
    let blocks = || BLOCKS.into_iter().filter_map(|(kind, part)| Some((kind, parts.get(part)?)));
    if own.is_some() && blocks().all(|(other, _)| other != kind) {
        let message = format!("the block {} is missing", quoted(kind.block()));
        report.add(&rules::IMPLEMENTATION_BLOCK, whole, message);
    }
    if let Some((other, block)) = blocks().find(|(other, _)| *other != kind) {
        let message = format!("the block {} is not used", quoted(other.block()));
        report.add(&rules::OTHER_BLOCKS, block, message);
    }
}

fn check_characters(parts: &NodeMap<'_>, report: &mut Report) {
    let single = [NodeKey::Id, NodeKey::Path, NodeKey::ToolName, NodeKey::ServerId];
    let single = single.into_iter().filter_map(|part| parts.get(part));
    let listed = string_elements(parts.get(NodeKey::Devices))
        .chain(string_elements(parts.get(NodeKey::Allowlist)));
    let names = references(parts).filter_map(|[name, _]| name);
    for node in single.chain(listed).chain(names) {
        if let Some(text) = node.text().filter(|text| !is_plain_text(text)) {
            let message = format!("{} holds a character that does not show", quoted(&text));
            report.add(&rules::CONTROL_CHARACTER, node, message);
        }
    }
    let argv = parts.get(NodeKey::Argv);
    for (index, node) in string_elements(argv).enumerate() {
        let argument = node.text().unwrap_or_default();
        // Arguments often contain line breaks, but a NUL ends an argument.
        let program = index == 0 && has_control(&argument);
        if program || argument.contains('\0') {
            let message = format!("{} holds a control character", quoted(&argument));
            report.add(&rules::CONTROL_CHARACTER, node, message);
        }
    }
}
