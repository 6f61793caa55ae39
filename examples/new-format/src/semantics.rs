//! What the table cannot say.

use std::collections::BTreeSet;

use manifest_core::json::{Document, Node};
use manifest_core::table::{self, Rules};
use manifest_core::{Depth, Limits, Report, Text, ValidateOptions, quoted, schema};

use crate::rules::{DUPLICATE_TOOL, STRUCTURE};
use crate::table::TABLE;

/// Checks a document.
pub fn validate(document: &Document<'_>, options: &ValidateOptions) -> Report {
    let mut report = options.new_report();
    let root = document.root();
    table::check(root, &TABLE, 0, &Rules::single(&STRUCTURE), true, &mut [], &mut report);
    if report.is_valid() && report.includes_depth(Depth::Semantics) {
        tools(root, &options.limits, &mut report);
    }
    report
}

fn tools(root: Node<'_>, limits: &Limits, report: &mut Report) {
    let mut seen: BTreeSet<Text<'_>> = BTreeSet::new();
    for node in root.get("tools").into_iter().flat_map(Node::elements) {
        for schema in ["inputs", "outputs"].into_iter().filter_map(|name| node.get(name)) {
            schema::check(schema, limits).into_iter().for_each(|found| report.push(found));
        }
        let Some(name) = node.get("name") else { continue };
        let text = name.text().unwrap_or_default();
        let message = format!("a second tool is called {}", quoted(&text));
        if !seen.insert(text) {
            report.add(&DUPLICATE_TOOL, name, message);
        }
    }
}
