//! Checks of structure: the tables, and the additions of profiles.
//!
//! The `reference` profile gives the verdict of the published schema, and reads catalogs
//! like the published reader does.

use manifest_core::json::{Elements, Node};
use manifest_core::read::{self, string_elements};
use manifest_core::table::{self, Rules, UnknownMemberLocation};
use manifest_core::version::{self, VersionError};
use manifest_core::{Diagnostic, Profile, Report, ValidateOptions, quoted};

use crate::node_map::{NodeKey, NodeMap};
use crate::table::{CATALOG, FRAME, TABLE};
use crate::{grammar, rules};

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

/// Checks a manifest. Returns the nodes of its parts.
pub(crate) fn check_manifest<'a>(
    node: Node<'a>,
    options: &ValidateOptions,
    report: &mut Report,
) -> NodeMap<'a> {
    let mut parts = NodeMap::default();
    // The semantic checks examine URLs in more detail than the table.
    let formats = false;
    let first = report.diagnostics.len();
    table::check(node, &TABLE, 0, &RULES, formats, &mut parts.0, report);
    simplify_messages(report.diagnostics.get_mut(first..).unwrap_or_default());
    check_profile(&parts, options, report);
    parts
}

/// Replaces the table's messages about counts by simpler ones.
fn simplify_messages(found: &mut [Diagnostic]) {
    for found in found.iter_mut().filter(|found| found.rule == &rules::EMPTY) {
        let is_program = found.pointer.as_str().ends_with("/argv");
        found.set_message(if is_program { "there is no program" } else { "the text is empty" });
    }
}

/// Checks a catalog, except its entries. Returns the entries.
pub(crate) fn check_catalog<'a>(
    root: Node<'a>,
    profile: Profile,
    report: &mut Report,
) -> Option<Elements<'a>> {
    let [version, list] = table::member_values(root, &CATALOG);
    if profile == Profile::Reference {
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

/// Checks the requirements that depend on the profile. The published schema accepts
/// versions that are invalid in SemVer, and has no bounds.
fn check_profile(parts: &NodeMap<'_>, options: &ValidateOptions, report: &mut Report) {
    let version = parts.text(NodeKey::Version);
    if options.profile == Profile::Reference {
        if let Some((node, text)) = version.filter(|(_, text)| !grammar::is_loose_version(text)) {
            report.add(&rules::VERSION, node, format!("{} is not a version", quoted(&text)));
        }
        return;
    }
    if let Some((node, text)) = version
        && let Err(error) = version::parse_exact(&text)
    {
        let shown = quoted(&text);
        match error {
            VersionError::Range => {
                report.add(&rules::VERSION_RANGE, node, format!("{shown} is a range"));
            }
            error => {
                let found = rules::VERSION.at(node, format!("{shown}: {error}"));
                report.push(version::with_version_fix(found, node));
            }
        }
    }
    let seconds = parts.get(NodeKey::Timeout).and_then(|node| Some((node, node.number()?)));
    if let Some((node, seconds)) = seconds
        && seconds.to_f64().is_none()
        && !seconds.as_str().starts_with('-')
    {
        report.add(&rules::TIMEOUT, node, "the time-out is beyond all bounds");
    }
    let limit = options.limits.arguments;
    let argv = parts.get(NodeKey::Argv);
    if let Some(node) = argv.filter(|_| string_elements(argv).nth(limit).is_some()) {
        let message = format!("more than the {limit} elements allowed");
        report.add(&rules::ARGV_LENGTH, node, message);
    }
}
