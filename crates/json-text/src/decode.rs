//! Decodes and encodes JSON strings.

use std::borrow::Cow;
use std::fmt::Write;

use diagnostic::Span;

/// Returns the value of a string token, quotes included. The token must be valid JSON.
#[inline]
pub(super) fn decode_string(token: &str, escaped: bool) -> Cow<'_, str> {
    let inner = Span { start: 1, end: token.len().saturating_sub(1) }.slice(token);
    if escaped && inner.contains('\\') { Cow::Owned(unescape(inner)) } else { Cow::Borrowed(inner) }
}

/// Returns the value of a JSON string that was parsed before. `token` includes the quotes.
///
/// ```
/// assert_eq!(toolglot_json_text::unquote(r#""a\u0062""#), "ab");
/// ```
pub fn unquote(token: &str) -> Cow<'_, str> {
    decode_string(token, true)
}

fn unescape(inner: &str) -> String {
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some((plain, tail)) = rest.split_once('\\') {
        out.push_str(plain);
        let mut chars = tail.chars();
        let c = chars.next().unwrap_or('\\');
        rest = chars.as_str();
        match c {
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'u' => rest = decode_unicode(rest, &mut out),
            other => out.push(other),
        }
    }
    out.push_str(rest);
    out
}

/// Decodes the digits after `\u`, and a second escape if both form a surrogate pair. Returns
/// the text after them. Other escapes than those of valid JSON become U+FFFD.
fn decode_unicode<'t>(text: &'t str, out: &mut String) -> &'t str {
    let Some((high, rest)) = split_hex4(text) else {
        out.push(char::REPLACEMENT_CHARACTER);
        return text;
    };
    if !(0xD800..0xDC00).contains(&high) {
        out.push(char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER));
        return rest;
    }
    let Some((low, after)) = rest.strip_prefix("\\u").and_then(split_hex4) else {
        out.push(char::REPLACEMENT_CHARACTER);
        return rest;
    };
    let pair = 0x10000 + ((high - 0xD800) << 10) + (low & 0x3FF);
    out.push(char::from_u32(pair).unwrap_or(char::REPLACEMENT_CHARACTER));
    after
}

/// Splits four hexadecimal digits off a text.
fn split_hex4(text: &str) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_at_checked(4)?;
    Some((parse_hex4(digits.as_bytes())?, rest))
}

/// Parses four hexadecimal digits.
pub(super) fn parse_hex4(bytes: &[u8]) -> Option<u32> {
    let digits = bytes.first_chunk::<4>()?;
    digits
        .iter()
        .try_fold(0, |value, &byte| char::from(byte).to_digit(16).map(|digit| value * 16 + digit))
}

/// Returns `text` as a JSON string with its quotes, escaping only where JSON requires it.
///
/// ```
/// assert_eq!(toolglot_json_text::quote("a\"\n"), r#""a\"\n""#);
/// ```
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    quote_into(text, &mut out);
    out
}

/// Appends `text` as a JSON string.
pub fn quote_into(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    let special = |b: u8| b == b'"' || b == b'\\' || b < 0x20;
    while let Some(at) = rest.bytes().position(special) {
        let (plain, tail) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(plain);
        let mut chars = tail.chars();
        match chars.next() {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            // Writing to a string does not fail.
            other => drop(write!(out, "\\u{:04x}", other.map_or(0, u32::from))),
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}
