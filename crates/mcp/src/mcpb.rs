//! MCPB 0.1 to 0.4: the `manifest.json` of MCP bundles, formerly DXT.
//!
//! ```
//! use manifest_core::{Limits, ValidateOptions, json::Document};
//!
//! let text = br#"{
//!   "manifest_version": "0.3", "name": "notes", "version": "1.2.0",
//!   "description": "Keeps notes in a folder.", "author": {"name": "A. Person"},
//!   "server": {
//!     "type": "node", "entry_point": "server/index.js",
//!     "mcp_config": {"command": "node", "args": ["${__dirname}/server/index.js"]}
//!   },
//!   "tools": [{"name": "find", "description": "Finds notes by their words."}]
//! }"#;
//! let limits = Limits::default();
//! let document = Document::parse(text, &limits)?;
//! assert!(toolglot_mcp::mcpb::validate(&document, &ValidateOptions::default()).is_valid());
//!
//! let lifted = toolglot_mcp::mcpb::FORMAT.lift(&document, &limits).map_err(|_| "not valid")?;
//! assert_eq!(lifted.tools[0].id.value, "notes.find");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Bundle`]: the files of a `.mcpb`, and the checks between them.
//! - [`FORMAT`]: the format, for conversion.

mod add_tools;
mod bundle;
mod lens;
pub mod rules;
mod semantics;
mod table;
#[cfg(feature = "testkit")]
pub mod testkit;
mod variables;

pub use crate::shared::tool_name;
pub use add_tools::with_tools;
pub use bundle::Bundle;
pub use lens::FORMAT;
pub use semantics::validate;
