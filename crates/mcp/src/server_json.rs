//! The `server.json` of the MCP registry, from the date 2025-07-09 to 2025-12-11.
//!
//! ```
//! use manifest_core::{Limits, ValidateOptions, json::Document};
//!
//! let text = br#"{
//!   "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
//!   "name": "com.example/notes", "version": "1.2.0",
//!   "description": "Keeps notes in a folder.",
//!   "packages": [{
//!     "registryType": "npm", "identifier": "@example/notes", "version": "1.2.0",
//!     "transport": {"type": "stdio"}
//!   }]
//! }"#;
//! let limits = Limits::default();
//! let document = Document::parse(text, &limits)?;
//! assert!(toolglot_mcp::server_json::validate(&document, &ValidateOptions::default()).is_valid());
//!
//! let lifted = toolglot_mcp::server_json::FORMAT.lift(&document, &limits).map_err(|_| "not valid")?;
//! assert_eq!(lifted.tools[0].id.value, "com.example/notes");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`FORMAT`] is the format, for conversion.

mod add_tools;
mod dates;
mod lens;
pub mod rules;
mod semantics;
mod spellings;
mod table;
#[cfg(feature = "testkit")]
pub mod testkit;
mod variables;

pub use add_tools::with_tools;
pub use lens::FORMAT;
pub use semantics::validate;
