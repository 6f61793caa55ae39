//! Checks of shape: what the tables say, and what the profiles add to them.
//!
//! The `reference` profile gives the verdict of the published schema, and reads catalogs
//! as the published reader does.

use manifest_core::json::Node;
use manifest_core::read::{self, strings};
use manifest_core::table::{self, Rules, Unknown};
use manifest_core::version::{self, VersionError};
use manifest_core::{Profile, Report, Validate, quoted};

use crate::parts::Parts;
use crate::table::{CATALOG, CATALOG_TABLE, TABLE};
use crate::{grammar, rules};

static RULES: Rules = Rules {
    unknown_member: &rules::UNKNOWN_MEMBER,
    unknown: Unknown::AtMember,
    // The block need not be that of the kind, so there are no branches.
    tag: &rules::WORD,
    count: &rules::EMPTY,
    length: &rules::EMPTY,
    // Patterns have rules of their own.
    pattern: &rules::VERSION,
    word: &rules::WORD,
    // No number must be whole.
    integer: &rules::TIMEOUT,
    range: &rules::TIMEOUT,
};

/// Checks a manifest.
pub(crate) fn manifest(node: Node<'_>, report: &mut Report) {
    // The checks of meaning say more of a URL than the table does.
    let formats = false;
    table::check(node, &TABLE, 0, &RULES, formats, report);
}

/// Checks a catalog with all that is in it. Returns the manifests.
pub(crate) fn catalog<'n>(
    root: Node<'n>,
    profile: Profile,
    report: &mut Report,
) -> impl Iterator<Item = Node<'n>> + use<'n> {
    let [version, list] = table::entries(root, &CATALOG);
    // The reference skips what is no object, and a file without a list has no entries.
    let reference = profile == Profile::Reference;
    let list = list.filter(|list| !(reference && list.is_null()));
    if reference {
        let entries = list.and_then(|list| read::elements(list, report)).into_iter().flatten();
        entries.filter(|entry| entry.is_object()).for_each(|entry| manifest(entry, report));
    } else {
        table::check(root, &CATALOG_TABLE, 0, &RULES, false, report);
        if version.and_then(Node::text).as_deref() != Some("catalog.v1") {
            let message = "the catalog does not say \"catalog.v1\"";
            report.add(&rules::CATALOG_VERSION, version.unwrap_or(root), message);
        }
    }
    list.into_iter().flat_map(Node::elements).filter(|entry| entry.is_object())
}

/// Checks what the table leaves to the profiles: the published schema takes versions that
/// are none by the rules of `SemVer`, and has no bounds.
pub(crate) fn of_profile(parts: &Parts<'_>, options: &Validate, report: &mut Report) {
    let version = parts.version.and_then(|node| Some((node, node.text()?)));
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
            error => report.add(&rules::VERSION, node, format!("{shown}: {error}")),
        }
    }
    let seconds = parts.timeout.and_then(|node| Some((node, node.number()?)));
    if let Some((node, seconds)) = seconds
        && seconds.to_f64().is_none()
        && !seconds.as_str().starts_with('-')
    {
        report.add(&rules::TIMEOUT, node, "the time-out is beyond all bounds");
    }
    let limit = options.limits.arguments;
    let argv = parts.implementation.argv;
    if let Some(node) = argv.filter(|_| strings(argv).nth(limit).is_some()) {
        let message = format!("more than the {limit} elements allowed");
        report.add(&rules::ARGV_LENGTH, node, message);
    }
}
