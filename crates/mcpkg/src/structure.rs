//! Structure checks, with the table.

use manifest_core::Report;
use manifest_core::json::{Node, rules as json};
use manifest_core::table::{self, Rules, UnknownMemberLocation};

use crate::node_map::NodeMap;
use crate::rules;
use crate::semantics::INVALID_TIMEOUT;
use crate::table::{TABLE, Version};

/// The report drops semantic rules if the check does not go that deep.
static RULES: Rules = Rules {
    // All objects are open, so an unknown member is only a warning.
    unknown_member: &json::UNKNOWN_MEMBER,
    unknown_members: UnknownMemberLocation::AtMember,
    tag: &rules::ENDPOINT_TYPE,
    count: &rules::CAPABILITIES_EMPTY,
    enum_value: &rules::AUTH_TYPE,
    range: &rules::TIMEOUT,
    // The endpoint checks give advice about time-outs that are not whole.
    integer: None,
    // The semantic checks report these.
    length: &rules::BLANK,
    pattern: &rules::TOOL_ID,
};

/// Checks a manifest, which may use everything that 0.2 added. Returns the nodes that later
/// checks need.
pub(crate) fn check<'a>(node: Node<'a>, report: &mut Report) -> NodeMap<'a> {
    let mut parts = NodeMap::default();
    // The semantic checks report more about a URL than the table can.
    let formats = false;
    table::check(node, &TABLE, Version::V0_2 as u8, &RULES, formats, &mut parts.0, report);
    if !report.is_valid() {
        reword(report);
    }
    parts
}

/// Replaces messages of the table that are too general. For the table, zero is a valid
/// time-out.
fn reword(report: &mut Report) {
    for found in &mut report.diagnostics {
        if found.rule == &rules::TIMEOUT {
            found.set_message(INVALID_TIMEOUT);
        } else if found.rule == &rules::CAPABILITIES_EMPTY {
            found.set_message("there are no capabilities");
        }
    }
}
