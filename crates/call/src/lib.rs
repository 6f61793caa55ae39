//! One call of a tool of any format, without I/O.
//!
//! [`plan`] takes a tool and its arguments, and decides about the call by a [`Policy`]. A
//! call that is [ready](Planned::Ready) has a [`Plan`]: the exact step to run, send or ask,
//! what the host must provide for it, and warnings. A call that a person must
//! [approve](Ask::approve) has one after that, and a [refused](Refused) call has none. A
//! host carries out the step, and [`Plan::next`] judges the outcome by the tool's own
//! format: an answer, a failure, or one more step. A plan contains no values of variables.
//! It contains placeholders with their names, which the host fills in last.
//!
//! ```
//! use toolglot_call::{Answer, End, HostFacts, Next, Outcome, Policy, Step, plan};
//! use manifest_core::descriptor::{Command, CommandInput, Invocation, SideEffects};
//! use manifest_core::format::{HostRules, Contract};
//! use manifest_core::{Limits, ToolDescriptor};
//!
//! # const CONTRACT: Contract = Contract {
//! #     extra_arguments: "passed on", examples: "", fills_defaults: true, keeps_timeout: true,
//! #     environment: "", directory: "", timeout: "", result: "", failure: "",
//! #     host_rules: HostRules::PLAIN,
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
//! let (facts, limits) = (HostFacts::new(&policy), Limits::default());
//!
//! let planned = plan(&tool, &CONTRACT, r#"{"query": "; rm -rf /"}"#, &facts, &limits);
//! let plan = planned.ready()?;
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

mod address;
mod allow_list;
mod arguments;
mod command_line;
mod display;
mod fill;
mod judge;
mod location;
mod outcome;
mod plan;
mod planned;
mod planner;
mod policy;
mod ready;
mod registry;
pub mod rules;
mod step;
mod step_builder;
mod template;
mod variable;

pub use address::is_private_address;
pub use arguments::Arguments;
pub use command_line::split_command_line;
pub use judge::{
    Failure, FailureKind, Judge, Retry, ToolResult, decode_lossy, join_lines, parse_tool_result,
};
pub use location::{ProgramLocation, SYSTEM_FOLDERS, join_below};
pub use manifest_core::command_line::needs_shell;
pub use manifest_core::{Destination, http, is_host};
pub use outcome::{Answer, End, Outcome};
pub use plan::{Missing, Next, OutcomeUse, Plan, Warning};
pub use planned::{Ask, Planned, RefusalReason, Refused, explain_arguments};
pub use planner::{HostFacts, find_tool, plan, plan_in_manifest};
pub use policy::{Concern, Grant, Policy, Verdict, join_concerns};
pub use ready::{DEFAULT_TIMEOUT, MAX_ANSWER_BYTES, MAX_TIMEOUT, NotReady};
pub use step::{
    Download, FindKind, FindTarget, Instructions, ModuleCall, NestedCall, Program, ProgramSearch,
    Request, Server, Step, ToolCall,
};
pub use template::{FillError, PlaceholderPosition, Template};
pub use variable::{
    AskValue, MAX_ATTEMPTS, ValidValues, ValueError, Variable, VariableError, VariableErrors,
    collect_values,
};
