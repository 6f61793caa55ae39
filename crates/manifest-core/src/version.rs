//! Exact versions.

use diagnostic::{Diagnostic, quoted};
use json_text::{Node, quote};
use semver::Version;

const MAX_BYTES: usize = 256;

/// The reason why a text is not an exact version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VersionError {
    /// The text matches many versions: `^1.0.0`, `1.x`, `latest`.
    #[error("a range of versions where one exact version is needed")]
    Range,
    /// A number of the version is above 2⁶⁴ − 1.
    #[error("a version with a number that is too large")]
    Overflow,
    /// The text is longer than 256 bytes.
    #[error("a version longer than 256 bytes")]
    TooLong,
    /// The text is not a version by the rules of `SemVer` 2.0.0.
    #[error("not a version such as 1.2.3 or 1.2.3-beta.1+build")]
    Syntax,
}

/// Parses one exact version by the rules of `SemVer` 2.0.0.
///
/// ```
/// use toolglot_manifest_core::version::{VersionError, parse_exact};
///
/// assert_eq!(parse_exact("1.2.3-beta.1")?.minor, 2);
/// assert_eq!(parse_exact("^1.2.3"), Err(VersionError::Range));
/// assert_eq!(parse_exact("v1.2.3"), Err(VersionError::Syntax));
/// # Ok::<(), VersionError>(())
/// ```
pub fn parse_exact(text: &str) -> Result<Version, VersionError> {
    if let Some(version) = parse_simple(text) {
        return Ok(version);
    }
    if text.len() > MAX_BYTES {
        return Err(VersionError::TooLong);
    }
    match Version::parse(text) {
        Ok(version) => Ok(version),
        Err(_) if is_range(text) => Err(VersionError::Range),
        Err(_) if overflows(text) => Err(VersionError::Overflow),
        Err(_) => Err(VersionError::Syntax),
    }
}

/// Returns the exact version that a misspelt one means. It may have a `v` or `=` before it,
/// white space around it, or fewer than three numbers. Returns `None` if the text is exact
/// or has other errors.
///
/// ```
/// use toolglot_manifest_core::version::suggest_exact;
///
/// assert_eq!(suggest_exact(" v1.2 ").as_deref(), Some("1.2.0"));
/// assert_eq!(suggest_exact("1.x"), None);
/// ```
pub fn suggest_exact(text: &str) -> Option<String> {
    let bare = text.trim().trim_start_matches(['v', 'V', '=']);
    let (numbers, rest) = bare.split_at(bare.find(['-', '+']).unwrap_or(bare.len()));
    let missing = 3_usize.checked_sub(numbers.split('.').count())?;
    let version = [numbers, &".0".repeat(missing), rest].concat();
    if version != text && parse_exact(&version).is_ok() { Some(version) } else { None }
}

/// Adds a fix to a diagnostic of an invalid version, if the exact version is clear.
pub fn with_version_fix(found: Diagnostic, node: Node<'_>) -> Diagnostic {
    let Some(text) = node.text() else { return found };
    let Some(meant) = suggest_exact(&text) else { return found };
    found.help(format!("write {}", quoted(&meant))).fix(node.span(), quote(&meant))
}

/// Parses the most common form of version: three short numbers.
fn parse_simple(text: &str) -> Option<Version> {
    let (major, rest) = short_number(text.as_bytes())?;
    let (minor, rest) = short_number(rest.strip_prefix(b".")?)?;
    let (patch, rest) = short_number(rest.strip_prefix(b".")?)?;
    if rest.is_empty() { Some(Version::new(major, minor, patch)) } else { None }
}

/// Splits a text after the number of up to nine digits that it begins with.
fn short_number(text: &[u8]) -> Option<(u64, &[u8])> {
    let (mut number, mut rest) = (0_u64, text);
    while let [digit @ b'0'..=b'9', tail @ ..] = rest {
        // A longer number may wrap, and is refused below.
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
        rest = tail;
    }
    let length = text.len() - rest.len();
    let has_leading_zero = length > 1 && text.first() == Some(&b'0');
    if (1..=9).contains(&length) && !has_leading_zero { Some((number, rest)) } else { None }
}

/// Returns true if the text is written like a version range of a package manager.
fn is_range(text: &str) -> bool {
    let core = text.split(['-', '+']).next().unwrap_or(text);
    text == "latest"
        || text.starts_with(['^', '~', '<', '>'])
        || text.contains("||")
        || text.contains(" - ")
        || core.split('.').any(|part| matches!(part, "x" | "X" | "*"))
}

/// Returns true if the text would be a version with numbers of any size.
fn overflows(text: &str) -> bool {
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let (core, suffix) = text.split_at(end);
    let is_number = |part: &str| match part.as_bytes() {
        [b'0'] => true,
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    core.split('.').count() == 3
        && core.split('.').all(is_number)
        && Version::parse(&format!("0.0.0{suffix}")).is_ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The short cut agrees with the full check.
        #[test]
        fn plain_versions_are_versions(text in "[0-9]{0,11}[.]?[0-9]{0,2}[.]?(0|[0-9]{0,3})[.+-]?[0-9]?") {
            if let Some(version) = parse_simple(&text) {
                prop_assert_eq!(Version::parse(&text).ok(), Some(version));
            }
        }
    }
}
