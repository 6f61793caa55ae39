//! Checks of structure, driven by the table.

use manifest_core::json::{Node, rules as json};
use manifest_core::table::{self, Rules, UnknownMemberLocation};
use manifest_core::{Profile, Report};

use crate::rules;
use crate::table::{Nodes, TABLE};

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

/// Returns true if documents are read as the published client reads them. Without the
/// feature `reference`, they never are.
pub(crate) fn is_reference(profile: Profile) -> bool {
    cfg!(feature = "reference") && profile == Profile::Reference
}

/// Checks a manifest and returns its nodes.
pub(crate) fn check<'a>(node: Node<'a>, report: &mut Report) -> Nodes<'a> {
    let mut nodes = Nodes::default();
    table::check(node, &TABLE, 0, &RULES, true, nodes.slots(), report);
    for found in &mut report.diagnostics {
        if found.rule == &rules::RUNTIME && found.help.is_none() {
            found.set_help("write \"runtime\": \"node\"");
        }
    }
    nodes
}

/// Returns the nodes of a manifest without reporting anything.
pub(crate) fn capture(node: Node<'_>) -> Nodes<'_> {
    check(node, &mut Report::new(Profile::Spec, 0))
}
