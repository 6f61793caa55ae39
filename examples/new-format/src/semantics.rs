//! The checks that a table cannot express.

use manifest_core::json::{Document, Node};
use manifest_core::table::{self, Rules};
use manifest_core::{Depth, Limits, Report, ValidateOptions, schema};

use crate::rules::{DUPLICATE_TOOL, STRUCTURE};
use crate::table::TABLE;

/// Checks a document.
pub fn validate(document: &Document<'_>, options: &ValidateOptions) -> Report {
    let mut report = options.new_report();
    let root = document.root();
    table::check(root, &TABLE, 0, &Rules::single(&STRUCTURE), true, &mut [], &mut report);
    if report.is_valid() && report.includes_depth(Depth::Semantics) {
        check_schemas(root, &options.limits, &mut report);
        table::check_unique(root.get("tools"), "name", &DUPLICATE_TOOL, &mut report);
    }
    report
}

fn check_schemas(root: Node<'_>, limits: &Limits, report: &mut Report) {
    for node in root.get("tools").into_iter().flat_map(Node::elements) {
        for schema in ["inputs", "outputs"].into_iter().filter_map(|name| node.get(name)) {
            schema::check(schema, limits).into_iter().for_each(|found| report.push(found));
        }
    }
}
