//! Where requests are sent.

use manifest_core::{quoted, url};

/// Why a text is not a URL that a request can be sent to.
pub(crate) fn check(text: &str) -> Result<url::HttpUrl<'_>, String> {
    if text.contains("${") {
        return Err(format!("{}: there are no templates in this URL", quoted(text)));
    }
    url::check_http(text).map_err(|error| format!("{}: {error}", quoted(text)))
}
