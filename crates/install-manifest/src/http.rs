//! Paths, headers and URLs of requests: the same rules for checks and for plans.

use manifest_core::{quoted, url};

/// Headers that change where a message goes or where it ends.
pub const RESERVED: &[&str] =
    &["host", "content-length", "transfer-encoding", "connection", "proxy-authorization", "cookie"];

/// Of those, the ones that a client must never take from others.
pub const FRAMING: &[&str] = &["host", "content-length", "transfer-encoding", "connection"];

/// Whether a text can be appended to a URL, and stay on its host.
pub fn is_path(path: &str) -> bool {
    let odd = |c: char| c == '\\' || c.is_control() || c.is_whitespace() || c == '#';
    path.starts_with('/') && !path.starts_with("//") && !path.contains(odd)
}

/// Whether a text can be the name of a header.
pub fn is_header_name(name: &str) -> bool {
    let token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    !name.is_empty() && name.bytes().all(token)
}

/// Whether a text can go out as the value of a header.
pub fn is_header_value(value: &str) -> bool {
    value.bytes().all(|b| matches!(b, b' '..=b'~' | b'\t')) && value.trim() == value
}

/// Whether a segment of a path means another one.
pub fn is_dot_segment(segment: &str) -> bool {
    let plain = segment.replace("%2e", ".").replace("%2E", ".");
    matches!(plain.as_str(), "." | "..")
}

/// A text with everything encoded that means something in a URL, or could.
pub fn percent_encode(text: &str) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).copied().map_or('0', char::from);
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    out
}

/// Why a text is not a URL that a request can be sent to.
pub fn check(text: &str) -> Result<url::HttpUrl<'_>, String> {
    if text.contains("${") {
        return Err(format!("{}: there are no templates in this URL", quoted(text)));
    }
    url::check_http(text).map_err(|error| format!("{}: {error}", quoted(text)))
}
