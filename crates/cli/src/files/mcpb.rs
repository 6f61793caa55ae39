//! MCP bundles, for the verbs that read packages.

use toolglot::core::SourceText;
use toolglot::mcpb::Bundle;

/// Returns the manifest of a bundle as a source for messages.
pub(crate) fn manifest_source<'b>(bundle: &'b Bundle<'_>) -> SourceText<'b> {
    SourceText { name: "manifest.json", bytes: bundle.manifest() }
}
