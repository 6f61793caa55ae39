//! agentcli's `tools.json`: a manifest of many tools, with few fields.
//!
//! [`validate`] checks a manifest, and [`FORMAT`] reads and writes it. [`call::plan()`] plans
//! calls of its tools, as for any format, and [`Audit`] is the record of a call for agentcli's
//! log.
//!
#![cfg_attr(feature = "call", doc = "```")]
#![cfg_attr(not(feature = "call"), doc = "```ignore")]
//! use call::{Answer, End, HostFacts, Next, Outcome, Planned, Policy, Step};
//! use manifest_core::{Limits, json::Document};
//!
//! let text = br#"{"tools": [{"name": "get_time", "command": ["./tools/bin/get_time"]}]}"#;
//! let limits = Limits::default();
//! let document = Document::parse(text, &limits)?;
//! let lifted = toolglot_tools_json::FORMAT.lift(&document, &limits)?;
//! let tool = &lifted.tools[0];
//!
//! let policy = Policy::default();
//! let facts = HostFacts::new(&policy);
//! let contract = (toolglot_tools_json::FORMAT.contract)(tool);
//! let planned = call::plan(tool, &contract, r#"{"zone": "UTC"}"#, &facts, &limits);
//! // The format has no word for what a tool changes, so a person is asked.
//! let Planned::Ask(ask) = planned else { panic!("a question") };
//! let plan = ask.approve();
//! let Step::Run(program) = &plan.step else { panic!("a program") };
//! assert_eq!(program.argv, ["./tools/bin/get_time".into()]);
//! assert_eq!(program.stdin.as_deref(), Some(r#"{"zone": "UTC"}"#));
//!
//! let stdout = b"{\n  \"now\": \"12:00\"\n}\n".to_vec();
//! let outcome = Outcome::Exited { end: End::Exit(0), stdout, stderr: Vec::new() };
//! let answer = Answer::Text(r#"{ "now": "12:00" }"#.to_owned());
//! assert_eq!(plan.next(&outcome, &limits), Next::Done(Ok(answer)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

#[cfg(feature = "call")]
mod audit;
mod check;
mod command;
mod env;
mod go;
mod lens;
#[cfg(feature = "reference")]
mod reference;
pub mod rules;
mod semantics;
mod structure;
mod table;
#[cfg(feature = "testkit")]
pub mod testkit;

#[cfg(feature = "call")]
pub use audit::{Audit, Redaction, Run};
pub use check::validate;
pub use lens::FORMAT;
#[cfg(feature = "reference")]
pub use reference::parse;
pub use table::schema;
