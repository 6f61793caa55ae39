//! Checks of shape: what the table says.

use manifest_core::json::Node;
use manifest_core::table::{self, Rules, Unknown};
use manifest_core::{Report, quoted};

use crate::parts::{Part, Parts};
use crate::rules;
use crate::table::TABLE;

/// A rule that is a matter of meaning is reported where meaning is asked for.
static RULES: Rules = Rules {
    // All objects are open: what they do not name is worth a warning.
    unknown_member: &manifest_core::json::rules::UNKNOWN_MEMBER,
    unknown: Unknown::AtMember,
    // The checks of meaning have it that no text is blank.
    length: None,
    word: &rules::RUNTIME,
    // The table has no branches, numbers or lists of a length, and patterns have rules of
    // their own.
    pattern: &rules::NOT_A_MANIFEST,
    tag: &rules::NOT_A_MANIFEST,
    count: &rules::NOT_A_MANIFEST,
    integer: Some(&rules::NOT_A_MANIFEST),
    range: &rules::NOT_A_MANIFEST,
};

/// Checks a manifest. Gives where its parts stand.
pub(crate) fn check<'a>(node: Node<'a>, report: &mut Report) -> Parts<'a> {
    let mut parts = Parts::default();
    table::check(node, &TABLE, 0, &RULES, true, &mut parts.0, report);
    if !report.is_valid() {
        reword(&parts, report);
    }
    parts
}

/// Says what the table knows no words for.
fn reword(parts: &Parts<'_>, report: &mut Report) {
    for found in &mut report.diagnostics {
        if found.rule == &rules::SCHEMA_TYPE {
            // A boolean is a schema that nobody means to write.
            let message = found.message.replacen("an object or a boolean", "an object", 1);
            found.set_message(message);
        } else if found.rule == &rules::RUNTIME {
            match parts.text(Part::Runtime) {
                Some((node, text)) => {
                    let message = format!("{} is not supported", quoted(&text));
                    *found = rules::RUNTIME.at(node, message);
                }
                None => found.set_help("write \"runtime\": \"node\""),
            }
        }
    }
}
