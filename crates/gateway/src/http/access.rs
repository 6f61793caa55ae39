//! Access control for requests.

use std::net::{IpAddr, SocketAddr};

use axum::http::header::{AUTHORIZATION, HOST, HeaderName, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode};

use super::token::Token;

/// Admits requests that name this machine. Otherwise a page of another origin could make a
/// browser request the tools that are served here.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// True if only this machine can reach the server.
    local: bool,
    /// Names of this machine, besides `localhost` and its address.
    names: Vec<String>,
    token: Token,
}

impl Access {
    pub(super) fn new(address: SocketAddr, names: Vec<String>, token: Token) -> Self {
        Self { local: address.ip().is_loopback(), names, token }
    }

    /// Checks the `Host` and `Origin` of a request. Returns the status and the message of a
    /// refusal.
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<(), (StatusCode, &'static str)> {
        let host = header_text(headers, HOST).unwrap_or("");
        if headers.get_all(HOST).iter().count() != 1 || !self.is_own_host(host) {
            return Err((
                StatusCode::MISDIRECTED_REQUEST,
                "this is not the host that was asked for",
            ));
        }
        // Programs send no origin, and our page sends its own.
        if let Some(origin) = header_text(headers, ORIGIN)
            && origin.strip_prefix("http://") != Some(host)
        {
            return Err((StatusCode::FORBIDDEN, "pages of other origins are not answered"));
        }
        Ok(())
    }

    /// Returns true if the `Authorization` header has the token.
    pub(super) fn has_token(&self, headers: &HeaderMap) -> bool {
        let Some(value) = headers.get(AUTHORIZATION) else { return false };
        let Ok(value) = value.to_str() else { return false };
        let Some((scheme, token)) = value.split_once(' ') else { return false };
        scheme.eq_ignore_ascii_case("bearer") && self.token.matches(token.trim())
    }

    /// Returns true if a segment of a path is the token.
    pub(super) fn is_token(&self, segment: &str) -> bool {
        self.token.matches(segment)
    }

    /// Returns true if a `Host` is ours, on any port. A stranger can make a name of theirs
    /// resolve to this machine, but not an address.
    fn is_own_host(&self, host: &str) -> bool {
        let Some(name) = host_name(host) else { return false };
        let is_our_address = match name.parse::<IpAddr>() {
            Ok(address) => !self.local || address.is_loopback(),
            Err(_) => false,
        };
        is_our_address
            || name.eq_ignore_ascii_case("localhost")
            || self.names.iter().any(|ours| ours.eq_ignore_ascii_case(&name))
    }
}

/// Returns the text of a header. A header that is not text becomes empty, which equals no
/// host and no origin.
fn header_text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    Some(headers.get(name)?.to_str().unwrap_or(""))
}

/// Returns the name or address in a `Host`, or `None` if it is not a host with an optional
/// port.
fn host_name(host: &str) -> Option<String> {
    let authority: Authority = host.parse().ok()?;
    let name = authority.host();
    if !host.strip_prefix(name)?.is_empty() {
        authority.port_u16()?;
    }
    let name = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    Some(name.to_owned())
}
