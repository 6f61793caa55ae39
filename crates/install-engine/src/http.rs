//! What goes into requests: values of headers and paths, and where they are sent.

pub(crate) use install_manifest::http::{FRAMING, is_header_name, is_path};
use manifest_core::{quoted, url};

/// Whether a text can go out as the value of a header.
pub(crate) fn is_header_value(value: &str) -> bool {
    value.bytes().all(|b| matches!(b, b' '..=b'~' | b'\t')) && value.trim() == value
}

/// Whether a segment of a path means another one.
pub(crate) fn is_dot_segment(segment: &str) -> bool {
    let plain = segment.replace("%2e", ".").replace("%2E", ".");
    matches!(plain.as_str(), "." | "..")
}

/// A text with everything encoded that means something in a URL, or could.
pub(crate) fn percent_encode(text: &str) -> String {
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
pub(crate) fn check(text: &str) -> Result<url::HttpUrl<'_>, String> {
    if text.contains("${") {
        return Err(format!("{}: there are no templates in this URL", quoted(text)));
    }
    url::check_http(text).map_err(|error| format!("{}: {error}", quoted(text)))
}
