//! Checks of ids, versions, exports and names of secrets.

use manifest_core::is_plain_text;

/// The longest id, in bytes. Some servers refuse URLs that hold a longer one.
pub(crate) const ID_BYTES: usize = 1024;
/// The longest version, in bytes.
const VERSION_BYTES: usize = 256;

/// Returns true if a text is empty or only white space. U+FEFF counts, because JavaScript's
/// `trim` removes it.
#[inline]
pub(crate) fn is_blank(text: &str) -> bool {
    // Fast path: most texts begin with a letter.
    !text.bytes().next().is_some_and(|b| b.is_ascii_graphic()) && is_all_blank(text)
}

fn is_all_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// Returns true for the white space of JavaScript, in which the registry is written, and for
/// U+0085, which does not show either.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// Returns true if a text is exactly one segment of a URL path and of a cache key: it has
/// no separators, escapes or invisible characters.
fn is_segment(text: &str) -> bool {
    // Fast path: most are lower-case letters.
    if text.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric())
        && text.bytes().all(is_plain_byte)
    {
        return true;
    }
    !is_blank(text)
        && !matches!(text, "." | "..")
        && !text.contains(['/', '\\', '?', '#', '%'])
        && is_plain_text(text)
}

fn is_plain_byte(b: u8) -> bool {
    b.is_ascii_lowercase() || b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b':' | b'.')
}

pub(crate) fn is_id(text: &str) -> bool {
    text.len() <= ID_BYTES && is_segment(text)
}

pub(crate) fn is_version(text: &str) -> bool {
    text.len() <= VERSION_BYTES && is_segment(text)
}

/// Returns true if an id has the form of the specification's examples: `tool:` and a plain
/// name.
pub(crate) fn is_usual_id(text: &str) -> bool {
    let Some(name) = text.strip_prefix("tool:") else { return false };
    !name.is_empty()
        && name.bytes().all(|b| {
            b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'_' | b'-')
        })
}

/// Removes every leading `tool:` of an id.
pub(crate) fn without_prefix(id: &str) -> &str {
    // `str::trim_start_matches` takes longer to set up than this loop runs.
    let mut rest = id;
    while let Some(shorter) = rest.strip_prefix("tool:") {
        rest = shorter;
    }
    rest
}

/// Returns true if a module can export this name and it is not inherited by every object.
pub(crate) fn is_export(text: &str) -> bool {
    const INHERITED: &[&str] = &[
        "__proto__",
        "__defineGetter__",
        "__defineSetter__",
        "__lookupGetter__",
        "__lookupSetter__",
        "constructor",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "prototype",
        "toLocaleString",
        "toString",
        "valueOf",
    ];
    text.starts_with(can_start_export)
        && text.chars().all(|c| can_start_export(c) || c.is_numeric())
        && text.len() <= 256
        && !INHERITED.contains(&text)
}

fn can_start_export(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | '$')
}

/// Returns true if a text can name a secret. The name becomes part of a key, and often of
/// an environment variable.
pub(crate) fn is_secret(text: &str) -> bool {
    if text.is_empty() || text.len() > 256 {
        return false;
    }
    // Fast path: most are letters.
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        || is_plain_text(text) && !text.contains(|c: char| c.is_whitespace() || c == '=')
}

/// Returns true if a text is a SHA-256 in lower-case hexadecimal digits.
pub(crate) fn is_sha256(text: &str) -> bool {
    let Ok(bytes) = <&[u8; 64]>::try_from(text.as_bytes()) else { return false };
    // A loop of known length without an early exit is compiled to steps of 16 bytes.
    let mut all = true;
    for b in bytes {
        all &= matches!(b, b'0'..=b'9' | b'a'..=b'f');
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fast paths agree with the checks by character.
    #[test]
    fn loops_agree() {
        let characters =
            ['a', 'Z', '0', '_', '=', ' ', '\t', '\u{feff}', '\u{a0}', '\u{200b}', 'é'];
        let pairs = characters.iter().flat_map(|a| characters.map(|b| format!("{a}{b}")));
        let texts: Vec<String> = pairs.chain(characters.map(String::from)).collect();
        for text in texts.iter().flat_map(|a| texts.iter().map(move |b| format!("{a}{b}"))) {
            assert_eq!(is_blank(&text), is_all_blank(&text), "{text:?}");
            let fits =
                is_plain_text(&text) && !text.contains(|c: char| c.is_whitespace() || c == '=');
            assert_eq!(is_secret(&text), fits, "{text:?}");
        }
        assert!(is_blank("") && !is_secret("") && !is_secret(&"a".repeat(257)));
    }

    #[test]
    fn digests() {
        let digest = "0123456789abcdef".repeat(4);
        for (at, byte) in (0..64).flat_map(|at| (0..=127_u8).map(move |byte| (at, byte))) {
            let mut text = digest.clone();
            text.replace_range(at..=at, &char::from(byte).to_string());
            let fits = byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
            assert_eq!(is_sha256(&text), fits, "{text:?}");
        }
        assert!(!is_sha256("") && !is_sha256(&format!("{digest}0")));
    }
}
