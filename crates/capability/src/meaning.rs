//! Checks of meaning: what a table cannot say.

use std::collections::BTreeSet;

use manifest_core::json::Node;
use manifest_core::read::strings;
use manifest_core::{
    Limits, Report, Text, has_control, is_plain_text, quoted, schema, secret, url,
};

use crate::manifest::ImplementationKind;
use crate::parts::{Implementation, Origin, Parts, Permissions};
use crate::{grammar, rules};

/// Checks a manifest.
pub(crate) fn check(parts: &Parts<'_>, limits: &Limits, report: &mut Report) {
    for node in parts.schemas.into_iter().flatten().filter(|node| node.is_object()) {
        // The widest schemas need no guard.
        if !matches!(node.raw(), "{}" | r#"{"type":"object"}"# | r#"{"type": "object"}"#) {
            schema::check(node, limits).into_iter().for_each(|found| report.push(found));
        }
    }
    allowlist(&parts.permissions, report);
    for node in parts.resources.into_iter().flatten() {
        if let Some(text) = node.text().filter(|text| !grammar::is_resource(text)) {
            report.add(&rules::RESOURCE, node, format!("{} is not a limit", quoted(&text)));
        }
    }
    origin(&parts.origin, report);
    secrets(parts, report);
    implementation(&parts.implementation, report);
    characters(parts, report);
}

/// Whether a value is that text.
pub(crate) fn is(node: Option<Node<'_>>, text: &str) -> bool {
    node.and_then(Node::text).is_some_and(|found| found == text)
}

fn allowlist(permissions: &Permissions<'_>, report: &mut Report) {
    let Permissions { whole, network, allowlist, .. } = permissions;
    let mut listed = allowlist.into_iter().flat_map(|list| list.elements());
    if is(*network, "allowlist")
        && listed.next().is_none()
        && let Some(place) = allowlist.or(*whole)
    {
        let message = "the network is limited to a list, and there is none";
        report.add(&rules::ALLOWLIST_MISSING, place, message);
    }
}

fn origin(origin: &Origin<'_>, report: &mut Report) {
    address(origin.url, report);
    let (missing, source, name) = if is(origin.source, "url") {
        (origin.url.is_none(), "url", "url")
    } else {
        (origin.path.is_none(), "local", "path")
    };
    let said = origin.source.and_then(Node::text).is_some();
    if let Some(whole) = origin.whole.filter(|_| missing && said) {
        let message = format!("the source is {source}, and there is no {}", quoted(name));
        report.add(&rules::ORIGIN_SOURCE, whole, message);
    }
}

/// A URL that a host sends requests to.
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

fn text(node: Option<Node<'_>>) -> Text<'_> {
    node.and_then(Node::text).unwrap_or_default()
}

fn secrets(parts: &Parts<'_>, report: &mut Report) {
    let required = parts.requires_oauth.filter(|node| node.bool() == Some(true));
    let several = parts.secrets().nth(1).is_some();
    let (mut names, mut signed_in) = (BTreeSet::new(), false);
    for [name, reference] in parts.secrets() {
        let (named, kept) = (text(name), text(reference));
        signed_in |= required.is_some() && grammar::is_oauth_secret(&named);
        // A token in place of a reference is reported as the secret that it is.
        let fits = kept.is_empty()
            || grammar::is_secret_reference(&kept)
            || secret::find_named(&named, &kept).is_some();
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

/// The kinds of the blocks, in the order in which they stand in the specification.
const BLOCKS: [ImplementationKind; 4] = [
    ImplementationKind::Command,
    ImplementationKind::Python,
    ImplementationKind::McpTool,
    ImplementationKind::A2aRpc,
];

fn implementation(implementation: &Implementation<'_>, report: &mut Report) {
    let Implementation { whole, kind, blocks, registry_url, endpoint, .. } = implementation;
    let Some(whole) = whole.filter(|whole| whole.is_object()) else { return };
    address(*registry_url, report);
    address(*endpoint, report);
    let own = kind.and_then(Node::text);
    let kind = own.as_deref().and_then(ImplementationKind::from_word).unwrap_or_default();
    let blocks =
        || BLOCKS.into_iter().zip(blocks).filter_map(|(kind, block)| Some((kind, (*block)?)));
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
    let Implementation { argv, tool_name, server_id, .. } = parts.implementation;
    let Permissions { devices, allowlist, .. } = parts.permissions;
    let single = [parts.id, parts.origin.path, tool_name, server_id];
    let listed = strings(devices).chain(strings(allowlist));
    let names = parts.secrets().filter_map(|[name, _]| name);
    for node in single.into_iter().flatten().chain(listed).chain(names) {
        if let Some(text) = node.text().filter(|text| !is_plain_text(text)) {
            let message = format!("{} holds a character that does not show", quoted(&text));
            report.add(&rules::CONTROL_CHARACTER, node, message);
        }
    }
    for (index, node) in strings(argv).enumerate() {
        let argument = node.text().unwrap_or_default();
        // Line breaks are ordinary in arguments; a NUL ends the argument.
        let program = index == 0 && has_control(&argument);
        if program || argument.contains('\0') {
            let message = format!("{} holds a control character", quoted(&argument));
            report.add(&rules::CONTROL_CHARACTER, node, message);
        }
    }
}
