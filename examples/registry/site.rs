//! A registry as a web site: the API, and a page to search and read tools.

use toolglot::jumith::server::Registry;

use super::http::{Answer, Request};

/// What a page may do: load its own parts, and ask its own registry.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// Answers a request. With `local`, only requests that name this machine: a page
/// from elsewhere could otherwise be made to read what is served here.
pub(crate) fn answer(registry: &Registry, request: &Request, local: bool) -> Answer {
    if local && !request.header("host").is_some_and(is_local) {
        return Answer::text(421, "This registry is for clients on this machine\n");
    }
    let path = request.target.split('?').next().unwrap_or_default();
    let part = match path {
        "/" => Some(("text/html; charset=utf-8", include_str!("page.html"))),
        "/page.js" => Some(("text/javascript; charset=utf-8", include_str!("page.js"))),
        "/page.css" => Some(("text/css; charset=utf-8", include_str!("page.css"))),
        _ => None,
    };
    if let Some((kind, text)) = part.filter(|_| matches!(request.method.as_str(), "GET" | "HEAD")) {
        let headers = vec![
            ("Content-Type", kind.to_owned()),
            ("X-Content-Type-Options", "nosniff".to_owned()),
            ("Content-Security-Policy", POLICY.to_owned()),
            ("Cache-Control", "no-cache".to_owned()),
        ];
        return Answer { status: 200, headers, body: text.as_bytes().to_vec() };
    }
    let headers = request.headers.iter();
    let headers: Vec<(&str, &str)> = headers.map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let response = registry.handle(&request.method, &request.target, &headers);
    Answer { status: response.status, headers: response.headers, body: response.body }
}

/// Whether a `Host` header names this machine, on any port.
fn is_local(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}
