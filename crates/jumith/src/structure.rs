//! Checks of shape: what the table says.

use manifest_core::Report;
use manifest_core::json::Node;
use manifest_core::table::{self, Rules, Unknown};

use crate::rules;
use crate::table::TABLE;

/// A rule that is a matter of meaning is reported where meaning is asked for.
static RULES: Rules = Rules {
    // All objects are open: what they do not name is worth a warning.
    unknown_member: &manifest_core::json::rules::UNKNOWN_MEMBER,
    unknown: Unknown::AtMember,
    length: &rules::BLANK,
    word: &rules::RUNTIME,
    // The table has no branches, numbers or lists of a length, and patterns have rules of
    // their own.
    pattern: &rules::NOT_A_MANIFEST,
    tag: &rules::NOT_A_MANIFEST,
    count: &rules::NOT_A_MANIFEST,
    integer: &rules::NOT_A_MANIFEST,
    range: &rules::NOT_A_MANIFEST,
};

/// Checks a manifest.
pub(crate) fn check(node: Node<'_>, report: &mut Report) {
    table::check(node, &TABLE, 0, &RULES, true, report);
}
