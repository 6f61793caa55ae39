//! One call of a tool of any format, without I/O.
//!
//! [`plan`] takes a tool and its arguments. It returns the exact step to run, send or ask,
//! the missing prerequisites, and warnings. A host carries out the step, and [`Plan::next`]
//! judges the outcome by the tool's own format: an answer, a failure, or one more step. A
//! plan contains no values of variables. It contains placeholders with their names, which
//! the host fills in last. [`Policy`] decides if a tool may be called at all.
//!
//! ```
//! use call::{Answer, End, Facts, Next, Outcome, Policy, Step, plan};
//! use manifest_core::descriptor::{Command, CommandInput, Invocation, SideEffects};
//! use manifest_core::format::{Calling, Contract};
//! use manifest_core::{Limits, ToolDescriptor};
//!
//! # const CONTRACT: Contract = Contract {
//! #     unnamed: "passed on", examples: "", fills_defaults: true, keeps_timeout: true,
//! #     environment: "", directory: "", timeout: "", result: "", failure: "",
//! #     calling: Calling::PLAIN,
//! # };
//! let command = Command {
//!     argv: ["notes".into()].into(),
//!     cwd: None,
//!     input: CommandInput::Templates(vec!["find".into(), "--".into(), "${input.query}".into()]),
//! };
//! let tool = ToolDescriptor {
//!     id: "notes.find".into(),
//!     side_effects: Some(SideEffects::Read.into()),
//!     invocation: Some(Invocation::Command(command).into()),
//!     ..ToolDescriptor::default()
//! };
//! let policy = Policy::default();
//! let facts = Facts { has: &|_| false, implementation: None, installed: true, policy: &policy };
//! let limits = Limits::default();
//!
//! let plan = plan(&tool, &CONTRACT, r#"{"query": "; rm -rf /"}"#, &facts, &limits)?;
//! assert!(plan.missing.is_empty());
//! let Step::Run(program) = &plan.step else { return Err("a program".into()) };
//! let argv: Vec<String> = program.argv.iter().map(ToString::to_string).collect();
//! assert_eq!(argv, ["notes", "find", "--", "; rm -rf /"]);
//!
//! let outcome = Outcome::Exited { end: End::Exit(0), stdout: b"two\n".to_vec(), stderr: vec![] };
//! assert_eq!(plan.next(&outcome, &limits), Next::Done(Ok(Answer::Text("two\n".into()))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate accesses no files, sockets, clocks or environment variables.

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

mod arguments;
mod command_line;
mod fill;
mod judge;
mod making;
mod outcome;
mod plan;
mod policy;
mod reach;
mod registry;
pub mod rules;
mod shown;
mod step;
mod text;

pub use arguments::Arguments;
pub use command_line::{needs_shell, split_command_line};
pub use judge::{Failure, Judge, Reason, Retry, Returned, lossy, one_line, returned};
pub use outcome::{Answer, End, Outcome};
pub use plan::{Facts, Missing, Next, Plan, Then, Variable, Warning, find, plan, plan_of};
pub use policy::{Concern, Grant, Policy, Verdict};
pub use reach::{Destination, is_host};
pub use step::{
    Base, Download, Instructions, Module, Nested, Program, Request, Server, Sought, Step, ToolCall,
    What,
};
pub use text::{FillError, Hole, Template};
