//! Makes untrusted text safe to print.

use std::borrow::Cow;

use crate::{ByteSet, HiddenCharacter, secret};

/// Returns `text` in double quotes, cut to 64 bytes and safe to print: characters that a
/// terminal or a person could misread are escaped, and secrets are masked.
///
/// ```
/// assert_eq!(toolglot_diagnostic::quoted("a\u{1b}[2J"), r#""a\u{1b}[2J""#);
/// ```
pub fn quoted(text: &str) -> String {
    let masked = mask_start(text, 64);
    let mut out = String::with_capacity(masked.len().min(64) + 8);
    out.push('"');
    push_printable(&masked, 64, &mut out);
    out.push('"');
    out
}

/// Returns `text` cut to `limit` bytes, with unprintable characters escaped and secrets
/// masked.
pub fn printable(text: &str, limit: usize) -> String {
    let mut out = String::with_capacity(text.len().min(limit));
    push_printable(&mask_start(text, limit), limit, &mut out);
    out
}

/// Bytes beyond the cut that are searched, because the beginning of a secret does not
/// identify it.
const LOOKAHEAD_BYTES: usize = 1 << 10;

/// Returns enough of a text to be cut to `limit`, with its secrets masked.
fn mask_start(text: &str, limit: usize) -> Cow<'_, str> {
    let mut end = limit.saturating_add(LOOKAHEAD_BYTES).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    secret::mask(text.get(..end).unwrap_or(text))
}

fn push_printable(text: &str, limit: usize, out: &mut String) {
    if text.len() <= limit && text.bytes().all(|b| matches!(b, b' '..=b'~')) {
        out.push_str(text);
        return;
    }
    let start = out.len();
    for c in text.chars() {
        if out.len() - start >= limit {
            out.push('…');
            break;
        }
        if is_plain(c) {
            out.push(c);
        } else {
            out.extend(c.escape_unicode());
        }
    }
}

/// Returns true if every character of a text shows as itself.
pub fn is_plain_text(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' '..=b'~')) || text.chars().all(is_plain)
}

/// Returns true if a text contains a control character.
pub fn has_control(text: &str) -> bool {
    // In UTF-8, control characters beyond ASCII begin with 0xC2.
    static OTHERS: ByteSet = ByteSet::of(&[b' '..=b'~', 0x80..=0xC1, 0xC3..=0xFF]);
    !OTHERS.contains_all(text.as_bytes()) && text.chars().any(char::is_control)
}

/// Returns true if a character shows as itself: it is no control character, no
/// bidirectional override and not invisible.
pub fn is_plain(c: char) -> bool {
    !c.is_control() && HiddenCharacter::of(c).is_none()
}

/// Returns the candidate that is most similar to `word`, if it is close enough for `word`
/// to be a typing error.
///
/// ```
/// let names = ["description", "command"];
/// assert_eq!(toolglot_diagnostic::did_you_mean("descripton", names), Some("description"));
/// assert_eq!(toolglot_diagnostic::did_you_mean("zebra", names), None);
/// ```
pub fn did_you_mean<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    // A long word is never a misspelt name of ours, and the comparison is quadratic.
    if word.len() > 64 {
        return None;
    }
    let word = fold(word);
    let length = word.chars().count();
    let mut best = None;
    for candidate in candidates {
        let most = candidate.len().min(9) / 3;
        let folded = fold(candidate);
        // The distance is at least the difference of lengths, which excludes most
        // candidates.
        if folded.chars().count().abs_diff(length) > most {
            continue;
        }
        let distance = strsim::damerau_levenshtein(&word, &folded);
        if distance <= most && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    let (_, candidate) = best?;
    Some(candidate)
}

/// Removes differences that are no typing errors: case and separators.
fn fold(text: &str) -> String {
    text.to_lowercase().replace(['_', '-'], "")
}
