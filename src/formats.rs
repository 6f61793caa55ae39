//! The formats that are compiled in, and the detection of a document's format.

use manifest_core::json::Document;
use manifest_core::{DetectError, Detection, Format, Formats};

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
    &mcp::mcpb::FORMAT,
    #[cfg(feature = "server-json")]
    &mcp::server_json::FORMAT,
    #[cfg(feature = "tool-list")]
    &mcp::tool_list::FORMAT,
]);

/// Returns the format with this name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.by_name(name)
}

/// Returns the format of a document among [`FORMATS`], and the evidence for it. For another
/// set, see [`Formats::detect`](crate::Formats::detect).
pub fn detect(document: &Document<'_>) -> Result<(&'static Format, Detection), DetectError> {
    FORMATS.detect(document)
}
