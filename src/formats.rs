//! The formats that are compiled in, and which of them a document is in.

use manifest_core::json::Document;
use manifest_core::{Detected, Format, Formats, Unknown};

/// The formats that are compiled in.
pub static FORMATS: Formats<'static> = Formats::new(&[
    #[cfg(feature = "tools-json")]
    &tools_json::FORMAT,
    #[cfg(feature = "mcpkg")]
    &mcpkg::FORMAT,
    #[cfg(feature = "jumith")]
    &jumith::FORMAT,
    #[cfg(feature = "capability")]
    &capability::FORMAT,
    #[cfg(feature = "install-manifest")]
    &install_manifest::FORMAT,
    #[cfg(feature = "mcpb")]
    &mcpb::FORMAT,
    #[cfg(feature = "server-json")]
    &server_json::FORMAT,
    #[cfg(feature = "tool-list")]
    &tool_list::FORMAT,
]);

/// The format of that name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.named(name)
}

/// The format of a document among [`FORMATS`], and what gave it away. With another
/// set, see [`Formats::detect`](crate::Formats::detect).
pub fn detect(document: &Document<'_>) -> Result<(&'static Format, Detected), Unknown> {
    FORMATS.detect(document)
}
