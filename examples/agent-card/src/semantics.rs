//! The checks of a card.

use manifest_core::json::Document;
use manifest_core::table::{self, Rules};
use manifest_core::{Depth, Report, ValidateOptions};

use crate::rules::{DUPLICATE_SKILL, STRUCTURE};
use crate::table::{TABLE, version};

/// Checks a document.
pub fn validate(document: &Document<'_>, options: &ValidateOptions) -> Report {
    let (mut report, root) = (options.new_report(), document.root());
    let rules = Rules::single(&STRUCTURE);
    table::check(root, &TABLE, version(root), &rules, true, &mut [], &mut report);
    if report.is_valid() && report.includes_depth(Depth::Semantics) {
        table::check_unique(root.get("skills"), "id", &DUPLICATE_SKILL, &mut report);
    }
    report
}
