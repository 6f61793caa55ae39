//! Versions of runtimes and programs, which follow no common scheme.

use std::cmp::Ordering;

use super::host::Software;

/// A version as programs print it: numbers between dots, with an optional `v` before them.
/// Missing numbers count as zero, and text after the numbers is ignored.
///
/// ```
/// use mcpkg::select::LooseVersion;
///
/// let version = |text| LooseVersion::parse(text).unwrap();
/// assert!(version("v20.11.1") > version("18.0.0"));
/// assert!(version("3.11") == version("3.11.0"));
/// assert!(LooseVersion::parse("latest").is_none());
/// ```
#[derive(Clone, Debug)]
pub struct LooseVersion(Vec<u64>);

impl LooseVersion {
    /// Parses a version. Returns `None` unless it begins with numbers.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix(['v', 'V']).unwrap_or(text);
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let numbers = text.get(..end)?.trim_end_matches('.').split('.').take(8);
        numbers.map(|number| number.parse().ok()).collect::<Option<_>>().map(Self)
    }

    /// Returns true if this version begins with the numbers of `prefix`.
    fn starts_with(&self, prefix: &Self) -> bool {
        self.0.starts_with(&prefix.0)
    }
}

impl PartialEq for LooseVersion {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for LooseVersion {}

impl PartialOrd for LooseVersion {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for LooseVersion {
    fn cmp(&self, other: &Self) -> Ordering {
        let length = self.0.len().max(other.0.len());
        let padded = |version: &Self| {
            version.0.iter().copied().chain(std::iter::repeat(0)).take(length).collect::<Vec<_>>()
        };
        padded(self).cmp(&padded(other))
    }
}

/// Returns the canonical name of a runtime.
pub(super) fn runtime_name(name: &str) -> &str {
    match name {
        "nodejs" | "node.js" | "javascript" => "node",
        "net" | "netcoreapp" | "netcore" | ".net" => "dotnet",
        "cpython" | "py" => "python",
        "jre" | "jdk" => "java",
        name => name,
    }
}

/// Returns true if `known` is the runtime that an implementation names, for example `node`,
/// `python3.11` or `net8.0`. If a version is named, the known one must begin with it.
pub(super) fn is_runtime(wanted: &str, known: &Software) -> bool {
    let wanted = wanted.to_ascii_lowercase();
    let same = |name: &str| runtime_name(name) == runtime_name(&known.name.to_ascii_lowercase());
    if same(&wanted) {
        return true;
    }
    let digit = wanted.find(|c: char| c.is_ascii_digit()).unwrap_or(wanted.len());
    let (name, version) = wanted.split_at_checked(digit).unwrap_or_default();
    let known_version = known.version.as_deref().and_then(LooseVersion::parse);
    same(name.trim_end_matches(['-', '@', ' ']))
        && LooseVersion::parse(version).zip(known_version).is_some_and(|(wanted, known)| {
            known.starts_with(&wanted)
                || (wanted.0.ends_with(&[0]) && known.starts_with(&without_trailing_zeros(&wanted)))
        })
}

/// Removes the zeros at the end, because `net8.0` is any 8.
fn without_trailing_zeros(version: &LooseVersion) -> LooseVersion {
    let kept = version.0.iter().rposition(|number| *number != 0).map_or(1, |last| last + 1);
    LooseVersion(version.0.iter().copied().take(kept).collect())
}
