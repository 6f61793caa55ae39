//! Paths that are legal, but suspicious.

use super::forms::collision_key;

/// Something suspicious about a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PathFinding {
    /// A shell would expand it: `~`, `$HOME`, `%TEMP%`.
    Expansion,
    /// It looks like the short name that Windows gives to another file:
    /// `PROGRA~1`.
    ShortName,
    /// Other programs act on a file of this name: `.git/config`, `.npmrc`.
    Sensitive,
}

/// Names that configure other programs, or that contain secrets or code that other programs
/// run.
const SENSITIVE: [&str; 20] = [
    ".aws",
    ".bash_profile",
    ".bashrc",
    ".docker",
    ".env",
    ".git",
    ".gitattributes",
    ".gitconfig",
    ".github",
    ".gitmodules",
    ".netrc",
    ".npmrc",
    ".profile",
    ".pypirc",
    ".ssh",
    ".vscode",
    ".yarnrc",
    ".zshrc",
    "node_modules",
    "package.json",
];

/// Returns the suspicious properties of a path, each once.
///
/// Both slashes and backslashes count as separators.
/// [`check_portable`](super::check_portable) checks whether the path is legal.
///
/// ```
/// use toolglot_manifest_core::path::{PathFinding, findings};
///
/// assert_eq!(findings("a/.GIT/config"), [PathFinding::Sensitive]);
/// assert!(findings("dist/index.js").is_empty());
/// ```
pub fn findings(path: &str) -> Vec<PathFinding> {
    let segments = || path.split(['/', '\\']);
    let mut found = Vec::new();
    if path.starts_with('~') || path.contains(['$', '%']) {
        found.push(PathFinding::Expansion);
    }
    if segments().any(is_short_name) {
        found.push(PathFinding::ShortName);
    }
    if segments().any(is_sensitive) {
        found.push(PathFinding::Sensitive);
    }
    found
}

/// Returns true for at most eight characters: a name, a tilde and a number.
fn is_short_name(segment: &str) -> bool {
    let stem = segment.split('.').next().unwrap_or(segment);
    let Some((name, number)) = stem.rsplit_once('~') else {
        return false;
    };
    stem.len() <= 8
        && !name.is_empty()
        && !number.is_empty()
        && number.bytes().all(|b| b.is_ascii_digit())
}

fn is_sensitive(segment: &str) -> bool {
    let key = collision_key(segment);
    key.starts_with(".env.") || SENSITIVE.contains(&key.as_str())
}
