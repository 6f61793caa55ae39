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

/// Returns the generators of documents of every format that is compiled in.
#[cfg(feature = "testkit")]
pub fn testkits() -> impl Iterator<Item = &'static testkit::Testkit> {
    TESTKITS.iter().copied()
}

#[cfg(feature = "testkit")]
static TESTKITS: &[&testkit::Testkit] = &[
    #[cfg(feature = "tools-json")]
    &tools_json::testkit::TESTKIT,
    #[cfg(feature = "mcpkg")]
    &mcpkg::testkit::TESTKIT,
    #[cfg(feature = "jumith")]
    &jumith::testkit::TESTKIT,
    #[cfg(feature = "capability")]
    &capability::testkit::TESTKIT,
    #[cfg(feature = "install-manifest")]
    &install_manifest::testkit::TESTKIT,
    #[cfg(feature = "mcpb")]
    &mcp::mcpb::testkit::TESTKIT,
    #[cfg(feature = "server-json")]
    &mcp::server_json::testkit::TESTKIT,
    #[cfg(feature = "tool-list")]
    &mcp::tool_list::testkit::TESTKIT,
];
