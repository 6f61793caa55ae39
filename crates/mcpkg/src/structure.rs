//! Structure checks, with the table.

use manifest_core::json::{Node, rules as json};
use manifest_core::table::{self, Rules, UnknownMemberLocation};
use manifest_core::{Report, Text};

use crate::rules::{self, INVALID_TIMEOUT};
use crate::table::{TABLE, Version};

/// The members of a manifest that later checks need. Those checks skip values that are missing
/// or of the wrong type, because the structure check reports them.
pub(crate) struct ManifestNodes<'a> {
    pub(crate) manifest: Node<'a>,
    pub(crate) tool_id: Option<Node<'a>>,
    pub(crate) name: Option<Node<'a>>,
    pub(crate) version: Option<Node<'a>>,
    pub(crate) description: Option<Node<'a>>,
    pub(crate) capabilities: Option<Node<'a>>,
    pub(crate) endpoint: Option<Node<'a>>,
    pub(crate) implementations: Option<Node<'a>>,
    pub(crate) chain: Option<Node<'a>>,
    /// The input schema and the output schema.
    pub(crate) schemas: [Option<Node<'a>>; 2],
    pub(crate) tests: Option<Node<'a>>,
    pub(crate) examples: Option<Node<'a>>,
    pub(crate) meta: Option<Node<'a>>,
}

/// Returns the node and its text, if it is a string.
pub(crate) fn text_node(node: Option<Node<'_>>) -> Option<(Node<'_>, Text<'_>)> {
    let node = node?;
    Some((node, node.text()?))
}

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

/// Checks a manifest, which may use everything that 0.2 added.
pub(crate) fn check<'a>(manifest: Node<'a>, report: &mut Report) -> ManifestNodes<'a> {
    let mut captured = [None; 13];
    // The semantic checks report more about a URL than the table can.
    let formats = false;
    table::check(manifest, &TABLE, Version::V0_2 as u8, &RULES, formats, &mut captured, report);
    if !report.is_valid() {
        reword(report);
    }
    // The table numbers the members in this order.
    let [
        tool_id,
        name,
        version,
        description,
        capabilities,
        endpoint,
        implementations,
        chain,
        input,
        output,
        tests,
        examples,
        meta,
    ] = captured;
    ManifestNodes {
        manifest,
        tool_id,
        name,
        version,
        description,
        capabilities,
        endpoint,
        implementations,
        chain,
        schemas: [input, output],
        tests,
        examples,
        meta,
    }
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
