//! Checks documents: one manifest, or a catalog of manifests.

use std::collections::BTreeSet;

use manifest_core::json::{Document, Node};
use manifest_core::{Depth, Profile, Report, ValidateOptions, names, quoted, secret};

use crate::node_map::NodeKey;
use crate::{advice, reference, rules, semantics, structure};

/// Checks a document: a manifest, or a catalog.
pub fn validate(document: &Document<'_>, options: &ValidateOptions) -> Report {
    let root = document.root();
    if !is_catalog(root) {
        return validate_entry(root, options);
    }
    let mut report = options.new_report();
    check_entries(root, options, &mut report);
    check_text(root, None, report)
}

/// Checks one manifest, which may be a part of a document.
pub(crate) fn validate_entry(node: Node<'_>, options: &ValidateOptions) -> Report {
    let mut report = options.new_report();
    let id = check_entry(node, options, &mut report);
    check_text(node, id, report)
}

/// Returns true for an object with a list of capabilities or a catalog version, but no id.
pub(crate) fn is_catalog(root: Node<'_>) -> bool {
    let has = |name: &str| root.get(name).is_some();
    root.is_object() && !has("id") && (has("capabilities") || has("catalog_version"))
}

/// Adds the checks of ids and of literal secrets. `id` is the id of a single manifest.
fn check_text(node: Node<'_>, id: Option<Node<'_>>, mut report: Report) -> Report {
    if report.includes_depth(Depth::Advice) {
        match id.and_then(|id| Some((id, id.text()?))) {
            // A valid manifest contains no other ids.
            Some((id, text)) if report.is_valid() => names::check_one(&text, id, &mut report),
            _ => check_similar_ids(node, &mut report),
        }
    }
    let help = "replace the secret, and refer to it in \"secrets\"";
    secret::check(&rules::SECRET_VALUE, node, help, &mut report);
    report
}

/// Reports ids that are easily mistaken for each other.
fn check_similar_ids(node: Node<'_>, report: &mut Report) {
    let list = node.get("capabilities").into_iter().flat_map(Node::elements);
    let ids = list.chain([node]).filter_map(|entry| entry.get("id"));
    let ids: Vec<_> = ids.filter_map(|id| Some((id.text()?, id))).collect();
    names::check(ids.iter().map(|(text, node)| (text.as_ref(), *node)), report);
}

fn check_entries(root: Node<'_>, options: &ValidateOptions, report: &mut Report) {
    let reference = options.profile == Profile::Reference;
    let entries = structure::check_catalog(root, options.profile, report);
    let mut ids = BTreeSet::new();
    // The reference skips entries that are not objects.
    for node in entries.into_iter().flatten().filter(|node| !reference || node.is_object()) {
        let Some(id) = check_entry(node, options, report) else {
            continue;
        };
        let text = id.text().unwrap_or_default();
        if reference || text.is_empty() {
            continue;
        }
        if !ids.insert(text.clone()) {
            report.add(&rules::DUPLICATE_ID, id, format!("the id {} is taken", quoted(&text)));
        }
    }
}

/// Checks a manifest. Returns the node of its id, valid or not.
fn check_entry<'n>(
    node: Node<'n>,
    options: &ValidateOptions,
    report: &mut Report,
) -> Option<Node<'n>> {
    let first = report.diagnostics.len();
    let parts = structure::check_manifest(node, options, report);
    if options.profile == Profile::Reference {
        reference::apply_reference_style(node, &parts, first, report);
    } else if options.depth >= Depth::Semantics {
        semantics::check(&parts, &options.limits, report);
        if report.includes_depth(Depth::Advice) {
            advice::check(&parts, report);
        }
    }
    parts.get(NodeKey::Id)
}
