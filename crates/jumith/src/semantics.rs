//! Semantic checks, which a table cannot express.

use std::collections::BTreeSet;

use manifest_core::json::Node;
use manifest_core::path::{self, PathLimits};
use manifest_core::read::string_elements;
use manifest_core::{Limits, Report, has_control, quoted, schema, version};

use crate::node_map::{NodeKey, NodeMap};
use crate::{names, rules};

/// Checks a manifest.
pub(crate) fn check(parts: &NodeMap<'_>, limits: &Limits, report: &mut Report) {
    for node in [parts.at(NodeKey::Input), parts.at(NodeKey::Output)].into_iter().flatten() {
        if node.is_object() || node.bool().is_some() {
            for found in schema::check(node, limits) {
                report.push(found);
            }
        }
    }
    check_texts(parts, report);
    check_entry(parts, limits, report);
    check_secrets(parts.at(NodeKey::RequiredSecrets), limits, report);
}

/// The limits of a path.
pub(crate) fn path_limits(limits: &Limits) -> PathLimits {
    PathLimits {
        bytes: limits.path_bytes,
        segment_bytes: limits.path_segment_bytes,
        segments: limits.path_segments,
    }
}

fn check_texts(parts: &NodeMap<'_>, report: &mut Report) {
    let said = [
        (NodeKey::Id, "id"),
        (NodeKey::Name, "name"),
        (NodeKey::Version, "version"),
        (NodeKey::Summary, "summary"),
        (NodeKey::Description, "description"),
        (NodeKey::Main, "main"),
    ];
    for (part, name) in said {
        if let Some(node) = parts.at(part).filter(|node| is_blank(*node)) {
            report.add(&rules::BLANK, node, format!("{} is blank", quoted(name)));
        }
    }
    if let Some((node, id)) = parts.text(NodeKey::Id)
        && !names::is_id(&id)
        && !names::is_blank(&id)
    {
        report.add(&rules::ID, node, format!("{} cannot be an id", quoted(&id)));
    }
    if let Some((node, text)) = parts.text(NodeKey::Version)
        && let Err(error) = version::parse_exact(&text)
        && !names::is_blank(&text)
    {
        let found = rules::VERSION.at(node, format!("{}: {error}", quoted(&text)));
        report.push(version::with_version_fix(found, node));
    }
    for (part, what) in [(NodeKey::Name, "name"), (NodeKey::Provider, "provider")] {
        if let Some(node) = parts.at(part) {
            check_display_text(node, what, report);
        }
    }
    for tag in string_elements(parts.at(NodeKey::Tags)) {
        check_display_text(tag, "tag", report);
    }
}

/// Returns true if a value is a blank text. Most texts begin with a letter and are decided
/// by the first byte.
fn is_blank(node: Node<'_>) -> bool {
    let first = node.plain_bytes().and_then(<[u8]>::first);
    !first.is_some_and(u8::is_ascii_graphic)
        && node.text().is_some_and(|text| names::is_blank(&text))
}

/// Checks a text that is shown to people.
fn check_display_text(node: Node<'_>, what: &str, report: &mut Report) {
    if node.text().is_some_and(|text| has_control(&text)) {
        let message = format!("the {what} holds a control character");
        report.add(&rules::CONTROL_CHARACTER, node, message);
    }
}

fn check_entry(parts: &NodeMap<'_>, limits: &Limits, report: &mut Report) {
    if let Some((node, main)) = parts.text(NodeKey::Main)
        && let Err(error) = path::check_portable(&main, &path_limits(limits))
        && !names::is_blank(&main)
    {
        report.add(&rules::ENTRY_MAIN, node, format!("{}: {error}", quoted(&main)));
    }
    if let Some((node, export)) = parts.text(NodeKey::Export)
        && !names::is_export(&export)
    {
        let message = format!("{} is not a name to export", quoted(&export));
        report.add(&rules::EXPORT, node, message);
    }
}

fn check_secrets(list: Option<Node<'_>>, limits: &Limits, report: &mut Report) {
    let Some(list) = list else { return };
    let names = string_elements(Some(list));
    let (count, limit) = (names.clone().count(), limits.secrets);
    if count > limit {
        let message = format!("{count} secrets, more than the {limit} allowed");
        return report.add(&rules::SECRET_COUNT, list, message);
    }
    let mut seen = BTreeSet::new();
    for node in names {
        let secret = node.text().unwrap_or_default();
        if !names::is_secret(&secret) {
            let message = format!("{} cannot name a secret", quoted(&secret));
            report.add(&rules::SECRET_NAME, node, message);
        } else if !seen.insert(secret.clone()) {
            let message = format!("{} is declared twice", quoted(&secret));
            report.add(&rules::DUPLICATE_SECRET, node, message);
        }
    }
}
