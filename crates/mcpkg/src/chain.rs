//! Chains: tools that call other tools, one after the other.
//!
//! [`ChainRun`] is a state machine without I/O. It returns the next call, and is resumed
//! with the output of the tool:
//!
#![cfg_attr(all(feature = "call", feature = "schema"), doc = "```")]
#![cfg_attr(not(all(feature = "call", feature = "schema")), doc = "```ignore")]
//! use manifest_core::{Limits, json::Document};
//! use toolglot_mcpkg::Manifest;
//! use toolglot_mcpkg::chain::{ChainOptions, ChainRun, ChainAction};
//!
//! let limits = Limits::default();
//! let document = Document::parse(
//!     br#"{"toolId": "demo.shout", "chain": [
//!       {"step": "read", "tool": "demo.read", "inputMapping": {"path": "$.input.file"}},
//!       {"step": "shout", "tool": "demo.upper", "inputMapping": {"text": "$.read.content"}}
//!     ], "input_schema": {"properties": {"file": {"default": "a.txt"}}}}"#,
//!     &limits,
//! )?;
//! let manifest = Manifest::read(&document);
//! let mut run = ChainRun::new(&manifest, b"{}", ChainOptions::default())?;
//! while let ChainAction::Call(call) = run.next()? {
//!     // Here the host calls the tool.
//!     let output = match call.call.tool.as_str() {
//!         "demo.read" => {
//!             assert_eq!(call.call.arguments, r#"{"path":"a.txt"}"#);
//!             r#"{"content": "hello"}"#
//!         }
//!         _ => r#"{"text": "HELLO"}"#,
//!     };
//!     run.resume(output.as_bytes())?;
//! }
//! assert_eq!(run.finish().unwrap().output, r#"{"text": "HELLO"}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assemble;
mod mermaid;
#[cfg(all(feature = "call", feature = "schema"))]
mod run;
mod tools;
mod types;

pub use assemble::{Argument, AssembledChain, ChainInfo, assemble};
pub use mermaid::mermaid;
#[cfg(all(feature = "call", feature = "schema"))]
pub use run::{ChainAction, ChainCall, ChainError, ChainOptions, ChainOutcome, ChainRun, Trace};
pub use tools::{KnownTool, check_tools, risk};
