//! MCPB: `manifest.json` of MCP bundles, version 0.3.
//!
//! The worked example of `docs/new-format.md`: a sixth format, outside of toolglot's
//! workspace.

mod lens;
mod meaning;
pub mod rules;
mod table;
pub mod testkit;

pub use lens::FORMAT;
pub use meaning::validate;
