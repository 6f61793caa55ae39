//! The formats of the MCP world, each a module behind a feature of its name.
//!
//! - [`mcpb`]: manifests of MCP bundles, and the bundles.
//! - [`server_json`]: the `server.json` of the MCP registry.
//! - [`tool_list`]: lists of tools, as MCP servers return them and model providers take them.
//!
//! ```
//! use manifest_core::{Limits, ValidateOptions, json::Document};
//!
//! let text = br#"{"tools": [{"name": "find", "inputSchema": {"type": "object"}}]}"#;
//! let document = Document::parse(text, &Limits::default())?;
//! assert!(toolglot_mcp::tool_list::validate(&document, &ValidateOptions::default()).is_valid());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

#[cfg(feature = "mcpb")]
pub mod mcpb;
#[cfg(feature = "server-json")]
pub mod server_json;
#[cfg(any(feature = "mcpb", feature = "server-json", feature = "tool-list"))]
mod shared;
#[cfg(feature = "tool-list")]
pub mod tool_list;
