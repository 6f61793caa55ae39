//! Versions of runtimes and programs, which follow no common scheme.

use std::cmp::Ordering;

use super::host::Software;

/// A version as programs print it: numbers between dots, with an optional `v` before them.
/// Missing numbers count as zero, and text after the numbers is ignored.
#[derive(Clone, Debug)]
pub(super) struct LooseVersion(Vec<u64>);

impl LooseVersion {
    /// Parses a version. Returns `None` unless it begins with numbers.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix(['v', 'V']).unwrap_or(text);
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let mut numbers = Vec::new();
        for number in text.get(..end)?.trim_end_matches('.').split('.').take(8) {
            numbers.push(number.parse().ok()?);
        }
        Some(Self(numbers))
    }

    /// Returns true if this version begins with the numbers of `prefix`. Zeros at the end of
    /// `prefix` do not count, because `net8.0` is any 8.
    fn starts_with(&self, prefix: &Self) -> bool {
        let mut numbers = prefix.0.as_slice();
        if self.0.starts_with(numbers) {
            return true;
        }
        while let [kept @ .., 0] = numbers
            && !kept.is_empty()
        {
            numbers = kept;
        }
        numbers.len() < prefix.0.len() && self.0.starts_with(numbers)
    }
}

impl Software {
    /// Returns the version, if it is known and begins with numbers.
    pub(super) fn loose_version(&self) -> Option<LooseVersion> {
        LooseVersion::parse(self.version.as_deref()?)
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
        for index in 0..self.0.len().max(other.0.len()) {
            let [own, other] = [self, other].map(|version| version.0.get(index).unwrap_or(&0));
            if own != other {
                return own.cmp(other);
            }
        }
        Ordering::Equal
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
    let known_name = known.name.to_ascii_lowercase();
    let known_name = runtime_name(&known_name);
    if runtime_name(&wanted) == known_name {
        return true;
    }
    let Some(digit) = wanted.find(|c: char| c.is_ascii_digit()) else { return false };
    let (name, version) = wanted.split_at(digit);
    if runtime_name(name.trim_end_matches(['-', '@', ' '])) != known_name {
        return false;
    }
    match (known.loose_version(), LooseVersion::parse(version)) {
        (Some(known), Some(wanted)) => known.starts_with(&wanted),
        _ => false,
    }
}
