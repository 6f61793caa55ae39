//! Rules for URLs, paths and headers of requests, shared by checks and plans.

pub(crate) use manifest_core::http::{is_header_name, is_path};
#[cfg(feature = "engine")]
use manifest_core::{quoted, url};

/// Headers that affect where a message goes or where it ends. Setting one causes a warning.
/// Planning refuses those in [`FRAMING`](manifest_core::http::FRAMING).
pub(crate) const RESERVED: &[&str] =
    &["host", "content-length", "transfer-encoding", "connection", "proxy-authorization", "cookie"];

/// Parses the URL of a request. Fails if it contains a template.
#[cfg(feature = "engine")]
pub(crate) fn parse_url(text: &str) -> Result<url::HttpUrl<'_>, String> {
    if text.contains("${") {
        return Err(format!("{}: there are no templates in this URL", quoted(text)));
    }
    url::check_http(text).map_err(|error| format!("{}: {error}", quoted(text)))
}
