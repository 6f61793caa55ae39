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

/// The beginnings of the names of languages and runtimes.
const PREFIXES: [(&str, Ecosystem); 6] = [
    ("python", Ecosystem::Python),
    ("cpython", Ecosystem::Python),
    ("node", Ecosystem::Node),
    ("javascript", Ecosystem::Node),
    ("typescript", Ecosystem::Node),
    ("js", Ecosystem::Node),
];

impl Ecosystem {
    /// Returns the ecosystem of an implementation, by its language or its runtime.
    pub(super) fn of(implementation: &Implementation<'_>) -> Option<Self> {
        for word in [&implementation.language, &implementation.runtime].into_iter().flatten() {
            let word = word.to_ascii_lowercase();
            for (prefix, ecosystem) in PREFIXES {
                if word.starts_with(prefix) {
                    return Some(ecosystem);
                }
            }
        }
        None
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
    if !is_name {
        return None;
    }
    let ranges = pep440_rs::VersionSpecifiers::from_str(ranges).ok()?;
    let name = normalize_name(name);
    for software in installed {
        if normalize_name(&software.name) != name {
            continue;
        }
        let version = match &software.version {
            Some(text) if text.len() <= MAX_BYTES => pep440_rs::Version::from_str(text).ok(),
            _ => None,
        };
        // An unknown version meets only a requirement without ranges.
        let fits = match version {
            Some(version) => ranges.contains(&version),
            None => ranges.is_empty(),
        };
        if fits {
            return Some(true);
        }
    }
    Some(false)
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
    let is_plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./@".contains(&b));
    if name.is_empty() || !is_plain {
        return None;
    }
    let range = nodejs_semver::Range::parse(range).ok()?;
    for software in installed {
        if software.name != name {
            continue;
        }
        let version = software.version.as_deref().map(nodejs_semver::Version::parse);
        let fits = match version {
            Some(Ok(version)) => version.satisfies(&range),
            // An unknown version meets only a requirement without a range.
            Some(Err(_)) | None => at.is_none(),
        };
        if fits {
            return Some(true);
        }
    }
    Some(false)
}
