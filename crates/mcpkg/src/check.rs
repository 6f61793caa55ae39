//! Validation.

use manifest_core::json::{Document, rules as json};
use manifest_core::{Depth, Profile, Report, ValidateOptions, names, secret};

use crate::{reference, rules, semantics, structure};

/// Returns true if checks follow the published tool: under the profile `reference`, with the
/// feature of that name. Without the feature, that profile makes the checks of `spec`.
pub(crate) fn follows_published_tool(profile: Profile) -> bool {
    cfg!(feature = "reference") && profile == Profile::Reference
}

/// Checks a document, which must be one manifest.
///
/// With the feature `reference`, the verdict and the messages under the `reference` profile are
/// those of the published tool. Without the feature, that profile makes the checks of `spec`, but
/// gives no advice.
pub fn validate(document: &Document<'_>, options: &ValidateOptions) -> Report {
    let mut report = options.new_report();
    let root = document.root();
    if follows_published_tool(options.profile) {
        reference::check(root, &mut report);
    } else if root.is_array() {
        let found = json::TYPE.at(root, "expected an object, found an array");
        report.push(found.help("a document is one manifest; an array of them is a stream"));
    } else {
        let nodes = structure::check(root, &mut report);
        if options.depth >= Depth::Semantics && root.is_object() {
            semantics::check(&nodes, &options.limits, &mut report);
            if report.includes_depth(Depth::Advice) {
                semantics::advise(&nodes, &mut report);
            }
        }
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
