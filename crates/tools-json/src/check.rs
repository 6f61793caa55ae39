//! Validation.

use manifest_core::json::Document;
use manifest_core::{Report, ValidateOptions, secret};

use crate::{rules, semantics, structure};

/// Checks a document.
///
/// With the feature `reference`, the `reference` profile gives the verdict of the published
/// implementation, and its message for the first error. Without the feature, it makes the checks
/// of `spec`, but gives no advice.
pub fn validate(document: &Document<'_>, options: &ValidateOptions) -> Report {
    let mut report = options.new_report();
    let root = document.root();
    #[cfg(feature = "reference")]
    if options.profile == manifest_core::Profile::Reference {
        crate::reference::check(root, options, &mut report);
        return report;
    }
    let tools = structure::check(root, options, &mut report);
    semantics::check(&tools, options, &mut report);
    if tools.is_empty() && report.is_valid() {
        report.add(&rules::NO_TOOLS, root, "there are no tools");
    }
    let help = "withdraw the secret, and name a variable in \"envPassthrough\"";
    secret::check(&rules::SECRET, root, help, &mut report);
    report
}
