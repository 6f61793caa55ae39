//! The web page where a person searches, reads and tries tools.

use axum::body::Body;
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, REFERRER_POLICY, X_FRAME_OPTIONS,
};
use axum::http::{Response, StatusCode};
use data_encoding::{BASE64, HEXLOWER};
use toolglot::core::sha256_hex;

use super::response::response;

const PAGE: &str = include_str!("page.html");

/// Builds the page. It may run only its own script and style, and send requests only to its
/// own server.
pub(super) fn page() -> Response<Body> {
    let mut page = response(StatusCode::OK, "text/html; charset=utf-8", PAGE);
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        csp_digest("script"),
        csp_digest("style")
    );
    let headers: [(HeaderName, &str); 3] = [
        (CONTENT_SECURITY_POLICY, &policy),
        (REFERRER_POLICY, "no-referrer"),
        (X_FRAME_OPTIONS, "DENY"),
    ];
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::from_str(value) {
            page.headers_mut().insert(name, value);
        }
    }
    page
}

/// Returns the digest of an element's text, as a content security policy writes it. The
/// page has one element of each such name.
fn csp_digest(element: &str) -> String {
    let (open, close) = (format!("<{element}>"), format!("</{element}>"));
    let inside = PAGE.split_once(&open).and_then(|(_, rest)| rest.split_once(&close));
    let text = inside.map_or("", |(text, _)| text);
    let bytes = HEXLOWER.decode(sha256_hex(text.as_bytes()).as_bytes()).unwrap_or_default();
    format!("sha256-{}", BASE64.encode(&bytes))
}
