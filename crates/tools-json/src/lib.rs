//! agentcli's `tools.json`: a manifest of many tools, with few fields.
//!
//! A host [parses](parse) and [loads](load) a manifest, offers its tools to a model
//! ([`Manifest::openai_tools`]), and [plans](Tool::plan) each call. The host runs the
//! planned program. From the outcome, [`content`] makes the answer for the model, and
//! [`Audit`] the record for the log. This crate itself never runs a program.
//!
//! ```
//! use call::{End, Outcome, Step};
//! use manifest_core::{ValidateOptions, path::PathStyle};
//! use tools_json::{Host, Location, Timeouts};
//!
//! let text = br#"{"tools": [{"name": "get_time", "command": ["./tools/bin/get_time"]}]}"#;
//! let options = ValidateOptions::default();
//! let document = tools_json::parse(text, &options)?;
//! let manifest = tools_json::load(&document, &options).expect("a valid manifest");
//! let tool = &manifest.tools[0];
//!
//! let location = Location {
//!     directory: "/srv/agent",
//!     path_style: PathStyle::Posix,
//!     allow_absolute: false,
//! };
//! let host = Host { location, timeouts: Timeouts::default() };
//! let plan = tool.plan(r#"{"zone": "UTC"}"#, &host)?;
//! let Step::Run(program) = &plan.step else { panic!("a program") };
//! assert_eq!(program.argv, ["/srv/agent/tools/bin/get_time".into()]);
//!
//! let stdout = b"{\"now\": \"12:00\"}\n".to_vec();
//! let outcome = Outcome::Exited { end: End::Exit(0), stdout, stderr: Vec::new() };
//! assert_eq!(tools_json::content(&outcome), r#"{"now": "12:00"}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`FORMAT`] describes this format for conversion.

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

#[cfg(feature = "schema")]
mod arguments;
mod audit;
mod capabilities;
mod check;
mod command;
mod env;
mod go;
mod lens;
mod load;
mod manifest;
mod nodes;
mod openai;
mod outcome;
mod plan;
mod resolve;
pub mod rules;
mod semantics;
mod structure;
mod syntax;
mod table;
#[cfg(feature = "testkit")]
pub mod testkit;
mod unmarshal;
mod update;

#[cfg(feature = "schema")]
pub use arguments::{ArgumentsError, check_arguments};
pub use audit::{Audit, Redaction, Run};
pub use check::validate;
pub use lens::FORMAT;
pub use load::{load, parse};
pub use manifest::{Manifest, Tool};
pub use outcome::{content, error_content, unknown_tool};
pub use plan::{Host, Timeouts};
pub use resolve::{Location, ResolveError};
pub use table::schema;
pub use update::update;
