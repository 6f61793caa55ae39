//! Checks of structure, driven by the table.

use manifest_core::Report;
use manifest_core::json::{Node, rules as json};
use manifest_core::table::{self, Rules, UnknownMemberLocation};

use crate::node_map::NodeMap;
use crate::rules;
use crate::table::TABLE;

/// The rules that the table check reports. A semantic rule, such as `RUNTIME`, is reported
/// only if the report covers semantics.
static RULES: Rules = Rules {
    // All objects are open: unknown members are only a warning.
    unknown_member: &json::UNKNOWN_MEMBER,
    unknown_members: UnknownMemberLocation::AtMember,
    enum_value: &rules::RUNTIME,
    // The semantic checks judge all texts except the digest.
    length: &rules::BLANK,
    pattern: &rules::SHA256,
    // Unused: the table has no unions, numbers or lists with a length.
    tag: &json::TYPE,
    count: &json::TYPE,
    integer: None,
    range: &json::TYPE,
};

/// Checks a manifest and returns its captured nodes.
pub(crate) fn check<'a>(node: Node<'a>, report: &mut Report) -> NodeMap<'a> {
    let mut parts = NodeMap::default();
    table::check(node, &TABLE, 0, &RULES, true, &mut parts.0, report);
    for found in report.diagnostics.iter_mut().filter(|found| found.rule == &rules::RUNTIME) {
        if found.help.is_none() {
            found.set_help("write \"runtime\": \"node\"");
        }
    }
    parts
}
