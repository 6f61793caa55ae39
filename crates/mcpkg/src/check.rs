//! Validation.

use manifest_core::json::Document;
use manifest_core::{Depth, Profile, Report, Validate, names, secret};

use crate::{meaning, reference, rules, structure};

/// Checks a document: one manifest.
///
/// The `reference` profile gives the verdict of the published tool, in its words.
pub fn validate(document: &Document<'_>, options: &Validate) -> Report {
    let mut report = options.report();
    let root = document.root();
    if options.profile == Profile::Reference {
        reference::check(root, &mut report);
    } else {
        structure::check(root, &mut report);
        if root.is_object() && options.depth >= Depth::Meaning {
            meaning::check(root, &options.limits, &mut report);
        }
    }
    if report.wants(Depth::Advice)
        && let Some(node) = root.get("toolId")
        && let Some(id) = node.text()
    {
        names::check([(id.as_ref(), node)].into_iter(), &mut report);
    }
    secret::check(&rules::SECRET, root, rules::SECRET_HELP, &mut report);
    report
}
