//! Checks of shape: what the table says.

use manifest_core::Report;
use manifest_core::json::{Node, rules as json};
use manifest_core::table::{self, Rules, Unknown};

use crate::meaning::OUT_OF_BOUNDS;
use crate::parts::Parts;
use crate::rules;
use crate::table::{TABLE, Version};

/// A rule that is a matter of meaning is reported where meaning is asked for.
static RULES: Rules = Rules {
    // All objects are open: what they do not name is worth a warning.
    unknown_member: &json::UNKNOWN_MEMBER,
    unknown: Unknown::AtMember,
    tag: &rules::ENDPOINT_TYPE,
    count: &rules::CAPABILITIES_EMPTY,
    word: &rules::AUTH_TYPE,
    range: &rules::TIMEOUT,
    // Whether a time-out is whole is advice.
    integer: None,
    // Texts are left to the checks of meaning.
    length: &rules::BLANK,
    pattern: &rules::TOOL_ID,
};

/// Checks a manifest, which may use all that 0.2 added. Gives where its parts stand.
pub(crate) fn check<'a>(node: Node<'a>, report: &mut Report) -> Parts<'a> {
    let mut parts = Parts::default();
    // The checks of meaning say more of a URL than the table does.
    let formats = false;
    table::check(node, &TABLE, Version::V0_2 as u8, &RULES, formats, &mut parts.0, report);
    if !report.is_valid() {
        reword(report);
    }
    parts
}

/// Says what the table has no words for. To it, zero is a time-out.
fn reword(report: &mut Report) {
    for found in &mut report.diagnostics {
        if found.rule == &rules::TIMEOUT {
            found.set_message(OUT_OF_BOUNDS);
        } else if found.rule == &rules::CAPABILITIES_EMPTY {
            found.set_message("there are no capabilities");
        }
    }
}
