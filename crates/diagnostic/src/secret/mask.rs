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
/// use diagnostic::secret::mask;
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
/// use diagnostic::secret::mask_named;
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
        let places =
            found.iter().filter_map(|range| reading.original_range(range)).collect::<Vec<_>>();
        overwrite(&mut out, &places);
    }
    out
}

/// Returns the part of a pointer before the first name that contains a secret.
pub fn trim_pointer(pointer: Pointer) -> Pointer {
    if matches!(mask(pointer.as_str()), Cow::Borrowed(_)) {
        return pointer;
    }
    let is_plain = |token: &Cow<'_, str>| matches!(mask(token), Cow::Borrowed(_));
    let plain = pointer.tokens().take_while(is_plain);
    plain.fold(Pointer::root(), |pointer, token| pointer.push(&token))
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
    let mut all = |next: &dyn Fn(&str) -> Option<Finding>| {
        let mut from = 0;
        while let Some(rest) = text.get(from..)
            && let Some(finding) = next(rest).filter(|finding| !finding.range.is_empty())
        {
            let end = from + secret_end(rest, &finding);
            found.push(from + finding.range.start..end);
            from = end;
        }
    };
    all(&shape::find_url_password);
    if setting::may_hold(text) {
        for setting in &SETTINGS {
            all(&|text| setting.find(text));
        }
    }
    if Runs::of(text.as_bytes()).any_suspect() {
        all(&|text| shape::find_shape(text, true));
        all(&shape::find_assigned);
        all(&shape::find_flag_value);
        if secretive {
            all(&find_random_word);
        }
    }
    found
}

/// Returns the end of a secret. The pattern for a private key matches only its beginning.
fn secret_end(text: &str, finding: &Finding) -> usize {
    let end = finding.range.end;
    if finding.kind != shape::PRIVATE_KEY {
        return end;
    }
    let rest = text.get(end..).unwrap_or_default();
    let key = |c: char| c.is_ascii_alphanumeric() || c.is_whitespace() || "+/=\\".contains(c);
    end + rest.find(|c| !key(c)).unwrap_or(rest.len())
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
            if let Some(c) = read.filter(|c| !is_hidden(*c)) {
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
    let hex = |digits: Option<&str>| {
        let digits = digits.filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        digits.and_then(|digits| u32::from_str_radix(digits, 16).ok())
    };
    match first {
        Some('~') => match text.as_bytes().get(1) {
            Some(b'1') => (Some('/'), 2),
            Some(b'0') => (Some('~'), 2),
            _ => plain,
        },
        Some('%') => match hex(text.get(1..3)).and_then(char::from_u32).filter(char::is_ascii) {
            Some(c) => (Some(c), 3),
            None => plain,
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
            let inside = rest.strip_prefix("u{");
            let digits =
                inside.map(|inside| inside.bytes().take(7).take_while(|b| *b != b'}').count());
            let (code, length) = match inside.zip(digits.filter(|digits| *digits < 7)) {
                Some((inside, digits)) => (hex(inside.get(..digits)), digits + 3),
                None => (hex(rest.get(1..5)), 5),
            };
            match code {
                // A lone surrogate occurs in no secret.
                Some(code) => (char::from_u32(code).or(Some('\u{fffd}')), slashes + length),
                None => (Some('u'), slashes + 1),
            }
        }
        _ => plain,
    }
}
