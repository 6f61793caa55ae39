//! Checks of shape: what the table says.

use manifest_core::Report;
use manifest_core::json::{Node, rules as json};
use manifest_core::table::{self, Rules, Unknown};

use crate::parts::Parts;
use crate::rules;
use crate::table::TABLE;

/// A rule that is a matter of meaning is reported where meaning is asked for.
static RULES: Rules = Rules {
    // All objects are open: what they do not name is worth a warning.
    unknown_member: &json::UNKNOWN_MEMBER,
    unknown: Unknown::AtMember,
    word: &rules::RUNTIME,
    // Texts are left to the checks of meaning, but for the digest.
    length: &rules::BLANK,
    pattern: &rules::SHA256,
    // The table has no branches, numbers or lists of a length.
    tag: &json::TYPE,
    count: &json::TYPE,
    integer: None,
    range: &json::TYPE,
};

/// Checks a manifest. Gives where its parts stand.
pub(crate) fn check<'a>(node: Node<'a>, report: &mut Report) -> Parts<'a> {
    let mut parts = Parts::default();
    table::check(node, &TABLE, 0, &RULES, true, &mut parts.0, report);
    for found in report.diagnostics.iter_mut().filter(|found| found.rule == &rules::RUNTIME) {
        if found.help.is_none() {
            found.set_help("write \"runtime\": \"node\"");
        }
    }
    parts
}
