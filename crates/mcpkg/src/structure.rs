//! Checks of shape: what the table asks for, and the rules that are broken where a document
//! is not like it.

use manifest_core::Report;
use manifest_core::json::{Node, rules as json};
use manifest_core::table::{self, Rules};

use crate::rules;
use crate::table::{TABLE, Version};

static RULES: Rules = Rules {
    unknown_member: &json::UNKNOWN_MEMBER,
    tag: &rules::ENDPOINT_TYPE,
    count: &rules::CAPABILITIES_EMPTY,
    // What is wrong with a text depends on where it stands.
    texts: None,
    word: &rules::AUTH_TYPE,
    integer: &rules::TIMEOUT,
    range: &rules::TIMEOUT,
    types: &rules::SCHEMA_TYPE,
};

/// Checks a manifest, which may use all that 0.2 added.
pub(crate) fn check(node: Node<'_>, report: &mut Report) {
    if node.is_array() {
        let found = json::TYPE.at(node, "expected an object, found an array");
        let help = "a document is one manifest; an array of them is a stream: --jsonl";
        report.push(found.help(help));
        return;
    }
    table::check(node, &TABLE, Version::V0_2 as u8, &RULES, false, report);
}
