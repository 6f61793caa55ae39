//! HTTP URLs: checked, never rewritten.

use std::net::{Ipv4Addr, Ipv6Addr};

use iri_string::types::{IriStr, UriStr};

use diagnostic::{ByteSet, quoted};

/// The parts of an HTTP URL that decide where a request goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpUrl<'a> {
    /// True if the scheme is `https`.
    pub secure: bool,
    /// The host, as written.
    pub host: &'a str,
    /// The port, if it is written.
    pub port: Option<u16>,
    /// The path, as written.
    pub path: &'a str,
}

/// The reason why a text is not an HTTP URL that a request can be sent to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UrlError {
    /// The text is not a URI.
    #[error("not an absolute URL")]
    Syntax,
    /// The scheme is not `http` or `https`.
    #[error("the scheme must be http or https")]
    Scheme,
    /// The host is missing.
    #[error("there is no host")]
    Host,
    /// The host contains letters of other alphabets or escapes, which readers turn into
    /// another host.
    #[error("the host must be written in ASCII letters, digits, hyphens and dots")]
    HostName,
    /// The URL contains a user name or a password.
    #[error("a URL must not carry a user name or a password")]
    UserInfo,
    /// The port does not exist.
    #[error("the port must be a number up to 65535")]
    Port,
}

impl UrlError {
    /// Returns a message about the text. A text that may contain a password is not quoted.
    pub fn message_for(self, text: &str) -> String {
        if text.contains('@') { self.to_string() } else { format!("{}: {self}", quoted(text)) }
    }
}

/// Returns true if a text is a URI (RFC 3986), as required by `format: uri` in JSON Schema.
pub fn is_uri(text: &str) -> bool {
    parse_simple_http(text).is_some() || UriStr::new(text).is_ok()
}

/// Checks that a text is an absolute `http` or `https` URL with a host and
/// without credentials.
///
/// ```
/// use toolglot_manifest_core::url::{UrlError, check_http};
///
/// assert_eq!(check_http("https://example.com/x")?.host, "example.com");
/// assert_eq!(check_http("https://user:pass@example.com/"), Err(UrlError::UserInfo));
/// assert_eq!(check_http("file:///etc/passwd"), Err(UrlError::Scheme));
/// # Ok::<(), UrlError>(())
/// ```
pub fn check_http(text: &str) -> Result<HttpUrl<'_>, UrlError> {
    match parse_simple_http(text) {
        Some(url) => Ok(url),
        None => parse_any_http(text),
    }
}

/// Checks a URL of any form.
fn parse_any_http(text: &str) -> Result<HttpUrl<'_>, UrlError> {
    let url = IriStr::new(text).map_err(|_| UrlError::Syntax)?;
    let secure = url.scheme_str().eq_ignore_ascii_case("https");
    if !secure && !url.scheme_str().eq_ignore_ascii_case("http") {
        return Err(UrlError::Scheme);
    }
    let authority = url.authority_components().ok_or(UrlError::Host)?;
    if authority.userinfo().is_some() {
        return Err(UrlError::UserInfo);
    }
    // The root of the domain name system is not a host.
    if authority.host().trim_end_matches('.').is_empty() {
        return Err(UrlError::Host);
    }
    if !authority.host().starts_with('[') && !NAME.contains_all(authority.host().as_bytes()) {
        return Err(UrlError::HostName);
    }
    let port = match authority.port() {
        None | Some("") => None,
        Some(port) => Some(port.parse().map_err(|_| UrlError::Port)?),
    };
    Ok(HttpUrl { secure, host: authority.host(), port, path: url.path_str() })
}

static HOST: ByteSet = ByteSet::of(&[b'0'..=b'9', b'A'..=b'Z', b'a'..=b'z', b'-'..=b'.']);
/// Some host names contain an underscore, though none should.
static NAME: ByteSet =
    ByteSet::of(&[b'0'..=b'9', b'A'..=b'Z', b'a'..=b'z', b'-'..=b'.', b'_'..=b'_']);
static PATH: ByteSet =
    ByteSet::of(&[b'0'..=b'9', b'A'..=b'Z', b'a'..=b'z', b'-'..=b'/', b'_'..=b'_']);

/// Parses the most common form of URL: a host of letters, digits, hyphens and dots, and a
/// path of the same characters, slashes and underscores. Such a URL needs no further check.
/// Returns `None` for any other form.
fn parse_simple_http(text: &str) -> Option<HttpUrl<'_>> {
    let (secure, rest) = match text.strip_prefix("https://") {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix("http://")?),
    };
    let (host, path) = rest.split_at_checked(HOST.prefix_len(rest.as_bytes()))?;
    // A host of dots alone is invalid, and left to `parse_any_http`.
    if host.is_empty()
        || host.starts_with('.')
        || !(path.is_empty() || path.starts_with('/'))
        || !PATH.contains_all(path.as_bytes())
    {
        return None;
    }
    Some(HttpUrl { secure, host, port: None, path })
}

impl HttpUrl<'_> {
    /// Returns the port that a request goes to.
    pub fn effective_port(&self) -> u16 {
        self.port.unwrap_or(if self.secure { 443 } else { 80 })
    }

    /// Returns the host in a comparable form: in lower case, without a trailing dot, and
    /// with addresses in their usual spelling.
    pub fn normal_host(&self) -> String {
        normal_host(self.host)
    }

    /// Returns true if the host is this machine, in a private network, or a cloud's
    /// metadata service. Untrusted documents should not cause requests to such hosts.
    pub fn is_private(&self) -> bool {
        let host = self.host.trim_end_matches('.');
        if let Some(address) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
            return address.parse().is_ok_and(is_private_v6);
        }
        // An address ends with a number, never with a name.
        let last = host.rsplit('.').next().unwrap_or(host);
        if !last.starts_with(|c: char| c.is_ascii_alphabetic())
            && let Some(address) = parse_v4(&host.to_ascii_lowercase())
        {
            return is_private_v4(address);
        }
        let names = ["localhost", "local", "internal"];
        names.iter().any(|name| last.eq_ignore_ascii_case(name))
            && (last.len() < host.len() || last.eq_ignore_ascii_case("localhost"))
    }
}

/// Returns a host in a comparable form. See [`HttpUrl::normal_host`].
///
/// ```
/// use toolglot_manifest_core::url::normal_host;
///
/// assert_eq!(normal_host("API.Example.com."), "api.example.com");
/// assert_eq!(normal_host("0x7f.1"), "127.0.0.1");
/// assert_eq!(normal_host("[0:0::1]"), "[::1]");
/// ```
pub fn normal_host(host: &str) -> String {
    let host = host.to_ascii_lowercase();
    let host = host.strip_suffix('.').unwrap_or(&host);
    if let Some(inner) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'))
        && let Ok(address) = inner.parse::<Ipv6Addr>()
    {
        return format!("[{address}]");
    }
    match parse_v4(host) {
        Some(address) => address.to_string(),
        None => host.to_owned(),
    }
}

/// Parses an IPv4 address as lenient readers do: one to four parts, each decimal, octal or
/// hexadecimal.
fn parse_v4(host: &str) -> Option<Ipv4Addr> {
    let parts: Vec<u64> = host.split('.').map(parse_part).collect::<Option<_>>()?;
    let (last, first) = parts.split_last()?;
    if first.len() > 3 || first.iter().any(|part| *part > 255) {
        return None;
    }
    let shift = 8 * (4 - u32::try_from(first.len()).ok()?);
    let high = first.iter().fold(0, |value, part| (value << 8) | part);
    if *last >= 1 << shift {
        return None;
    }
    Some(Ipv4Addr::from(u32::try_from((high << shift) | last).ok()?))
}

fn parse_part(part: &str) -> Option<u64> {
    if let Some(hex) = part.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).ok();
    }
    match part.strip_prefix('0') {
        Some(octal) if !octal.is_empty() => u64::from_str_radix(octal, 8).ok(),
        _ => part.parse().ok(),
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [a, b, ..] = address.octets();
    let shared = a == 100 && (64..128).contains(&b);
    address.is_loopback() || address.is_private() || address.is_link_local() || shared || a == 0
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    let unique_or_link_local = matches!(address.segments(), [first, ..] if first & 0xfe00 == 0xfc00 || first & 0xffc0 == 0xfe80);
    address.is_loopback()
        || address.is_unspecified()
        || unique_or_link_local
        || address.to_ipv4().is_some_and(is_private_v4)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The short cut agrees with the full check.
        #[test]
        fn plain_urls_are_urls(text in "https?://[A-Za-z0-9.-]{0,6}[:@?#%]{0,1}(/[a-z0-9._~/-]{0,6}){0,2}") {
            if let Some(url) = parse_simple_http(&text) {
                prop_assert_eq!(parse_any_http(&text), Ok(url));
            }
        }

        /// The short cut for names does not overlook an address.
        #[test]
        fn addresses_are_found(host in "[0-9a-fx]{1,3}(\\.[0-9a-fx]{1,4}){0,3}\\.{0,1}") {
            let url = HttpUrl { secure: true, host: &host, port: None, path: "" };
            let address = parse_v4(host.trim_end_matches('.'));
            prop_assert_eq!(url.is_private(), address.is_some_and(is_private_v4));
        }
    }

    /// Resolvers read the hosts of the first list as ordinary ones.
    #[test]
    fn hosts_are_what_they_look_like() {
        for host in ["\u{24d4}vil.com", "ex\u{e4}mple.com", "%65vil.com", "\u{2460}27.0.0.1", "a!b"]
        {
            assert_eq!(check_http(&format!("https://{host}/")), Err(UrlError::HostName), "{host}");
        }
        for host in ["evil.com", "xn--exmple-cua.com", "a_b.c", "127.0.0.1", "[::1]"] {
            assert!(check_http(&format!("https://{host}/?é")).is_ok(), "{host}");
        }
    }

    /// The last part fills the rest of the address, as in the URL Standard, and may be no larger.
    #[test]
    fn the_last_part_of_an_address_fits() {
        for (host, address) in [
            ("10.16777215", Some([10, 255, 255, 255])),
            ("10.16777216", None),
            ("10.1.65535", Some([10, 1, 255, 255])),
            ("10.1.65536", None),
            ("1.2.3.255", Some([1, 2, 3, 255])),
            ("1.2.3.256", None),
            ("4294967295", Some([255; 4])),
            ("4294967296", None),
        ] {
            assert_eq!(parse_v4(host).map(|address| address.octets()), address, "{host}");
        }
    }

    #[test]
    fn names_of_this_machine() {
        let private =
            |host: &str| HttpUrl { secure: true, host, port: None, path: "" }.is_private();
        for host in ["localhost", "LOCALHOST.", "a.localhost", "a.b.Local", "x.internal", "[::1]"] {
            assert!(private(host), "{host}");
        }
        for host in
            ["local", "internal", "mylocalhost", "localhost.com", "a.locals", "[2001:db8::1]"]
        {
            assert!(!private(host), "{host}");
        }
    }
}
