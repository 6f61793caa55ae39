//! Validation.

use manifest_core::json::{Document, Node, rules as json};
use manifest_core::{Depth, Profile, Report, ValidateOptions, names, secret};

use crate::{advice, reference, rules, semantics, structure};

/// Checks a document, which must be one manifest.
///
/// Under the `reference` profile, the verdict and the messages are those of the published
/// tool.
pub fn validate(document: &Document<'_>, options: &ValidateOptions) -> Report {
    let mut report = options.new_report();
    let root = document.root();
    if options.profile == Profile::Reference {
        reference::check(root, &mut report);
    } else if root.is_array() {
        let found = json::TYPE.at(root, "expected an object, found an array");
        report
            .push(found.help("a document is one manifest; an array of them is a stream: --jsonl"));
    } else {
        manifest(root, options, &mut report);
    }
    if report.includes_depth(Depth::Advice)
        && let Some(node) = root.get("toolId")
        && let Some(id) = node.text()
    {
        names::check([(id.as_ref(), node)].into_iter(), &mut report);
    }
    secret::check(&rules::SECRET, root, rules::SECRET_HELP, &mut report);
    report
}

fn manifest(node: Node<'_>, options: &ValidateOptions, report: &mut Report) {
    let parts = structure::check(node, report);
    if options.depth >= Depth::Semantics && node.is_object() {
        semantics::check(&parts, &options.limits, report);
        if report.includes_depth(Depth::Advice) {
            advice::check(node, &parts, report);
        }
    }
}
