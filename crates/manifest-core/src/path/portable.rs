//! Paths that name the same, harmless file on every platform.

use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::forms::{PathStyle, is_absolute};
use crate::Limits;
use diagnostic::{ByteSet, HiddenCharacter, is_ignorable};

/// Bounds on the length of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathLimits {
    /// Bytes in a path.
    pub bytes: usize,
    /// Bytes in one segment.
    pub segment_bytes: usize,
    /// Segments in a path.
    pub segments: usize,
}

impl Default for PathLimits {
    fn default() -> Self {
        Self { bytes: 1024, segment_bytes: 255, segments: 32 }
    }
}

impl From<&Limits> for PathLimits {
    fn from(limits: &Limits) -> Self {
        Self {
            bytes: limits.path_bytes,
            segment_bytes: limits.path_segment_bytes,
            segments: limits.path_segments,
        }
    }
}

/// The reason why a path is not portable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// The path is empty or consists of spaces.
    #[error("the path is empty")]
    Empty,
    /// The path does not start from the directory that it belongs to.
    #[error("the path is absolute")]
    Absolute,
    /// The path contains a backslash, which is a separator only on Windows.
    #[error("the path has a backslash at byte {offset}")]
    Separator {
        /// Its offset in bytes.
        offset: usize,
    },
    /// The path contains a `..` segment, or names the directory itself.
    #[error("the path does not lead to a file inside its directory")]
    Traversal,
    /// The path contains an empty segment or a `.` segment, or ends with a slash.
    #[error("the path has an empty segment or a '.' segment")]
    NonCanonical,
    /// The path contains a character that some platform forbids, expands or hides.
    #[error("the path has the character U+{:04X} at byte {offset}", u32::from(*character))]
    Character {
        /// The character.
        character: char,
        /// Its offset in bytes.
        offset: usize,
    },
    /// A segment ends in a dot or a space, or begins with a space. Windows
    /// drops these.
    #[error("a segment of the path ends in a dot, or begins or ends with a space")]
    TrailingDotOrSpace,
    /// A segment is the name of a Windows device, such as `NUL` or `com1.txt`.
    #[error("a segment of the path is a Windows device")]
    Reserved,
    /// The text is not in Unicode's NFC form, or contains characters that a file system or
    /// a reader may take for a different path.
    #[error("the path is not in Unicode normal form, or looks like another path")]
    Normalization,
    /// The path or one of its segments is too long, or it has too many segments.
    #[error("the path is too long or too deep")]
    TooLong,
}

/// Checks that a path is relative, and safe to create on every platform.
///
/// ```
/// use toolglot_manifest_core::path::{PathError, PathLimits, check_portable};
///
/// let limits = PathLimits::default();
/// assert_eq!(check_portable("dist/index.js", &limits), Ok(()));
/// assert_eq!(check_portable("a/../b", &limits), Err(PathError::Traversal));
/// assert_eq!(check_portable("aux/x", &limits), Err(PathError::Reserved));
/// ```
pub fn check_portable(path: &str, limits: &PathLimits) -> Result<(), PathError> {
    if path.len() > limits.bytes {
        return Err(PathError::TooLong);
    }
    if is_simple(path, limits) {
        return Ok(());
    }
    if path.trim_matches(' ').is_empty() {
        return Err(PathError::Empty);
    }
    if path.starts_with('/') || is_absolute(path, PathStyle::Windows) {
        return Err(PathError::Absolute);
    }
    check_text(path)?;
    if path.split('/').count() > limits.segments
        || path.split('/').any(|s| s.len() > limits.segment_bytes)
    {
        return Err(PathError::TooLong);
    }
    check_normalization(path)
}

/// The bytes that begin and end the segments of most paths.
static SEGMENT_EDGE: ByteSet =
    ByteSet::of(&[b'0'..=b'9', b'A'..=b'Z', b'a'..=b'z', b'_'..=b'_', b'-'..=b'-']);
/// The bytes inside these segments.
static SEGMENT_INNER: ByteSet =
    ByteSet::of(&[b'0'..=b'9', b'A'..=b'Z', b'a'..=b'z', b'_'..=b'_', b'-'..=b'.']);

/// Returns true for the most common form of path: ASCII letters, digits, `_` and `-`, with
/// dots inside segments, and no segment that could be a device. Such a path needs no
/// further check.
fn is_simple(path: &str, limits: &PathLimits) -> bool {
    let (mut rest, mut count) = (path.as_bytes(), 0);
    loop {
        let (segment, after) = rest.split_at(SEGMENT_INNER.prefix_len(rest));
        let (Some(first), Some(last)) = (segment.first(), segment.last()) else { return false };
        count += 1;
        if !SEGMENT_EDGE.contains(*first)
            || !SEGMENT_EDGE.contains(*last)
            || segment.len() > limits.segment_bytes
            || count > limits.segments
            || may_be_device(segment)
        {
            return false;
        }
        match after {
            [] => return true,
            [b'/', next @ ..] => rest = next,
            _ => return false,
        }
    }
}

/// Checks characters and segments.
fn check_text(path: &str) -> Result<(), PathError> {
    for (offset, character) in path.char_indices() {
        if character == '\\' {
            return Err(PathError::Separator { offset });
        }
        if is_forbidden(character) {
            return Err(PathError::Character { character, offset });
        }
    }
    if matches!(path, "." | "./") || path.split('/').any(|segment| segment == "..") {
        return Err(PathError::Traversal);
    }
    for segment in path.split('/') {
        if matches!(segment, "" | ".") {
            return Err(PathError::NonCanonical);
        }
        if segment.starts_with(' ') || segment.ends_with(['.', ' ']) {
            return Err(PathError::TrailingDotOrSpace);
        }
        if is_device(segment) {
            return Err(PathError::Reserved);
        }
    }
    Ok(())
}

fn check_normalization(path: &str) -> Result<(), PathError> {
    if path.is_ascii() {
        return Ok(());
    }
    // Characters that look like slashes and backslashes. NFKC leaves them unchanged.
    let look_alikes = ['\u{2044}', '\u{2215}', '\u{2216}', '\u{29F5}', '\u{29F8}', '\u{29F9}'];
    // Some systems compare file names in this form, so it must be safe too.
    let folded: String = path.nfkc().collect();
    let safe = is_nfc(path)
        && !folded.contains(look_alikes)
        && folded.matches('/').count() == path.matches('/').count()
        && check_text(&folded).is_ok();
    if safe { Ok(()) } else { Err(PathError::Normalization) }
}

fn is_forbidden(c: char) -> bool {
    let on_windows = matches!(c, ':' | '*' | '?' | '"' | '<' | '>' | '|');
    let is_line_break = HiddenCharacter::of(c) == Some(HiddenCharacter::LineBreak);
    on_windows || c == '%' || c.is_control() || is_line_break || is_ignorable(c)
}

/// Returns true if Windows opens a device instead of a file of this name. It ignores
/// extensions.
fn is_device(segment: &str) -> bool {
    if !may_be_device(segment.as_bytes()) {
        return false;
    }
    let stem = segment.split('.').next().unwrap_or(segment);
    let name = stem.trim_end_matches(' ');
    if !(3..=7).contains(&name.len()) {
        return false;
    }
    let devices = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"];
    if devices.iter().any(|device| name.eq_ignore_ascii_case(device)) {
        return true;
    }
    // COM and LPT with one digit, which may be a superscript.
    let Some((port, number)) = name.split_at_checked(3) else { return false };
    let mut digits = number.chars();
    (port.eq_ignore_ascii_case("COM") || port.eq_ignore_ascii_case("LPT"))
        && digits.next().is_some_and(|c| "0123456789¹²³".contains(c))
        && digits.next().is_none()
}

/// Returns true if a name begins like that of a device: `CON`, `PRN`, `AUX`, `NUL`,
/// `CLOCK$`, `COM` and `LPT`.
fn may_be_device(name: &[u8]) -> bool {
    let [first, second, ..] = name else { return false };
    matches!(
        [first.to_ascii_uppercase(), second.to_ascii_uppercase()],
        [b'C', b'O' | b'L'] | [b'A' | b'N', b'U'] | [b'P', b'R'] | [b'L', b'P']
    )
}
