//! Checks documents: one manifest, or a catalog of manifests.

use std::collections::BTreeSet;

#[cfg(feature = "reference")]
use manifest_core::Profile;
use manifest_core::json::{Document, Node};
use manifest_core::{Depth, Report, ValidateOptions, names, quoted, secret};

#[cfg(feature = "reference")]
use crate::reference;
use crate::table::{Key, Nodes};
use crate::{advice, rules, semantics, structure};

/// Checks a document: a manifest, or a catalog.
pub fn validate(document: &Document<'_>, options: &ValidateOptions) -> Report {
    let root = document.root();
    if !is_catalog(root) {
        let (report, _) = validate_entry(root, options);
        return report;
    }
    let mut report = options.new_report();
    check_entries(root, options, &mut report);
    check_texts(root, None, &mut report);
    report
}

/// Checks one manifest, which may be a part of a document. Also returns its nodes.
pub(crate) fn validate_entry<'n>(node: Node<'n>, options: &ValidateOptions) -> (Report, Nodes<'n>) {
    let mut report = options.new_report();
    let nodes = check_entry(node, options, &mut report);
    check_texts(node, nodes.get(Key::Id), &mut report);
    (report, nodes)
}

/// Returns true for an object with a list of capabilities or a catalog version, but no id.
pub(crate) fn is_catalog(root: Node<'_>) -> bool {
    let has_entries = root.get("capabilities").is_some() || root.get("catalog_version").is_some();
    root.is_object() && has_entries && root.get("id").is_none()
}

/// Checks ids, and searches for literal secrets. `id` is the id of a single manifest.
fn check_texts(node: Node<'_>, id: Option<Node<'_>>, report: &mut Report) {
    if report.includes_depth(Depth::Advice) {
        if let Some(id) = id
            && let Some(text) = id.text()
            && report.is_valid()
        {
            // A valid manifest contains no other ids.
            names::check_one(&text, id, report);
        } else {
            check_similar_ids(node, report);
        }
    }
    let help = "replace the secret, and refer to it in \"secrets\"";
    secret::check(&rules::SECRET_VALUE, node, help, report);
}

/// Reports ids that are easily mistaken for each other.
fn check_similar_ids(node: Node<'_>, report: &mut Report) {
    let entries = node.get("capabilities").into_iter().flat_map(Node::elements);
    let mut ids = Vec::new();
    for entry in entries.chain([node]) {
        if let Some(id) = entry.get("id")
            && let Some(text) = id.text()
        {
            ids.push((text, id));
        }
    }
    names::check(ids.iter().map(|(text, node)| (text.as_ref(), *node)), report);
}

fn check_entries(root: Node<'_>, options: &ValidateOptions, report: &mut Report) {
    let reference = structure::is_reference(options.profile);
    let Some(entries) = structure::check_catalog(root, options.profile, report) else { return };
    let mut ids = BTreeSet::new();
    for node in entries {
        // The reference skips entries that are not objects.
        if reference && !node.is_object() {
            continue;
        }
        let nodes = check_entry(node, options, report);
        let Some((id, text)) = nodes.text(Key::Id) else { continue };
        if reference || text.is_empty() {
            continue;
        }
        if !ids.insert(text.clone()) {
            report.add(&rules::DUPLICATE_ID, id, format!("the id {} is taken", quoted(&text)));
        }
    }
}

/// Checks a manifest. Returns its nodes, valid or not.
fn check_entry<'n>(node: Node<'n>, options: &ValidateOptions, report: &mut Report) -> Nodes<'n> {
    #[cfg(feature = "reference")]
    if options.profile == Profile::Reference {
        return reference::check_entry(node, report);
    }
    let nodes = structure::check_members(node, report);
    structure::check_bounds(&nodes, &options.limits, report);
    if options.depth >= Depth::Semantics {
        semantics::check(&nodes, &options.limits, report);
        if report.includes_depth(Depth::Advice) {
            advice::check(&nodes, report);
        }
    }
    nodes
}
