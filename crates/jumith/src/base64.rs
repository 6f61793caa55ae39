//! Base64: strict, and as Node decodes it.

use data_encoding::{BASE64, BASE64_NOPAD, DecodeKind};

pub(crate) fn encode(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

/// Decodes the standard alphabet with padding. Fails with a message for people.
pub(crate) fn decode(text: &str) -> Result<Vec<u8>, String> {
    // The decoder accepts several concatenated texts. Only one is allowed here, so padding
    // must be at the end.
    if let Some(at) = text.find('=').filter(|at| at + 2 < text.len()) {
        return Err(format!("the padding is wrong, at byte {at}"));
    }
    BASE64.decode(text.as_bytes()).map_err(|error| {
        let what = match error.kind {
            DecodeKind::Length => "the length is not a multiple of four characters",
            DecodeKind::Symbol => "a character is not in the standard alphabet",
            DecodeKind::Trailing => "bits are left over at the end",
            DecodeKind::Padding => "the padding is wrong",
        };
        format!("{what}, at byte {}", error.position)
    })
}

/// Decodes like Node: accepts both alphabets, skips other characters, and stops at the
/// first padding.
pub(crate) fn decode_like_node(text: &str) -> Vec<u8> {
    let symbols = text.bytes().take_while(|byte| *byte != b'=').filter_map(|byte| match byte {
        b'-' => Some(b'+'),
        b'_' => Some(b'/'),
        b'+' | b'/' => Some(byte),
        byte => byte.is_ascii_alphanumeric().then_some(byte),
    });
    let mut symbols: Vec<u8> = symbols.collect();
    // A single symbol is less than a byte.
    if symbols.len() % 4 == 1 {
        symbols.pop();
    }
    // Clears the bits that do not fill a byte.
    let keep = match symbols.len() % 4 {
        2 => 0b11_0000,
        3 => 0b11_1100,
        _ => 0b11_1111,
    };
    if let Some(last) = symbols.last_mut() {
        const ALPHABET: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let value = ALPHABET.iter().position(|symbol| symbol == last).unwrap_or(0) & keep;
        *last = ALPHABET.get(value).copied().unwrap_or(b'A');
    }
    BASE64_NOPAD.decode(&symbols).unwrap_or_default()
}
