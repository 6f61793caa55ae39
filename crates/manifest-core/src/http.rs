//! Rules for paths, headers and redirects of requests. The checks of manifests apply them
//! too.

use crate::url::HttpUrl;

/// Headers that determine the host of a message or where it ends. A client must never take
/// them from a manifest, so planning refuses them.
pub const FRAMING: &[&str] = &["host", "content-length", "transfer-encoding", "connection"];

/// Returns true if a text can be appended to a URL without changing its host.
pub fn is_path(path: &str) -> bool {
    path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains(|c: char| c == '\\' || c == '#' || c.is_control() || c.is_whitespace())
}

/// Returns true if a text is a valid header name.
pub fn is_header_name(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

/// The most redirects that a host follows by default.
pub const MAX_REDIRECTS: usize = 5;

/// Returns the method of the request that a redirect asks for, or `None` if a response of
/// this status is not followed. A request with another method than before has no body and
/// no `Content-Type`.
///
/// ```
/// use toolglot_manifest_core::http::redirect_method;
///
/// assert_eq!(redirect_method("POST", 303), Some("GET"));
/// assert_eq!(redirect_method("PUT", 307), Some("PUT"));
/// assert_eq!(redirect_method("GET", 304), None);
/// ```
pub fn redirect_method(method: &str, status: u16) -> Option<&str> {
    // RFC 9110, 15.4: for POST, clients treat 301 and 302 like 303.
    let becomes_get = match status {
        301 | 302 => method == "POST",
        303 => method != "GET" && method != "HEAD",
        307 | 308 => false,
        _ => return None,
    };
    Some(if becomes_get { "GET" } else { method })
}

/// Returns true if a redirect stays on the host. It may switch to HTTPS, and never back. A
/// host follows no other redirect, because headers may contain secrets.
pub fn stays_on_host(from: &HttpUrl<'_>, to: &HttpUrl<'_>) -> bool {
    let ports = (from.effective_port(), to.effective_port());
    let is_same = from.secure == to.secure && ports.0 == ports.1;
    let encrypts = !from.secure && to.secure && ports == (80, 443);
    from.host.eq_ignore_ascii_case(to.host) && (is_same || encrypts)
}
