//! Masks secrets in texts.
//!
//! A finding must be precise, because people act on it. Masking may cover more. So a secret
//! is also masked inside a word, and in every spelling of our outputs: with the escapes of
//! JSON, of pointers and of URLs, and with invisible characters inside.

use std::borrow::Cow;
use std::ops::Range;

use super::finding::{Finding, is_hidden};
use super::runs::{MIN_RUN, Runs, find_dense};
use super::setting::{self, SETTINGS};
use super::shape;
use crate::Pointer;

/// Returns a text with asterisks for every secret that is recognised by the text alone. The
/// length in bytes stays the same.
///
/// ```
/// use toolglot_diagnostic::secret::mask;
///
/// assert_eq!(mask("redis://app:hunter2@db/0"), "redis://app:*******@db/0");
/// assert_eq!(mask("/urls/redis:~1~1app:hunter2@db"), "/urls/redis:~1~1app:*******@db");
/// assert_eq!(mask("redis://localhost"), "redis://localhost");
/// ```
pub fn mask(text: &str) -> Cow<'_, str> {
    mask_named("", text)
}

/// Like [`mask`], for a text about the value with that name or pointer. If the name
/// suggests a secret, random words are masked, too.
///
/// ```
/// use toolglot_diagnostic::secret::mask_named;
///
/// let said = "\"9fK2mQ8xV4nB7tR1wZ5y\" is new";
/// assert_eq!(mask_named("/env/API_KEY", said), "\"********************\" is new");
/// assert_eq!(mask_named("/env/BUILD", said), said);
/// ```
pub fn mask_named<'t>(name: &str, text: &'t str) -> Cow<'t, str> {
    if find_dense(text.as_bytes()).is_none()
        && !setting::may_hold_password(text)
        && !setting::may_hold(text)
    {
        return Cow::Borrowed(text);
    }
    let secretive = name.split('/').any(shape::is_secret_name);
    let mut out = Cow::Borrowed(text);
    overwrite(&mut out, &find_all(text, secretive));
    if let Some(reading) = DecodedText::of(&out) {
        let found = find_all(&reading.text, secretive);
        let places = found.iter().filter_map(|range| reading.original_range(range));
        let places: Vec<_> = places.collect();
        overwrite(&mut out, &places);
    }
    out
}

/// Returns the part of a pointer before the first name that contains a secret.
pub fn trim_pointer(pointer: Pointer) -> Pointer {
    if matches!(mask(pointer.as_str()), Cow::Borrowed(_)) {
        return pointer;
    }
    let mut plain = Pointer::root();
    for token in pointer.tokens() {
        if matches!(mask(&token), Cow::Owned(_)) {
            break;
        }
        plain = plain.push(&token);
    }
    plain
}

/// Overwrites parts of a text with asterisks.
pub(super) fn overwrite(text: &mut Cow<'_, str>, parts: &[Range<usize>]) {
    for part in parts {
        // Extend the part to whole characters.
        let (mut start, mut end) = (part.start.min(text.len()), part.end.min(text.len()));
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        while !text.is_char_boundary(end) {
            end += 1;
        }
        if start < end {
            text.to_mut().replace_range(start..end, &"*".repeat(end - start));
        }
    }
}

/// Returns the ranges of secrets in a text as written. They may overlap.
fn find_all(text: &str, secretive: bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    find_each(text, &shape::find_url_password, &mut found);
    if setting::may_hold(text) {
        for setting in &SETTINGS {
            find_each(text, &|text| setting.find(text), &mut found);
        }
    }
    if Runs::of(text.as_bytes()).any_suspect() {
        find_each(text, &|text| shape::find_shape(text, true), &mut found);
        find_each(text, &shape::find_assigned, &mut found);
        find_each(text, &shape::find_flag_value, &mut found);
        if secretive {
            find_each(text, &find_random_word, &mut found);
        }
    }
    found
}

/// Adds the ranges of all secrets that a search finds, one after the other.
fn find_each(text: &str, search: &dyn Fn(&str) -> Option<Finding>, found: &mut Vec<Range<usize>>) {
    let mut from = 0;
    while let Some(rest) = text.get(from..)
        && let Some(finding) = search(rest)
        && !finding.range.is_empty()
    {
        let end = from + secret_end(rest, &finding);
        found.push(from + finding.range.start..end);
        from = end;
    }
}

/// Returns the end of a secret. The pattern for a private key matches only its beginning.
fn secret_end(text: &str, finding: &Finding) -> usize {
    let end = finding.range.end;
    if finding.kind != shape::PRIVATE_KEY {
        return end;
    }
    let rest = text.get(end..).unwrap_or("");
    let is_other =
        |c: char| !(c.is_ascii_alphanumeric() || c.is_whitespace() || "+/=\\".contains(c));
    end + rest.find(is_other).unwrap_or(rest.len())
}

fn find_random_word(text: &str) -> Option<Finding> {
    let between = |c: char| c.is_whitespace() || "\"'`,;()".contains(c);
    let mut start = 0;
    for word in text.split_inclusive(between) {
        let bare = word.trim_end_matches(between);
        if bare.len() >= MIN_RUN && shape::is_random(bare) {
            return Some(Finding { kind: "a random value", range: start..start + bare.len() });
        }
        start += word.len();
    }
    None
}

/// A text with its escapes resolved and its invisible characters removed.
struct DecodedText {
    text: String,
    /// The offset of each byte in the original text, followed by that text's length.
    offsets: Vec<usize>,
}

impl DecodedText {
    /// Returns `None` if the text has neither escapes nor characters beyond ASCII.
    fn of(text: &str) -> Option<Self> {
        if text.bytes().all(|b| b.is_ascii() && !matches!(b, b'\\' | b'~' | b'%')) {
            return None;
        }
        let mut reading = Self {
            text: String::with_capacity(text.len()),
            offsets: Vec::with_capacity(text.len()),
        };
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let (read, length) = decode_char(rest);
            if let Some(c) = read
                && !is_hidden(c)
            {
                reading.text.push(c);
                reading.offsets.resize(reading.text.len(), at);
            }
            at += length.max(1);
        }
        reading.offsets.push(text.len());
        Some(reading)
    }

    fn original_range(&self, range: &Range<usize>) -> Option<Range<usize>> {
        Some(*self.offsets.get(range.start)?..*self.offsets.get(range.end)?)
    }
}

/// Decodes the first character of a text. Returns it with the number of bytes that spell
/// it.
fn decode_char(text: &str) -> (Option<char>, usize) {
    let first = text.chars().next();
    let plain = (first, first.map_or(0, char::len_utf8));
    match first {
        Some('~') => match text.as_bytes().get(1) {
            Some(b'1') => (Some('/'), 2),
            Some(b'0') => (Some('~'), 2),
            _ => plain,
        },
        Some('%') => match parse_hex(text.get(1..3)) {
            Some(code @ ..0x80) => (char::from_u32(code), 3),
            _ => plain,
        },
        Some('\\') => {
            // In a text inside a text, escapes are escaped again.
            let rest = text.trim_start_matches('\\');
            let slashes = text.len() - rest.len();
            let Some(c) = rest.chars().next() else { return (None, slashes) };
            if c != 'u' {
                let read = if "nrtbf".contains(c) { '\n' } else { c };
                return (Some(read), slashes + c.len_utf8());
            }
            match decode_unicode_escape(rest) {
                // A lone surrogate occurs in no secret.
                (Some(code), length) => {
                    (char::from_u32(code).or(Some('\u{fffd}')), slashes + length)
                }
                (None, _) => (Some('u'), slashes + 1),
            }
        }
        _ => plain,
    }
}

/// Decodes `u1234` or `u{12}`. Returns the code with the number of bytes that spell it.
fn decode_unicode_escape(text: &str) -> (Option<u32>, usize) {
    if let Some(inside) = text.strip_prefix("u{") {
        let digits = inside.bytes().take(7).take_while(|b| *b != b'}').count();
        if digits < 7 {
            return (parse_hex(inside.get(..digits)), digits + 3);
        }
    }
    (parse_hex(text.get(1..5)), 5)
}

fn parse_hex(digits: Option<&str>) -> Option<u32> {
    let digits = digits?;
    // `from_str_radix` would accept a sign.
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(digits, 16).ok()
}
