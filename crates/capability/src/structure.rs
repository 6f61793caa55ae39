//! Checks of structure: the tables, and bounds that they do not contain.

use manifest_core::json::{Elements, Node};
use manifest_core::read::{self, string_elements};
use manifest_core::table::{self, Rules, UnknownMemberLocation};
use manifest_core::version::{self, VersionError};
use manifest_core::{Limits, Profile, Report, quoted};

use crate::rules;
use crate::table::{CATALOG, FRAME, Key, Nodes, TABLE};

static RULES: Rules = Rules {
    unknown_member: &rules::UNKNOWN_MEMBER,
    unknown_members: UnknownMemberLocation::AtMember,
    // A block may differ from the kind, so there are no branches.
    tag: &rules::WORD,
    count: &rules::EMPTY,
    length: &rules::EMPTY,
    // The patterns have their own rules.
    pattern: &rules::VERSION,
    enum_value: &rules::WORD,
    // No member requires an integer.
    integer: Some(&rules::TIMEOUT),
    range: &rules::TIMEOUT,
};

/// Returns true if documents are read as the published implementation reads them. Without
/// the feature `reference`, they never are.
pub(crate) fn is_reference(profile: Profile) -> bool {
    cfg!(feature = "reference") && profile == Profile::Reference
}

/// Checks a manifest against the table. Returns its nodes.
pub(crate) fn check_members<'a>(node: Node<'a>, report: &mut Report) -> Nodes<'a> {
    let mut nodes = Nodes::default();
    let first = report.diagnostics.len();
    // The semantic checks examine URLs in more detail than the table.
    let formats = false;
    table::check(node, &TABLE, 0, &RULES, formats, nodes.slots(), report);
    // The table's messages about counts are replaced by simpler ones.
    for found in report.diagnostics.iter_mut().skip(first) {
        if found.rule == &rules::EMPTY {
            let is_program = found.pointer.as_str().ends_with("/argv");
            found.set_message(if is_program { "there is no program" } else { "the text is empty" });
        }
    }
    nodes
}

/// Returns the nodes of a manifest without reporting anything.
pub(crate) fn capture(node: Node<'_>) -> Nodes<'_> {
    check_members(node, &mut Report::new(Profile::Spec, 0))
}

/// Checks a catalog, except its entries. Returns the entries.
pub(crate) fn check_catalog<'a>(
    root: Node<'a>,
    profile: Profile,
    report: &mut Report,
) -> Option<Elements<'a>> {
    let [version, list] = table::member_values(root, &CATALOG);
    if is_reference(profile) {
        // For the reference, a file without a list has no entries.
        return read::elements(list.filter(|list| !list.is_null())?, report);
    }
    table::check(root, &FRAME, 0, &RULES, false, &mut [], report);
    if version.and_then(Node::text).as_deref() != Some("catalog.v1") {
        let message = "the catalog does not say \"catalog.v1\"";
        report.add(&rules::CATALOG_VERSION, version.unwrap_or(root), message);
    }
    list.map(Node::elements)
}

/// Checks what the published schema does not bound: versions that are invalid in SemVer,
/// and the sizes of numbers and lists.
pub(crate) fn check_bounds(nodes: &Nodes<'_>, limits: &Limits, report: &mut Report) {
    if let Some((node, text)) = nodes.text(Key::Version)
        && let Err(error) = version::parse_exact(&text)
    {
        let shown = quoted(&text);
        if error == VersionError::Range {
            report.add(&rules::VERSION_RANGE, node, format!("{shown} is a range"));
        } else {
            let found = rules::VERSION.at(node, format!("{shown}: {error}"));
            report.push(version::with_version_fix(found, node));
        }
    }
    if let Some(node) = nodes.get(Key::Timeout)
        && let Some(seconds) = node.number()
        && seconds.to_f64().is_none()
        && !seconds.as_str().starts_with('-')
    {
        report.add(&rules::TIMEOUT, node, "the time-out is beyond all bounds");
    }
    let limit = limits.arguments;
    if let Some(node) = nodes.get(Key::Argv)
        && string_elements(Some(node)).nth(limit).is_some()
    {
        let message = format!("more than the {limit} elements allowed");
        report.add(&rules::ARGV_LENGTH, node, message);
    }
}
