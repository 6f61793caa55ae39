//! Exports tools to model providers: MCP, OpenAI, Anthropic and Gemini.
//!
//! - [`export`] converts tools for a [`Target`]. Each gets a [name](Names) that the target
//!   accepts and that leads back to the tool, and a schema that the target supports.
//! - [`CompiledSchema`] holds such a schema and its relation to that of the tool (equal, narrower
//!   or wider, where that can be proved), with each change and its place.
//! - [`ValueConverter`] decodes the arguments that a model sends, and checks them. A model can act on
//!   its messages.
//! - [`Shape`] distinguishes the shapes of listed tools, and [`from_gemini_schema`] reads Gemini's
//!   schemas. The lists themselves are a format, `toolglot_mcp::tool_list`.
//! - [`export_all`] exports the tools of several manifests, [`compat`] shows which tools
//!   each target supports, and [`mcp_config`] writes configurations for programs with MCP
//!   servers.
//!
//! ```
//! use manifest_core::{Limits, Text, ToolDescriptor, json::Raw};
//! use manifest_core::schema::Relation;
//! use toolglot_providers::{Options, Target, export};
//!
//! let schema = r#"{"type": "object", "properties": {
//!     "to": {"type": "string", "format": "email"},
//!     "copies": {"type": "integer", "minimum": 1}
//! }, "required": ["to"], "additionalProperties": false}"#;
//! let tools = [ToolDescriptor {
//!     id: Text::Borrowed("tool:email.send").into(),
//!     summary: Some(Text::Borrowed("Sends a letter.").into()),
//!     input_schema: Some(Raw::parse(schema)?.into()),
//!     ..ToolDescriptor::default()
//! }];
//!
//! let options = Options { strict: true, ..Options::new(Target::OpenAiChat) };
//! let export = export(&tools, &options);
//! let offer = export.offer("tool_email_send_7422f358").unwrap();
//! assert_eq!(offer.tool.id.value, "tool:email.send");
//!
//! // Every member must be required there, so one that is left out is null instead. Nothing
//! // else is lost or added.
//! assert_eq!(offer.input.relation, Relation::Equal);
//! let argument_converter = offer.argument_converter(&Limits::default()).expect("a schema that can be run");
//! let arguments = argument_converter.decode(r#"{"to": "ann@example.org", "copies": null}"#)?;
//! assert_eq!(arguments, r#"{"to":"ann@example.org"}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate opens no file or socket, and reads no clock or environment variable.

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

mod budget;
#[cfg(feature = "schema")]
mod call;
mod catalog;
mod change;
mod classes;
mod codec;
mod compat;
mod compile;
mod config;
mod dialect;
mod export;
mod gemini;
mod json;
mod load;
mod lower;
mod lowering;
mod measure;
mod merge;
mod names;
mod part_types;
mod parts;
mod prune_unsatisfiable;
mod rename;
mod report;
pub mod rules;
mod sentence;
mod shape;
mod target;
mod to_gemini;
mod write;

#[cfg(feature = "schema")]
pub use call::{Fault, Refusal, ValueConverter};
pub use catalog::Source;
pub use change::{Change, ChangeKind, CompiledSchema};
pub use codec::Codec;
pub use compat::{Column, Compat, Verdict, compat};
pub use config::{Config, ConfigHost, ServerEntry, mcp_config};
pub use export::{Export, Offer, SkippedTool, export, export_all, openai_function};
pub use gemini::from_gemini_schema;
pub use names::{
    ANTHROPIC_NAME, ANTHROPIC_PROPERTY, GEMINI_NAME, GEMINI_PROPERTY, MCP_NAME, NameGrammar, Names,
    OPENAI_NAME,
};
pub use report::ReportSection;
pub use shape::Shape;
pub use target::{Options, Revision, Target};
pub use to_gemini::to_gemini_schema;
