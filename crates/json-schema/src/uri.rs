//! URI references (RFC 3986), as far as references inside one document need
//! them: syntax, resolution against a base, fragments.

use std::borrow::Cow;
use std::net::Ipv6Addr;

/// Returns true for a URI reference.
pub(super) fn is_reference(text: &str) -> bool {
    let parts = UriParts::of(text);
    let first_segment = parts.path.split('/').next().unwrap_or("");
    parts.authority.is_none_or(is_authority)
        && (parts.scheme.is_some() || !first_segment.contains(':'))
        && all_allowed(parts.path, ":@/")
        && all_allowed(parts.query.unwrap_or(""), ":@/?")
        && all_allowed(parts.fragment.unwrap_or(""), ":@/?")
}

/// Returns true for a URI, which is a reference with a scheme.
pub(super) fn is_absolute(text: &str) -> bool {
    UriParts::of(text).scheme.is_some() && is_reference(text)
}

/// Splits a reference at the `#`.
pub(super) fn split_fragment(reference: &str) -> (&str, &str) {
    reference.split_once('#').unwrap_or((reference, ""))
}

/// Decodes the percent escapes of a fragment. Returns `None` if one is malformed, or if the
/// result is not UTF-8.
pub(super) fn decode_fragment(fragment: &str) -> Option<Cow<'_, str>> {
    if !fragment.contains('%') {
        return Some(Cow::Borrowed(fragment));
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte == b'%' {
            let (&[high, low], tail) = rest.split_first_chunk()?;
            let value = 16 * char::from(high).to_digit(16)? + char::from(low).to_digit(16)?;
            bytes.push(u8::try_from(value).ok()?);
            rest = tail;
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

/// Resolves a reference against a base (RFC 3986, 5.2), without its fragment.
pub(super) fn resolve(base: &str, reference: &str) -> String {
    let (base, to) = (UriParts::of(base), UriParts::of(reference));
    let (scheme, authority, path, query) = if to.scheme.is_some() {
        (to.scheme, to.authority, remove_dots(to.path), to.query)
    } else if to.authority.is_some() {
        (base.scheme, to.authority, remove_dots(to.path), to.query)
    } else if to.path.is_empty() {
        let query = to.query.or(base.query);
        (base.scheme, base.authority, base.path.to_owned(), query)
    } else if to.path.starts_with('/') {
        (base.scheme, base.authority, remove_dots(to.path), to.query)
    } else {
        let path = match base.path.rsplit_once('/') {
            Some((parent, _)) => format!("{parent}/{}", to.path),
            None if base.authority.is_some() => format!("/{}", to.path),
            None => to.path.to_owned(),
        };
        (base.scheme, base.authority, remove_dots(&path), to.query)
    };
    let mut out = String::new();
    if let Some(scheme) = scheme {
        out.extend([&scheme.to_ascii_lowercase(), ":"]);
    }
    if let Some(authority) = authority {
        out.extend(["//", authority]);
    }
    out.push_str(&path);
    if let Some(query) = query {
        out.extend(["?", query]);
    }
    out
}

/// Removes the segments `.` and `..` from a path.
fn remove_dots(path: &str) -> String {
    if !path.split('/').any(|segment| matches!(segment, "." | "..")) {
        return path.to_owned();
    }
    let rooted = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/').skip(usize::from(rooted)) {
        match segment {
            "." => {}
            ".." => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    if path.ends_with("/.") || path.ends_with("/..") {
        kept.push("");
    }
    format!("{}{}", if rooted { "/" } else { "" }, kept.join("/"))
}

/// The components of a reference, unchecked.
struct UriParts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

impl<'a> UriParts<'a> {
    fn of(text: &'a str) -> Self {
        let (rest, fragment) = cut(text, '#');
        let (rest, query) = cut(rest, '?');
        let (scheme, rest) = match rest.split_once(':') {
            Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
            _ => (None, rest),
        };
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => {
                let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                (Some(authority), path)
            }
            None => (None, rest),
        };
        Self { scheme, authority, path, query, fragment }
    }
}

fn cut(text: &str, at: char) -> (&str, Option<&str>) {
    match text.split_once(at) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
}

fn is_authority(text: &str) -> bool {
    let (user, host) = text.rsplit_once('@').unwrap_or(("", text));
    let (host, port) = match host.rfind(':') {
        Some(colon) if !host.ends_with(']') => host.split_at(colon),
        _ => (host, ""),
    };
    all_allowed(user, ":")
        && port.bytes().skip(1).all(|b| b.is_ascii_digit())
        && match host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(address) => address.parse::<Ipv6Addr>().is_ok(),
            None => all_allowed(host, ""),
        }
}

/// Returns true if a component contains only characters that every component may contain,
/// characters of `more`, and complete percent escapes.
fn all_allowed(text: &str, more: &str) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let fine = match byte {
            b'%' => match (bytes.next(), bytes.next()) {
                (Some(high), Some(low)) => high.is_ascii_hexdigit() && low.is_ascii_hexdigit(),
                _ => false,
            },
            _ => {
                byte.is_ascii_alphanumeric()
                    || b"-._~!$&'()*+,;=".contains(&byte)
                    || more.as_bytes().contains(&byte)
            }
        };
        if !fine {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{decode_fragment, is_absolute, is_reference, resolve};

    #[test]
    fn syntax() {
        for good in ["", "#", "#/a%25", "a/b?c#d", "urn:x:y", "//h:80/x", "http://[::1]/", "../x"] {
            assert!(is_reference(good), "{good}");
        }
        for bad in ["::::", "a b", "#/a\"b", "%", "%4", "http://[x]/", "//h:x/", "1:2", "a^b"] {
            assert!(!is_reference(bad), "{bad}");
        }
        assert!(is_absolute("http://x/") && !is_absolute("x/y"));
    }

    #[test]
    fn resolution() {
        // The examples of RFC 3986, section 5.4.
        let cases = [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../../g", "http://a/g"),
            ("g;x=1/../y", "http://a/b/c/y"),
        ];
        for (reference, expected) in cases {
            assert_eq!(resolve("http://a/b/c/d;p?q", reference), expected, "{reference}");
        }
        assert_eq!(resolve("", "x.json"), "x.json");
        assert_eq!(resolve("", "FILE:///x"), "file:///x");
    }

    #[test]
    fn fragments() {
        assert_eq!(decode_fragment("/a%25b").as_deref(), Some("/a%b"));
        assert_eq!(decode_fragment("%FF"), None);
        assert_eq!(decode_fragment("%4"), None);
        assert_eq!(decode_fragment("%+1"), None);
    }
}
