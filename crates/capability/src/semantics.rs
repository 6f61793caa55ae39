//! Semantic checks: requirements that a table cannot express.

use std::collections::BTreeSet;

use manifest_core::json::Node;
use manifest_core::read::string_elements;
use manifest_core::{
    Limits, Report, has_control, is_plain_text, quoted, schema, secret, table, url,
};

use crate::table::{Key, Nodes, SECRET};
use crate::{grammar, rules};

pub(crate) fn check(nodes: &Nodes<'_>, limits: &Limits, report: &mut Report) {
    for key in [Key::Inputs, Key::Outputs] {
        if let Some(node) = nodes.get(key) {
            check_schema(node, limits, report);
        }
    }
    check_allowlist(nodes, report);
    for key in [Key::Cpu, Key::Memory] {
        if let Some((node, text)) = nodes.text(key)
            && !grammar::is_resource(&text)
        {
            report.add(&rules::RESOURCE, node, format!("{} is not a limit", quoted(&text)));
        }
    }
    check_origin(nodes, report);
    check_secrets(nodes, report);
    check_implementation(nodes, report);
    check_characters(nodes, report);
}

fn check_schema(node: Node<'_>, limits: &Limits, report: &mut Report) {
    // The most permissive schemas need no check.
    let is_any = matches!(node.raw(), "{}" | r#"{"type":"object"}"# | r#"{"type": "object"}"#);
    if node.is_object() && !is_any {
        for found in schema::check(node, limits) {
            report.push(found);
        }
    }
}

fn check_allowlist(nodes: &Nodes<'_>, report: &mut Report) {
    let list = nodes.get(Key::Allowlist);
    let has_entries = list.is_some_and(|list| list.elements().next().is_some());
    if let Some((_, network)) = nodes.text(Key::Network)
        && network == "allowlist"
        && !has_entries
        && let Some(place) = list.or(nodes.get(Key::Permissions))
    {
        let message = "the network is limited to a list, and there is none";
        report.add(&rules::ALLOWLIST_MISSING, place, message);
    }
}

fn check_origin(nodes: &Nodes<'_>, report: &mut Report) {
    check_url(nodes, Key::Url, report);
    let Some((_, source)) = nodes.text(Key::Source) else { return };
    let (member, source, name) = match source.as_ref() {
        "url" => (Key::Url, "url", "url"),
        _ => (Key::Path, "local", "path"),
    };
    if let Some(origin) = nodes.get(Key::Origin)
        && nodes.get(member).is_none()
    {
        let message = format!("the source is {source}, and there is no {}", quoted(name));
        report.add(&rules::ORIGIN_SOURCE, origin, message);
    }
}

/// Checks a URL that a host sends requests to.
fn check_url(nodes: &Nodes<'_>, key: Key, report: &mut Report) {
    let Some((node, text)) = nodes.text(key) else { return };
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
fn secret_members(list: Option<Node<'_>>) -> impl Iterator<Item = [Option<Node<'_>>; 2]> {
    let secrets = list.into_iter().flat_map(Node::elements);
    secrets.filter(|secret| secret.is_object()).map(|secret| table::member_values(secret, &SECRET))
}

fn check_secrets(nodes: &Nodes<'_>, report: &mut Report) {
    let list = nodes.get(Key::Secrets);
    let has_several = list.is_some_and(|list| list.elements().nth(1).is_some());
    let mut names = BTreeSet::new();
    let mut is_signed_in = false;
    for [name, reference] in secret_members(list) {
        if let Some(reference) = reference {
            check_reference(reference, report);
        }
        let Some(node) = name else { continue };
        let Some(name) = node.text() else { continue };
        is_signed_in |= grammar::is_oauth_secret(&name);
        if has_several && !name.is_empty() && !names.insert(name.clone()) {
            let message = format!("the name {} is taken", quoted(&name));
            report.add(&rules::SECRET_DUPLICATE, node, message);
        }
    }
    if let Some(node) = nodes.get(Key::RequiresOauth)
        && node.bool() == Some(true)
        && !is_signed_in
    {
        let message = "OAuth is required, and no secret is named OAUTH_…";
        report.add(&rules::OAUTH_SECRET, node, message);
    }
}

fn check_reference(node: Node<'_>, report: &mut Report) {
    let Some(text) = node.text() else { return };
    // A token in place of a reference is reported as a literal secret.
    if text.is_empty() || grammar::is_secret_reference(&text) || secret::find(&text).is_some() {
        return;
    }
    let message = "this is not a reference into a secret store";
    let help = "write where the secret is kept, as in \"vault://kv/app#token\"";
    report.push_with(&rules::SECRET_REF, || rules::SECRET_REF.at(node, message).help(help));
}

/// The kinds of implementations with their blocks, in the order of the specification.
const BLOCKS: [(&str, &str, Key); 4] = [
    ("command", "command", Key::Command),
    ("python", "python", Key::Python),
    ("mcp_tool", "mcp", Key::Mcp),
    ("a2a_rpc", "a2a", Key::A2a),
];

fn check_implementation(nodes: &Nodes<'_>, report: &mut Report) {
    let Some(implementation) = nodes.get(Key::Implementation) else { return };
    if !implementation.is_object() {
        return;
    }
    check_url(nodes, Key::RegistryUrl, report);
    check_url(nodes, Key::Endpoint, report);
    let kind = nodes.text(Key::Kind);
    // Without a valid kind, it is a command.
    let (mut own_block, mut own_key) = ("command", Key::Command);
    for (word, block, key) in BLOCKS {
        if kind.as_ref().is_some_and(|(_, kind)| kind == word) {
            (own_block, own_key) = (block, key);
        }
    }
    if kind.is_some() && nodes.get(own_key).is_none() {
        let message = format!("the block {} is missing", quoted(own_block));
        report.add(&rules::IMPLEMENTATION_BLOCK, implementation, message);
    }
    for (_, block, key) in BLOCKS {
        if block != own_block
            && let Some(node) = nodes.get(key)
        {
            let message = format!("the block {} is not used", quoted(block));
            report.add(&rules::OTHER_BLOCKS, node, message);
            // One of them is enough.
            return;
        }
    }
}

fn check_characters(nodes: &Nodes<'_>, report: &mut Report) {
    for key in [Key::Id, Key::Path, Key::ToolName, Key::ServerId] {
        check_visible(nodes.get(key), report);
    }
    for key in [Key::Devices, Key::Allowlist] {
        for element in string_elements(nodes.get(key)) {
            check_visible(Some(element), report);
        }
    }
    for [name, _] in secret_members(nodes.get(Key::Secrets)) {
        check_visible(name, report);
    }
    for (index, node) in string_elements(nodes.get(Key::Argv)).enumerate() {
        let Some(argument) = node.text() else { continue };
        // Arguments often contain line breaks, but a NUL ends an argument.
        let is_broken_program = index == 0 && has_control(&argument);
        if is_broken_program || argument.contains('\0') {
            let message = format!("{} holds a control character", quoted(&argument));
            report.add(&rules::CONTROL_CHARACTER, node, message);
        }
    }
}

fn check_visible(node: Option<Node<'_>>, report: &mut Report) {
    if let Some(node) = node
        && let Some(text) = node.text()
        && !is_plain_text(&text)
    {
        let message = format!("{} holds a character that does not show", quoted(&text));
        report.add(&rules::CONTROL_CHARACTER, node, message);
    }
}
