//! Validation.

use manifest_core::json::Document;
use manifest_core::{Profile, Report, ValidateOptions, secret};

use crate::{rules, semantics, structure, unmarshal};

/// Checks a document.
pub fn validate(document: &Document<'_>, options: &ValidateOptions) -> Report {
    let mut report = options.new_report();
    let root = document.root();
    let tools = if options.profile == Profile::Reference {
        let (_, tools) = unmarshal::read_manifest(root, &mut report);
        // The reference stops here if a value has the wrong type.
        if !report.is_valid() {
            unmarshal::use_reference_messages(&mut report, root);
            return report;
        }
        tools
    } else {
        structure::check(root, options, &mut report)
    };
    semantics::check(&tools, options, &mut report);
    if tools.is_empty() && report.is_valid() {
        report.add(&rules::NO_TOOLS, root, "there are no tools");
    }
    let help = "withdraw the secret, and name a variable in \"envPassthrough\"";
    secret::check(&rules::SECRET, root, help, &mut report);
    report
}
