//! URLs of requests.

use manifest_core::{quoted, url};

/// Parses the URL of a request. Fails if it contains a template.
pub(crate) fn parse_url(text: &str) -> Result<url::HttpUrl<'_>, String> {
    if text.contains("${") {
        return Err(format!("{}: there are no templates in this URL", quoted(text)));
    }
    url::check_http(text).map_err(|error| format!("{}: {error}", quoted(text)))
}
