//! The grammars of strings.

use std::borrow::Cow;

/// The placeholder for a missing digest.
pub(crate) const UNPINNED: &str =
    "0000000000000000000000000000000000000000000000000000000000000000";

/// The authentication scheme that `requires_oauth` means.
pub(crate) const OAUTH: &str = "oauth2";
/// The prefix of the names of secrets that a sign-in provides, in upper case.
pub(crate) const SIGN_IN: &str = "OAUTH_";

/// Returns true if the published schema accepts a version: three numbers and optional
/// suffixes. Leading zeros and empty identifiers are accepted.
pub(crate) fn is_loose_version(text: &str) -> bool {
    let (rest, build) = match text.split_once('+') {
        Some((rest, build)) => (rest, Some(build)),
        None => (text, None),
    };
    let (core, pre) = match rest.split_once('-') {
        Some((core, pre)) => (core, Some(pre)),
        None => (rest, None),
    };
    core.split('.').count() == 3
        && core.split('.').all(is_number)
        && pre.is_none_or(is_suffix)
        && build.is_none_or(is_suffix)
}

fn is_number(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit())
}

fn is_suffix(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.' || b == b'-')
}

/// Returns true if a text is a SHA-256 digest, with an optional prefix `sha256:`.
pub(crate) fn is_digest(text: &str) -> bool {
    let bare = text.strip_prefix("sha256:").unwrap_or(text);
    let Ok(bytes) = <&[u8; 64]>::try_from(bare.as_bytes()) else { return false };
    // A loop of known length without an early exit is compiled to steps of 16 bytes.
    let mut all = true;
    for b in bytes {
        all &= b.is_ascii_hexdigit();
    }
    all
}

/// Returns a SHA-256 digest in its normal form: in lower case, without prefix. Returns
/// `None` if it is invalid.
pub(crate) fn normalize_digest(text: &str) -> Option<Cow<'_, str>> {
    if !is_digest(text) {
        return None;
    }
    let bare = text.strip_prefix("sha256:").unwrap_or(text);
    if bare.len() == text.len() && !bare.bytes().any(|b| b.is_ascii_uppercase()) {
        return Some(Cow::Borrowed(text));
    }
    Some(Cow::Owned(bare.to_ascii_lowercase()))
}

/// Returns true if a text is the placeholder for a missing digest.
pub(crate) fn is_unpinned(text: &str) -> bool {
    text.strip_prefix("sha256:").unwrap_or(text) == UNPINNED
}

/// Returns true if a secret of this name shows that the user has signed in.
pub(crate) fn is_oauth_secret(name: &str) -> bool {
    name.to_uppercase().starts_with(SIGN_IN)
}

/// Returns true if the published schema accepts a text as `module:function`.
pub(crate) fn is_callable(text: &str) -> bool {
    let Some((module, function)) = text.split_once(':') else { return false };
    starts_identifier(module)
        && starts_identifier(function)
        && module.bytes().all(|b| is_identifier_byte(b) || b == b'.')
        && function.bytes().all(is_identifier_byte)
}

fn starts_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn is_identifier_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// Returns true for a word, or a non-negative number with an optional unit: `default`,
/// `0.5`, `500m`, `128Mi`, `50%`.
pub(crate) fn is_resource(text: &str) -> bool {
    let text = text.as_bytes();
    if text.len() > 64 {
        return false;
    }
    if text.first().is_some_and(u8::is_ascii_alphabetic) {
        return text.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    }
    let end = text.iter().position(|b| !b.is_ascii_digit() && *b != b'.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let is_number = number.first().is_some_and(u8::is_ascii_digit)
        && number.last().is_some_and(u8::is_ascii_digit)
        && number.iter().filter(|b| **b == b'.').count() <= 1;
    let unit = unit.strip_prefix(b" ").unwrap_or(unit);
    is_number && unit.len() <= 8 && (unit == b"%" || unit.iter().all(u8::is_ascii_alphabetic))
}

/// Returns true if a text refers to a stored secret: the scheme of a secret store, and a
/// place there. Schemes of the web and of files are refused.
pub(crate) fn is_secret_reference(text: &str) -> bool {
    let Some((scheme, place)) = text.split_once("://") else { return false };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.' | b'-'));
    let open = ["http", "https", "file", "ftp", "data", "javascript", "ws", "wss"];
    let is_open = open.iter().any(|open| scheme.eq_ignore_ascii_case(open));
    let has_gap = place.contains(|c: char| c.is_whitespace() || c.is_control());
    is_scheme && !is_open && !place.is_empty() && !has_gap
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use manifest_core::{Destination, is_host};

    use super::*;

    #[test]
    fn versions_by_the_published_pattern() {
        for version in ["1.0.0", "01.2.3", "1.0.0-rc..1", "1.0.0+b", "1.0.0-a+b", "1.0.0+a-b"] {
            assert!(is_loose_version(version), "{version}");
        }
        for version in ["", "1", "1.0", "1.0.0-", "1.0.0+", "1.0.0-α", "^1.0.0", "1.0.0\n", "١.0.0"]
        {
            assert!(!is_loose_version(version), "{version}");
        }
    }

    #[test]
    fn resources() {
        for text in ["default", "1", "0.5", "500m", "128Mi", "1 GiB", "50%", "2cores"] {
            assert!(is_resource(text), "{text}");
        }
        for text in ["", "-1", "1e99Gi", "∞", "1.", ".5", "1;rm", "5%%", " 1"] {
            assert!(!is_resource(text), "{text}");
        }
    }

    #[test]
    fn references() {
        for text in ["vault://kv/unison/github#token", "secret://oauth/google/x", "op://a/b"] {
            assert!(is_secret_reference(text), "{text}");
        }
        for text in ["plain", "", "https://u:p@h", "file:///etc/shadow", "data:,x", "vault://"] {
            assert!(!is_secret_reference(text), "{text}");
        }
    }

    /// Returns the texts that consist of up to `most` pieces.
    fn combinations(pieces: &[&str], most: usize) -> Vec<String> {
        (0..most).fold(vec![String::new()], |texts, _| {
            let longer = |text: &String| {
                pieces.iter().map(|piece| format!("{text}{piece}")).collect::<Vec<_>>()
            };
            texts.iter().flat_map(longer).chain([String::new()]).collect()
        })
    }

    /// The loops over bytes match the grammars in their documentation.
    #[test]
    fn loops_are_grammars() {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        for text in combinations(&["1", "0", ".", "m", " ", "%", "-", "é"], 5) {
            let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
            let (number, unit) = text.split_at(end);
            let number = match number.split_once('.') {
                Some((whole, fraction)) => digits(whole) && digits(fraction),
                None => digits(number),
            };
            let unit = unit.strip_prefix(' ').unwrap_or(unit);
            let letters = |text: &str| text.bytes().all(|b| b.is_ascii_alphabetic());
            let word = text.starts_with('m') && !text.contains([' ', '%', 'é']);
            let fits = word || number && (unit == "%" || letters(unit));
            assert_eq!(is_resource(&text), fits, "{text}");
        }
        for text in combinations(&["vault", "ftp", "1", ":", "/", "//", "+", " ", "é", "\u{85}"], 5)
        {
            let hidden = text.contains(|c: char| c.is_whitespace() || c.is_control());
            let fits = text.split_once("://").is_some_and(|(scheme, place)| {
                let plain = scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'+');
                plain && scheme.starts_with(['v', 'f']) && scheme != "ftp" && !place.is_empty()
            });
            assert_eq!(is_secret_reference(&text), fits && !hidden, "{text}");
        }
        let digest = "0123456789abcdefABCDEF0123456789abcdef0123456789abcdef0123456789";
        for (at, byte) in (0..64).flat_map(|at| (0..128).map(move |byte| (at, byte))) {
            let mut text = digest.as_bytes().to_vec();
            text[at] = byte;
            let text = String::from_utf8(text).unwrap();
            assert_eq!(is_digest(&text), byte.is_ascii_hexdigit(), "{text}");
            assert_eq!(is_digest(&format!("sha256:{text}")), byte.is_ascii_hexdigit(), "{text}");
            assert!(!is_digest(&text[1..]) && !is_digest(&format!("0{text}")), "{text}");
        }
    }

    #[test]
    fn callables() {
        for text in ["a:b", "_a.b.c:_d1", "a.:b"] {
            assert!(is_callable(text), "{text}");
        }
        for text in ["abc", "a:b:c", ":b", "a:", "1a:b", "a:b.c", "a:b\n"] {
            assert!(!is_callable(text), "{text}");
        }
    }

    #[test]
    fn hosts_are_entries() {
        let pieces = ["a", "B", "1", ".", "-", "*", ":", "[", "]", "/", "%", "é", "::1"];
        for text in combinations(&pieces, 4) {
            assert!(!is_host(&text) || Destination::parse(&text).is_some(), "{text}");
        }
        let label = "a".repeat(63);
        assert!(is_host(&label) && is_host(&format!("{label}.{label}.")));
        assert!(!is_host(&format!("{label}a")) && !is_host(&format!("a.{label}a")));
        let long = "a.".repeat(126);
        assert!(is_host(&format!("{long}a")) && !is_host(&format!("{long}aa")));
        for host in ["", ".", "a..b", ".a", "a b", "é.com"] {
            assert!(!is_host(host), "{host}");
        }
    }
}
