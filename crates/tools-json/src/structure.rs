//! Checks of shape: what the table says, and how whole numbers are written.
//!
//! The `reference` profile has a walk of its own, which reads as Go does: see
//! [`unmarshal`](crate::unmarshal).

use manifest_core::json::{Node, rules as json};
use manifest_core::table::{self, Rules, Unknown};
use manifest_core::{Report, Validate};

use crate::go::quote;
use crate::manifest::seconds;
use crate::parts::Parts;
use crate::rules;
use crate::table::TABLE;

static RULES: Rules = Rules {
    // All objects are open: what they do not name is worth a warning.
    unknown_member: &json::UNKNOWN_MEMBER,
    unknown: Unknown::AtMember,
    count: &rules::COMMAND_EMPTY,
    length: &rules::NAME_REQUIRED,
    integer: &json::NUMBER_RANGE,
    range: &json::NUMBER_RANGE,
    // The table has no branches, patterns or words.
    tag: &json::TYPE,
    pattern: &json::TYPE,
    word: &json::TYPE,
};

/// Checks a manifest.
pub(crate) fn check(root: Node<'_>, options: &Validate, report: &mut Report) {
    table::check(root, &TABLE, 0, &RULES, true, report);
    if !report.is_valid() {
        reword(root, options, report);
    }
}

/// Checks that a time-out is written as a whole number: `5.0` and `1e1` are not.
pub(crate) fn timeout(parts: &Parts<'_>, report: &mut Report) {
    let Some(node) = parts.timeout.filter(|node| seconds(*node).is_none()) else { return };
    // What has a fraction has been reported.
    let Some(number) = node.number().filter(|number| number.is_integer()) else { return };
    let message = if number.as_str().contains(['.', 'e', 'E']) {
        "expected an integer, written without a point or an exponent"
    } else {
        "the number does not fit 64 bits"
    };
    report.add(&json::NUMBER_RANGE, node, message);
}

/// What the reference says of a tool without a name.
pub(crate) fn name_required(number: usize) -> String {
    format!("tool[{number}]: name is required")
}

/// What the reference says of a tool without a command.
pub(crate) const COMMAND_EMPTY: &str = "command must have at least program name";

/// What is said of a tool, as the reference words it.
pub(crate) fn about(number: usize, name: &str, text: &str) -> String {
    format!("tool[{number}] {}: {text}", quote(name))
}

/// Puts what the reference finds too into its words.
fn reword(root: Node<'_>, options: &Validate, report: &mut Report) {
    let [tools] = table::entries(root, &crate::table::MANIFEST);
    for found in &mut report.diagnostics {
        let index = found.pointer.tokens().nth(1).and_then(|token| token.parse().ok());
        let Some(index) = index else { continue };
        let number = options.first.saturating_add(index);
        if found.rule == &rules::NAME_REQUIRED {
            found.message = name_required(number);
        } else if found.rule == &rules::COMMAND_EMPTY {
            let tool = tools.and_then(|tools| tools.element(index));
            let name = tool.and_then(|tool| tool.get("name")?.text()).unwrap_or_default();
            found.message = about(number, &name, COMMAND_EMPTY);
        }
    }
}
