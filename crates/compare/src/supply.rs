//! Compares the sources and versions of installed programs.

use std::cmp::Ordering;

use semver::Version;

use manifest_core::descriptor::Acquisition;
use manifest_core::version;

/// How the source of an installed program changed.
///
/// ```
/// use toolglot_compare::{SupplyChange, compare_supply};
/// use json_text::Text;
/// use manifest_core::descriptor::Acquisition;
///
/// let pip = |spec: &'static str| Acquisition::Pip {
///     package: Text::Borrowed("notes").into(),
///     version_spec: Some(Text::Borrowed(spec).into()),
/// };
/// assert_eq!(compare_supply(&pip("==1.0"), &pip("==1.1")), SupplyChange::Newer);
/// assert_eq!(compare_supply(&pip("==1.0"), &pip("==0.9")), SupplyChange::Older);
/// assert_eq!(compare_supply(&pip("==1.0"), &pip(">=1.0")), SupplyChange::Unclear);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SupplyChange {
    /// Another source.
    OtherSource,
    /// A newer version of the same.
    Newer,
    /// An older version of the same.
    Older,
    /// Other bytes under the same name.
    OtherBytes,
    /// Another version that may be newer or older: another branch or commit, a removed pin,
    /// or versions that cannot be compared.
    Unclear,
}

impl SupplyChange {
    /// Returns the kind of the change in a report, and its message.
    pub const fn describe(self) -> (&'static str, &'static str) {
        match self {
            Self::Newer => ("install-version-changed", "a newer version is installed"),
            Self::Older => ("install-version-lowered", "an older version is installed"),
            Self::OtherBytes => {
                ("install-content-changed", "the same name stands for something else")
            }
            Self::Unclear => {
                ("install-version-unclear", "another version is installed, newer or older")
            }
            Self::OtherSource => {
                ("install-source-changed", "what is installed comes from somewhere else")
            }
        }
    }
}

/// Returns how the source changed from `old` to `new`, which must differ.
pub fn compare_supply(old: &Acquisition<'_>, new: &Acquisition<'_>) -> SupplyChange {
    use Acquisition::{Container, Download, Git, Npm, Pip};
    match (old, new) {
        (Pip { package: from, version_spec: old }, Pip { package: to, version_spec: new })
        | (Npm { package: from, version_spec: old }, Npm { package: to, version_spec: new })
            if from == to =>
        {
            match (old, new) {
                (Some(old), Some(new)) => compare_specs(old, new),
                _ => SupplyChange::Unclear,
            }
        }
        (
            Git { url: from, reference: old, subpath: folder, layout: holds },
            Git { url: to, reference: new, subpath: other_folder, layout: other_holds },
        ) if from == to && folder == other_folder && holds == other_holds => {
            compare_versions([(old.as_ref(), new.as_ref())])
        }
        (Container { image: old }, Container { image: new }) => compare_images(old, new),
        (Download { url: from, .. }, Download { url: to, .. }) if from == to => {
            SupplyChange::OtherBytes
        }
        _ => SupplyChange::OtherSource,
    }
}

/// Compares specifiers. They are comparable only if their operators are the same.
fn compare_specs(old: &str, new: &str) -> SupplyChange {
    let (Some(old), Some(new)) = (split_clauses(old), split_clauses(new)) else {
        return SupplyChange::Unclear;
    };
    if old.len() != new.len() {
        return SupplyChange::Unclear;
    }
    let mut versions = Vec::new();
    for ((old_operator, old), (new_operator, new)) in std::iter::zip(old, new) {
        if old_operator != new_operator {
            return SupplyChange::Unclear;
        }
        versions.push((old, new));
    }
    compare_versions(versions)
}

/// Splits a specifier into operators and versions. Returns `None` if a clause has no
/// version.
fn split_clauses(spec: &str) -> Option<Vec<(&str, &str)>> {
    let mut clauses = Vec::new();
    for clause in spec.split([',', ' ']) {
        if !clause.is_empty() {
            let version = clause.find(|c: char| !"=<>~^".contains(c))?;
            clauses.push(clause.split_at(version));
        }
    }
    Some(clauses)
}

/// Returns `Newer` or `Older` if all versions that differ do so in that direction, and
/// `Unclear` otherwise.
fn compare_versions<'v>(pairs: impl IntoIterator<Item = (&'v str, &'v str)>) -> SupplyChange {
    let mut found = SupplyChange::Unclear;
    for (old, new) in pairs {
        let (Some(old), Some(new)) = (parse_release(old), parse_release(new)) else {
            return SupplyChange::Unclear;
        };
        found = match (new.cmp_precedence(&old), found) {
            (Ordering::Equal, found) => found,
            (Ordering::Greater, SupplyChange::Unclear | SupplyChange::Newer) => SupplyChange::Newer,
            (Ordering::Less, SupplyChange::Unclear | SupplyChange::Older) => SupplyChange::Older,
            _ => return SupplyChange::Unclear,
        };
    }
    found
}

/// Parses an exact version, or one of only one or two numbers.
fn parse_release(text: &str) -> Option<Version> {
    let text = text.strip_prefix('v').unwrap_or(text);
    // A commit hash may consist of digits only.
    let plain = text.len() < 32 && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let padded = match text.matches('.').count() {
        0 if plain && text.len() < 7 => format!("{text}.0.0"),
        1 if plain => format!("{text}.0"),
        _ => text.to_owned(),
    };
    version::parse_exact(&padded).ok()
}

fn compare_images(old: &str, new: &str) -> SupplyChange {
    let (from, old_tag, old_digest) = split_image(old);
    let (to, new_tag, new_digest) = split_image(new);
    let dropped = old_digest.is_some() && new_digest.is_none();
    match (old_tag, new_tag) {
        _ if from != to => SupplyChange::OtherSource,
        _ if dropped => SupplyChange::Unclear,
        (old, new) if old == new && old_digest.is_some() => SupplyChange::OtherBytes,
        (Some(old), Some(new)) => compare_versions([(old, new)]),
        _ => SupplyChange::Unclear,
    }
}

/// Splits an image into repository, tag and digest.
fn split_image(image: &str) -> (&str, Option<&str>, Option<&str>) {
    let (name, digest) = match image.split_once('@') {
        Some((name, digest)) => (name, Some(digest)),
        None => (image, None),
    };
    match name.rsplit_once(':') {
        // A colon before a slash separates a port.
        Some((name, tag)) if !tag.contains('/') => (name, Some(tag), digest),
        _ => (name, None, digest),
    }
}
