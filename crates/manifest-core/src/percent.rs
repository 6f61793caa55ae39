//! Percent-encoding and decoding, for the URLs of registries.

use std::fmt::Write;

/// Encodes a text as one segment of a path: every byte except the unreserved ones of RFC
/// 3986.
pub fn encode_segment(text: &str) -> String {
    encode(text, |b| b.is_ascii_alphanumeric() || b"-._~".contains(&b))
}

/// Encodes a text like JavaScript's `encodeURIComponent`.
pub fn encode_component(text: &str) -> String {
    encode(text, |b| b.is_ascii_alphanumeric() || b"-._~!*'()".contains(&b))
}

/// Encodes a text as a value in a query, like an HTML form.
pub fn encode_form(text: &str) -> String {
    encode(text, |b| b.is_ascii_alphanumeric() || b"*-._ ".contains(&b)).replace(' ', "+")
}

fn encode(text: &str, plain: impl Fn(u8) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if plain(byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Decodes a text. Returns `None` if an escape is broken or the result is not UTF-8.
pub fn decode(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, tail)) = rest.split_first() {
        rest = tail;
        if *byte != b'%' {
            out.push(*byte);
            continue;
        }
        let (digits, tail) = rest.split_at_checked(2)?;
        let digits = std::str::from_utf8(digits).ok()?;
        // `from_str_radix` would accept a sign.
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        out.push(u8::from_str_radix(digits, 16).ok()?);
        rest = tail;
    }
    String::from_utf8(out).ok()
}

/// Returns the names and values of a query. A text that cannot be decoded keeps its
/// escapes.
pub fn query_pairs(query: &str) -> impl Iterator<Item = (String, String)> {
    query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decode_form(name), decode_form(value))
    })
}

fn decode_form(text: &str) -> String {
    let spaced = text.replace('+', " ");
    decode(&spaced).unwrap_or(spaced)
}
