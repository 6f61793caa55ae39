//! Lists of tools: the result of `tools/list` of an MCP server, and the `tools` in requests
//! to OpenAI, Anthropic and Gemini.
//!
//! A list does not declare how its tools are called. The member `server` beside it declares
//! how to reach their MCP server:
//!
//! ```
//! use manifest_core::{Limits, ValidateOptions, json::Document};
//! use toolglot_mcp::tool_list::{Server, with_server};
//!
//! let text = br#"{"tools": [{
//!   "name": "find", "description": "Finds notes by their words.",
//!   "inputSchema": {"type": "object", "properties": {"words": {"type": "string"}}},
//!   "annotations": {"readOnlyHint": true}
//! }]}"#;
//! let limits = Limits::default();
//! let document = Document::parse(text, &limits)?;
//! assert!(toolglot_mcp::tool_list::validate(&document, &ValidateOptions::default()).is_valid());
//! let lifted = toolglot_mcp::tool_list::FORMAT.lift(&document, &limits).map_err(|_| "not valid")?;
//! assert!(lifted.tools[0].invocation.is_none());
//!
//! let started = with_server(&document, &Server::Command(vec!["npx".into(), "notes".into()]))?;
//! let document = Document::parse(started.as_bytes(), &limits)?;
//! let lifted = toolglot_mcp::tool_list::FORMAT.lift(&document, &limits).map_err(|_| "not valid")?;
//! assert!(lifted.tools[0].invocation.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`FORMAT`] is the format, for conversion.

mod lens;
pub mod rules;
mod semantics;
mod server;
mod table;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use lens::FORMAT;
pub use semantics::validate;
pub use server::{ParseServerError, Server, with_server};
