//! Percent-encoding, and its undoing: what addresses of registries are made of.

use std::fmt::Write;

/// A text as one segment of a path: every byte but RFC 3986's unreserved ones is
/// encoded.
pub fn segment(text: &str) -> String {
    encode(text, |b| b.is_ascii_alphanumeric() || b"-._~".contains(&b))
}

/// A text as JavaScript's `encodeURIComponent` writes it.
pub fn component(text: &str) -> String {
    encode(text, |b| b.is_ascii_alphanumeric() || b"-._~!*'()".contains(&b))
}

/// A text as a value in a query, as forms write it.
pub fn form(text: &str) -> String {
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

/// The text that was encoded, or nothing when it is not UTF-8 or an escape is
/// broken.
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
        // A sign is not a digit, but would be read as one.
        digits.bytes().all(|b| b.is_ascii_hexdigit()).then_some(())?;
        out.push(u8::from_str_radix(digits, 16).ok()?);
        rest = tail;
    }
    String::from_utf8(out).ok()
}

/// The pairs of a query. What is not UTF-8 is left as it is written.
pub fn pairs(query: &str) -> impl Iterator<Item = (String, String)> {
    let plain = |text: &str| {
        let spaced = text.replace('+', " ");
        decode(&spaced).unwrap_or(spaced)
    };
    query.split('&').filter(|pair| !pair.is_empty()).map(move |pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (plain(name), plain(value))
    })
}
