//! Exact versions.

use semver::Version;

const MAX_BYTES: usize = 256;

/// Why a text is not an exact version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VersionError {
    /// It stands for many versions: `^1.0.0`, `1.x`, `latest`.
    #[error("a range of versions where one exact version is needed")]
    Range,
    /// It is a version with a number above 2⁶⁴ − 1.
    #[error("a version with a number that is too large")]
    Overflow,
    /// It is longer than 256 bytes.
    #[error("a version longer than 256 bytes")]
    TooLong,
    /// It is not a version by the rules of `SemVer` 2.0.0.
    #[error("not a version such as 1.2.3 or 1.2.3-beta.1+build")]
    Syntax,
}

/// Reads one exact version by the rules of `SemVer` 2.0.0.
///
/// ```
/// use manifest_core::version::{VersionError, parse_exact};
///
/// assert_eq!(parse_exact("1.2.3-beta.1")?.minor, 2);
/// assert_eq!(parse_exact("^1.2.3"), Err(VersionError::Range));
/// assert_eq!(parse_exact("v1.2.3"), Err(VersionError::Syntax));
/// # Ok::<(), VersionError>(())
/// ```
pub fn parse_exact(text: &str) -> Result<Version, VersionError> {
    if let Some(version) = plain(text) {
        return Ok(version);
    }
    if text.len() > MAX_BYTES {
        return Err(VersionError::TooLong);
    }
    Version::parse(text).map_err(|_| {
        if is_range(text) {
            VersionError::Range
        } else if overflows(text) {
            VersionError::Overflow
        } else {
            VersionError::Syntax
        }
    })
}

/// A version of the kind that most are: three short numbers.
fn plain(text: &str) -> Option<Version> {
    let mut parts = text.as_bytes().split(|b| *b == b'.').map(|part| {
        let zero = part.len() > 1 && part.first() == Some(&b'0');
        let short = (1..=9).contains(&part.len()) && !zero && part.iter().all(u8::is_ascii_digit);
        short.then(|| part.iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0')))
    });
    let [major, minor, patch] = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then(|| Version::new(major, minor, patch))
}

/// Whether the text is written the way that package managers write ranges.
fn is_range(text: &str) -> bool {
    let core = text.split(['-', '+']).next().unwrap_or(text);
    text == "latest"
        || text.starts_with(['^', '~', '<', '>'])
        || text.contains("||")
        || text.contains(" - ")
        || core.split('.').any(|part| matches!(part, "x" | "X" | "*"))
}

/// Whether the text would be a version, if its numbers could be any size.
fn overflows(text: &str) -> bool {
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let (core, suffix) = text.split_at(end);
    let is_number = |part: &str| {
        part.bytes().all(|b| b.is_ascii_digit()) && (part == "0" || !part.starts_with(['0']))
    };
    core.split('.').count() == 3
        && core.split('.').all(|part| !part.is_empty() && is_number(part))
        && Version::parse(&format!("0.0.0{suffix}")).is_ok()
}
