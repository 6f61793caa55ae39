//! The small languages inside strings.

use std::borrow::Cow;

use manifest_core::Text;

/// The digest that stands for none.
pub(crate) const UNPINNED: &str =
    "0000000000000000000000000000000000000000000000000000000000000000";

/// Whether the published schema takes a version: three numbers, with what may
/// follow them. Leading zeros and empty identifiers pass.
pub(crate) fn is_loose_version(text: &str) -> bool {
    let tail = |text: &str| {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'.' || b == b'-';
        !text.is_empty() && text.bytes().all(plain)
    };
    let (rest, build) = text.split_once('+').map_or((text, None), |(a, b)| (a, Some(b)));
    let (core, pre) = rest.split_once('-').map_or((rest, None), |(a, b)| (a, Some(b)));
    let number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    core.split('.').count() == 3
        && core.split('.').all(number)
        && pre.is_none_or(tail)
        && build.is_none_or(tail)
}

/// A SHA-256 digest in its normal form: bare, in lower case.
pub(crate) fn digest<'a>(text: &Text<'a>) -> Option<Text<'a>> {
    let bare = text.strip_prefix("sha256:").unwrap_or(text);
    if bare.len() != 64 || !bare.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    if bare.len() == text.len() && !bare.bytes().any(|b| b.is_ascii_uppercase()) {
        return Some(text.clone());
    }
    Some(Cow::Owned(bare.to_ascii_lowercase()))
}

/// Whether a text is the digest that stands for none.
pub(crate) fn is_unpinned(text: &str) -> bool {
    text.strip_prefix("sha256:").unwrap_or(text) == UNPINNED
}

/// `module:function`, as the published schema takes it.
pub(crate) fn is_callable(text: &str) -> bool {
    let begins = |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    text.split_once(':').is_some_and(|(module, function)| {
        begins(module)
            && begins(function)
            && module.bytes().all(|b| word(b) || b == b'.')
            && function.bytes().all(word)
    })
}

/// A word, or a number that is not negative with a unit after it: `default`,
/// `0.5`, `500m`, `128Mi`, `50%`.
pub(crate) fn is_resource(text: &str) -> bool {
    if text.len() > 64 {
        return false;
    }
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.".contains(&b);
        return text.bytes().all(plain);
    }
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let number = match number.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(number),
    };
    let unit = unit.strip_prefix(' ').unwrap_or(unit);
    number && unit.len() <= 8 && (unit == "%" || unit.bytes().all(|b| b.is_ascii_alphabetic()))
}

/// Whether a text says where a secret is kept: a scheme of a secret store, and a
/// place there. Schemes of the web and of files are not such.
pub(crate) fn is_secret_reference(text: &str) -> bool {
    let Some((scheme, place)) = text.split_once("://") else {
        return false;
    };
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"+.-".contains(&b);
    let scheme_fits =
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.bytes().all(plain);
    let open = ["http", "https", "file", "ftp", "data", "javascript", "ws", "wss"];
    scheme_fits
        && !open.iter().any(|open| scheme.eq_ignore_ascii_case(open))
        && !place.is_empty()
        && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn callables() {
        for text in ["a:b", "_a.b.c:_d1", "a.:b"] {
            assert!(is_callable(text), "{text}");
        }
        for text in ["abc", "a:b:c", ":b", "a:", "1a:b", "a:b.c", "a:b\n"] {
            assert!(!is_callable(text), "{text}");
        }
    }
}
