//! Tool ids: `publisher.domain.capability.name`.

use manifest_core::{ByteSet, Text, sha256_hex};

/// Whether a text is an id: two or more segments between dots, each of lower-case
/// letters, digits, underscores and hyphens, with a letter or digit at both ends.
pub(crate) fn is_valid(id: &str) -> bool {
    let bytes = id.as_bytes();
    bytes.len() <= 255 && bytes.contains(&b'.') && bytes.split(|b| *b == b'.').all(is_segment)
}

/// How many segments an id has.
pub(crate) fn segments(id: &str) -> usize {
    id.bytes().filter(|b| *b == b'.').count() + 1
}

fn is_segment(bytes: &[u8]) -> bool {
    static INSIDE: ByteSet = ByteSet::of(&[b'0'..=b'9', b'a'..=b'z', b'_'..=b'_', b'-'..=b'-']);
    let plain = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    bytes.first().is_some_and(plain) && bytes.last().is_some_and(plain) && INSIDE.has_all(bytes)
}

/// An id that fits, as like the given one as it can be.
///
/// One that fits stays. A name that is a segment gets a publisher in front.
/// Anything else is spelled with the characters that are allowed, and gets the
/// beginning of its digest, so that two names never become one.
pub(crate) fn fit<'a>(id: &'a str, publisher: &str) -> Text<'a> {
    if is_valid(id) {
        return Text::Borrowed(id);
    }
    if is_segment(id.as_bytes()) && id.len() < 128 {
        return Text::Owned(format!("{publisher}.{id}"));
    }
    let spelled: String = id
        .chars()
        .take(64)
        .map(|c| c.to_ascii_lowercase())
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' })
        .collect();
    let spelled = spelled.trim_matches(['-', '_']);
    let digest = sha256_hex(id.as_bytes());
    let digest = digest.get(..8).unwrap_or_default();
    let joint = if spelled.is_empty() { "" } else { "-" };
    Text::Owned(format!("{publisher}.{spelled}{joint}{digest}"))
}
