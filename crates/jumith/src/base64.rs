//! Strict base64.

use data_encoding::{BASE64, DecodeKind};

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
