//! Validation.

use manifest_core::json::{Document, Node};
use manifest_core::{Depth, Profile, Report, Validate};

use crate::structure;

/// Checks a document: one manifest, or a list of them.
///
/// The specification knows single manifests only. A list is what several tools of
/// another format become; the `reference` profile refuses it.
pub fn validate(document: &Document<'_>, options: &Validate) -> Report {
    let mut report = Report::new(options.profile, options.limits.diagnostics);
    let root = document.root();
    let listed = options.profile != Profile::Reference && root.elements().next().is_some();
    if listed {
        root.elements().for_each(|node| manifest(node, options, &mut report));
    } else {
        manifest(root, options, &mut report);
    }
    if options.depth < Depth::Advice {
        report.diagnostics.retain(|diagnostic| diagnostic.rule.depth <= options.depth);
    }
    report
}

fn manifest(node: Node<'_>, options: &Validate, report: &mut Report) {
    if let Some(version) = structure::version(node, report) {
        structure::check(node, version, options.profile, report);
    }
}
