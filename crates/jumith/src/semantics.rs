//! Semantic checks, which a table cannot express.

use std::collections::BTreeSet;

use manifest_core::json::Node;
use manifest_core::path::{self, PathLimits};
use manifest_core::read::string_elements;
use manifest_core::{Limits, Report, has_control, quoted, schema, version};

use crate::table::{Key, Nodes};
use crate::{names, rules};

/// Checks a manifest.
pub(crate) fn check(nodes: &Nodes<'_>, limits: &Limits, report: &mut Report) {
    for key in [Key::Input, Key::Output] {
        let Some(node) = nodes.get(key) else { continue };
        if node.is_object() || node.bool().is_some() {
            for found in schema::check(node, limits) {
                report.push(found);
            }
        }
    }
    check_texts(nodes, report);
    check_entry(nodes, limits, report);
    check_secrets(nodes.get(Key::RequiredSecrets), limits, report);
}

fn check_texts(nodes: &Nodes<'_>, report: &mut Report) {
    let required = [
        (Key::Id, "id"),
        (Key::Name, "name"),
        (Key::Version, "version"),
        (Key::Summary, "summary"),
        (Key::Description, "description"),
        (Key::Main, "main"),
    ];
    for (key, name) in required {
        if let Some(node) = nodes.get(key)
            && is_blank(node)
        {
            report.add(&rules::BLANK, node, format!("{} is blank", quoted(name)));
        }
    }
    if let Some((node, id)) = nodes.text(Key::Id)
        && !names::is_id(&id)
        && !names::is_blank(&id)
    {
        report.add(&rules::ID, node, format!("{} cannot be an id", quoted(&id)));
    }
    if let Some((node, text)) = nodes.text(Key::Version)
        && let Err(error) = version::parse_exact(&text)
        && !names::is_blank(&text)
    {
        let found = rules::VERSION.at(node, format!("{}: {error}", quoted(&text)));
        report.push(version::with_version_fix(found, node));
    }
    for (key, what) in [(Key::Name, "name"), (Key::Provider, "provider")] {
        if let Some(node) = nodes.get(key) {
            check_display_text(node, what, report);
        }
    }
    for tag in string_elements(nodes.get(Key::Tags)) {
        check_display_text(tag, "tag", report);
    }
}

/// Returns true if a value is a blank text. Most texts begin with a letter and are decided
/// by the first byte.
fn is_blank(node: Node<'_>) -> bool {
    if let Some([first, ..]) = node.plain_bytes()
        && first.is_ascii_graphic()
    {
        return false;
    }
    node.text().is_some_and(|text| names::is_blank(&text))
}

/// Checks a text that is shown to people.
fn check_display_text(node: Node<'_>, what: &str, report: &mut Report) {
    if node.text().is_some_and(|text| has_control(&text)) {
        let message = format!("the {what} holds a control character");
        report.add(&rules::CONTROL_CHARACTER, node, message);
    }
}

fn check_entry(nodes: &Nodes<'_>, limits: &Limits, report: &mut Report) {
    if let Some((node, main)) = nodes.text(Key::Main)
        && let Err(error) = path::check_portable(&main, &PathLimits::from(limits))
        && !names::is_blank(&main)
    {
        report.add(&rules::ENTRY_MAIN, node, format!("{}: {error}", quoted(&main)));
    }
    if let Some((node, export)) = nodes.text(Key::Export)
        && !names::is_export(&export)
    {
        let message = format!("{} is not a name to export", quoted(&export));
        report.add(&rules::EXPORT, node, message);
    }
}

fn check_secrets(list: Option<Node<'_>>, limits: &Limits, report: &mut Report) {
    let Some(list) = list else { return };
    let (count, limit) = (string_elements(Some(list)).count(), limits.secrets);
    if count > limit {
        let message = format!("{count} secrets, more than the {limit} allowed");
        return report.add(&rules::SECRET_COUNT, list, message);
    }
    let mut seen = BTreeSet::new();
    for node in string_elements(Some(list)) {
        let Some(secret) = node.text() else { continue };
        if !names::is_secret(&secret) {
            let message = format!("{} cannot name a secret", quoted(&secret));
            report.add(&rules::SECRET_NAME, node, message);
        } else if !seen.insert(secret.clone()) {
            let message = format!("{} is declared twice", quoted(&secret));
            report.add(&rules::DUPLICATE_SECRET, node, message);
        }
    }
}
