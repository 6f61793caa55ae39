//! Entries of allow-lists: the places that requests may go to.
//!
//! An entry is a host, a host with a port, all hosts below a domain (`*.example.com`), or
//! the beginning of a URL.

use crate::url::{HttpUrl, check_http, normal_host};

/// One entry of an allow-list.
///
/// ```
/// use toolglot_manifest_core::{Destination, url::check_http};
///
/// let entry = Destination::parse("*.example.com").unwrap();
/// assert!(entry.allows(&check_http("https://api.example.com/v1").unwrap()));
/// assert!(!entry.allows(&check_http("https://example.com.evil.example/").unwrap()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Destination {
    /// A host, and the port if the entry contains one. Otherwise the default port of the
    /// scheme.
    Host(String, Option<u16>),
    /// All hosts below a domain, but not the domain itself. The port is as for `Host`.
    Subdomains(String, Option<u16>),
    /// URLs that begin like this one.
    Prefix {
        /// True if the scheme is `https`.
        secure: bool,
        /// The host.
        host: String,
        /// The port.
        port: u16,
        /// The beginning of the path.
        path: String,
    },
}

impl Destination {
    /// Parses an entry. Returns `None` if it has no valid form. Such an entry matches
    /// nothing.
    pub fn parse(text: &str) -> Option<Self> {
        if text.contains("://") {
            let url = check_http(text).ok()?;
            if text.contains(['?', '#']) || !is_unambiguous(url.path) || !is_host(url.host) {
                return None;
            }
            return Some(Self::Prefix {
                secure: url.secure,
                host: url.normal_host(),
                port: url.effective_port(),
                path: url.path.to_owned(),
            });
        }
        let (host, port) = match text.rsplit_once(':') {
            // The colons of an IPv6 address are inside its brackets.
            Some((host, port)) if !port.ends_with(']') => (host, Some(port.parse().ok()?)),
            _ => (text, None),
        };
        match host.strip_prefix("*.") {
            // Domains below a top-level domain would cover nearly everything.
            Some(domain) => {
                let domain = normal_host(domain);
                let fits = is_host(&domain) && domain.contains('.') && !is_address(&domain);
                fits.then_some(Self::Subdomains(domain, port))
            }
            None => is_host(host).then(|| Self::Host(normal_host(host), port)),
        }
    }

    /// Returns true if a request may go to that URL.
    pub fn allows(&self, url: &HttpUrl<'_>) -> bool {
        // A name with a trailing dot resolves to the same address, but servers and
        // certificates treat it as another name.
        if url.host.ends_with('.') {
            return false;
        }
        let host = url.normal_host();
        match self {
            Self::Host(listed, port) => host == *listed && has_port(url, *port),
            Self::Subdomains(domain, port) => {
                is_below(&host, domain) && !is_address(&host) && has_port(url, *port)
            }
            Self::Prefix { secure, host: listed, port, path } => {
                *secure == url.secure
                    && *listed == host
                    && *port == url.effective_port()
                    && is_unambiguous(url.path)
                    && starts_with_segments(url.path, path)
            }
        }
    }
}

/// Returns true if a URL has this port or, without one, the default port of its scheme.
fn has_port(url: &HttpUrl<'_>, port: Option<u16>) -> bool {
    let default = if url.secure { 443 } else { 80 };
    url.effective_port() == port.unwrap_or(default)
}

fn is_below(host: &str, domain: &str) -> bool {
    match host.strip_suffix(domain) {
        Some(head) => head.len() > 1 && head.ends_with('.'),
        None => false,
    }
}

/// Returns true if a path begins with `prefix`, and the prefix ends at the end of a
/// segment.
fn starts_with_segments(path: &str, prefix: &str) -> bool {
    let path = if path.is_empty() { "/" } else { path };
    match path.strip_prefix(if prefix.is_empty() { "/" } else { prefix }) {
        Some(tail) => {
            tail.is_empty() || prefix.ends_with('/') || prefix.is_empty() || tail.starts_with('/')
        }
        None => false,
    }
}

/// Returns true if all servers read a path alike: it contains no `.` or `..` segment and no
/// backslash, plain or encoded, and no encoded slash or percent sign.
fn is_unambiguous(path: &str) -> bool {
    let plain = path.to_ascii_lowercase().replace("%2e", ".");
    let encoded = ["%2f", "%5c", "%25"].iter().any(|code| plain.contains(code));
    !encoded && !plain.contains('\\') && plain.split('/').all(|part| part != "." && part != "..")
}

/// Returns true if a host is a name of ASCII letters, digits, hyphens, underscores and
/// dots, or an IPv6 address in brackets. Names in other alphabets have more than one
/// spelling.
pub fn is_host(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[') {
        return match address.strip_suffix(']') {
            Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
            None => false,
        };
    }
    let host = host.strip_suffix('.').unwrap_or(host);
    host.len() <= 253
        && host.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && label.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
        })
}

fn is_address(host: &str) -> bool {
    host.starts_with('[') || host.parse::<std::net::Ipv4Addr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::{Destination, check_http};

    fn allows(entry: &str, url: &str) -> bool {
        Destination::parse(entry).unwrap().allows(&check_http(url).unwrap())
    }

    #[test]
    fn a_path_is_what_every_server_reads() {
        let entry = "https://example.com/v1/";
        assert!(allows(entry, "https://example.com/v1/a%20b"));
        for path in ["..", "%2e%2e", "..%2fx", "..%5cx", "%252e%252e", "..%252fx", "a%25"] {
            assert!(!allows(entry, &format!("https://example.com/v1/{path}")), "{path}");
        }
    }

    /// A URL with a query, a fragment or a `..` segment is not a valid entry.
    #[test]
    fn an_entry_is_a_host_or_the_beginning_of_a_url() {
        for entry in ["https://example.com/v1/", "http://[::1]:80/", "*.example.com", "a.example:1"]
        {
            assert!(Destination::parse(entry).is_some(), "{entry}");
        }
        for entry in [
            "https://example.com/?a",
            "https://example.com/#a",
            "https://example.com/a/../b",
            "https://example.com/%2e%2e/",
            "https://a..example.com/",
            "ftp://example.com/",
            "example.com:x",
            "",
        ] {
            assert!(Destination::parse(entry).is_none(), "{entry}");
        }
    }

    /// An address has no subdomains, and neither has a part of an address.
    #[test]
    fn what_is_below_a_domain_is_a_name() {
        assert!(allows("*.example.com", "https://a.b.example.com/"));
        assert!(!allows("*.example.com", "https://example.com/"));
        assert!(!allows("*.example.com", "https://aexample.com/"));
        assert!(Destination::parse("*.0.0.1").is_none());
    }

    #[test]
    fn a_host_is_spelled_in_one_way() {
        for entry in ["example.com", "*.com.example", "https://example.com"] {
            assert!(!allows(entry, "https://example.com./"), "{entry}");
            assert!(!allows(entry, "https://a.com.example./"), "{entry}");
        }
        assert!(allows("example.com", "https://EXAMPLE.com/"));
        assert!(!allows("example.com:8443", "https://example.com/"));
        assert!(!allows("example.com", "https://example.com:8443/"));
    }
}
