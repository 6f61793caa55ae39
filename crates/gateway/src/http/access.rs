//! Access control for requests.

use std::net::{IpAddr, SocketAddr};

use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
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
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let host = text(HOST).unwrap_or_default();
        if headers.get_all(HOST).iter().count() != 1 || !self.is_own_host(host) {
            return Err((
                StatusCode::MISDIRECTED_REQUEST,
                "this is not the host that was asked for",
            ));
        }
        // Programs send no origin, and our page sends its own.
        let is_ours = |origin: &str| origin.strip_prefix("http://") == Some(host);
        if text(ORIGIN).is_some_and(|origin| !is_ours(origin)) {
            return Err((StatusCode::FORBIDDEN, "pages of other origins are not answered"));
        }
        Ok(())
    }

    /// Returns true if the `Authorization` header has the token.
    pub(super) fn has_token(&self, headers: &HeaderMap) -> bool {
        let value = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let (scheme, token) = value.and_then(|value| value.split_once(' ')).unwrap_or_default();
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
        let is_address = |address: IpAddr| !self.local || address.is_loopback();
        name.eq_ignore_ascii_case("localhost")
            || name.parse().is_ok_and(is_address)
            || self.names.iter().any(|ours| ours.eq_ignore_ascii_case(&name))
    }
}

/// Returns the name or address in a `Host`, or `None` if it is not a host with an optional
/// port.
fn host_name(host: &str) -> Option<String> {
    let authority: Authority = host.parse().ok()?;
    let name = authority.host();
    let is_whole = match host.strip_prefix(name)? {
        "" => true,
        _ => authority.port_u16().is_some(),
    };
    let name = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    is_whole.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::host_name;

    /// RFC 9110, 7.2: `Host = uri-host [ ":" port ]`.
    #[test]
    fn a_host_is_a_host_and_a_port() {
        for (host, expected) in [
            ("localhost", Some("localhost")),
            ("localhost:80", Some("localhost")),
            ("127.0.0.1:4000", Some("127.0.0.1")),
            ("[::1]:4000", Some("::1")),
            ("[::1]", Some("::1")),
            ("localhost:80@evil.com", None),
            ("localhost@evil.com", None),
            ("evil.com@localhost", None),
            ("localhost:80:90", None),
            ("localhost:x", None),
            ("localhost:99999", None),
            ("[::1]evil.com", None),
            ("[::1", None),
            ("localhost/evil.com", None),
            ("localhost evil.com", None),
            ("localhost#evil.com", None),
            ("", None),
        ] {
            assert_eq!(host_name(host).as_deref(), expected, "{host}");
        }
    }
}
