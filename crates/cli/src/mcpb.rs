//! MCP bundles, for the verbs about packages.

use toolglot::core::SourceText;
use toolglot::mcpb::Bundle;

/// The manifest of a bundle, for messages.
pub(crate) fn manifest<'b>(bundle: &'b Bundle<'_>) -> SourceText<'b> {
    SourceText { name: "manifest.json", bytes: bundle.manifest() }
}
