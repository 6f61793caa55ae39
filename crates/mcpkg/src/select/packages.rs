//! Packages of Python and Node, with the version ranges of each ecosystem.

use std::str::FromStr;

use manifest_core::quoted;

use super::host::{Host, Reason, Software};
use crate::manifest::Implementation;

/// The maximum length of a requirement or a version, in bytes.
const MAX_BYTES: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ecosystem {
    Python,
    Node,
}

impl Ecosystem {
    /// Returns the ecosystem of an implementation, by its language or its runtime.
    pub(super) fn of(implementation: &Implementation<'_>) -> Option<Self> {
        let words = [implementation.language.as_deref(), implementation.runtime.as_deref()];
        words.into_iter().flatten().find_map(|word| {
            let word = word.to_ascii_lowercase();
            let begins = |names: &[&str]| names.iter().any(|name| word.starts_with(name));
            if begins(&["python", "cpython"]) {
                Some(Self::Python)
            } else if begins(&["node", "javascript", "typescript", "js"]) {
                Some(Self::Node)
            } else {
                None
            }
        })
    }
}

/// Checks that a package is installed in a version that meets the requirement.
pub(super) fn check(text: &str, ecosystem: Ecosystem, host: &Host) -> Result<(), Reason> {
    let found = match ecosystem {
        _ if text.len() > MAX_BYTES => None,
        Ecosystem::Python => check_python(text, &host.python_packages),
        Ecosystem::Node => check_node(text, &host.node_packages),
    };
    match found {
        Some(true) => Ok(()),
        Some(false) => {
            Err(Reason::Missing(format!("the package {} is not installed", quoted(text))))
        }
        None => Err(Reason::Unknown(format!("the package {} is not understood", quoted(text)))),
    }
}

/// Checks a requirement such as `PyMuPDF>=1.23.0`: a name, compared by PEP 503, and ranges
/// by PEP 440. Returns `None` if it cannot be parsed. Extras and markers are not supported.
fn check_python(text: &str, installed: &[Software]) -> Option<bool> {
    let name_end = text
        .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | '.'))
        .unwrap_or(text.len());
    let (name, ranges) = text.split_at_checked(name_end)?;
    let ranges = ranges.trim();
    let is_name = name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.ends_with(|c: char| c.is_ascii_alphanumeric());
    is_name.then_some(())?;
    let ranges = pep440_rs::VersionSpecifiers::from_str(ranges).ok()?;
    let fits = |software: &Software| {
        let version = software.version.as_deref().filter(|version| version.len() <= MAX_BYTES);
        let version = version.and_then(|version| pep440_rs::Version::from_str(version).ok());
        version.map_or(ranges.is_empty(), |version| ranges.contains(&version))
    };
    Some(
        installed.iter().any(|software| {
            normalize_name(&software.name) == normalize_name(name) && fits(software)
        }),
    )
}

/// Normalizes a name by PEP 503: lower case, and one dash for any run of dashes, dots and
/// underscores.
fn normalize_name(name: &str) -> String {
    let parts = name.split(['-', '_', '.']).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-").to_ascii_lowercase()
}

/// Checks a requirement such as `pdfjs-dist@^4.0.0` or `@scope/name@>=1 <3`: a name and a
/// range of npm. Returns `None` if it cannot be parsed. Tags such as `latest` are not
/// supported.
fn check_node(text: &str, installed: &[Software]) -> Option<bool> {
    let scope = usize::from(text.starts_with('@'));
    let at = text.get(scope..)?.find('@').map(|at| at + scope);
    let (name, range) = match at {
        Some(at) => (text.get(..at)?, text.get(at + 1..)?),
        None => (text, "*"),
    };
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'/' | b'@');
    (!name.is_empty() && name.bytes().all(plain)).then_some(())?;
    let range = nodejs_semver::Range::parse(range).ok()?;
    let fits = |software: &Software| {
        let version = software.version.as_deref();
        let version = version.and_then(|version| nodejs_semver::Version::parse(version).ok());
        version.map_or(at.is_none(), |version| version.satisfies(&range))
    };
    Some(installed.iter().any(|software| software.name == name && fits(software)))
}
