//! The half with I/O: carries out the calls of tools.
//!
//! [`call::plan`] describes what to run, send or ask, without values of variables.
//! [`collect`] gathers the [`Values`]: from the environment, a file, programs that look up
//! secrets ([`Resolvers`]), or a person. [`Host::call`] carries out the plan step by step,
//! and returns the answer as the tool's format judges it.
//!
//! ```
//! use call::{Answer, HostFacts, Policy, plan};
//! use toolglot_host::{Host, Options, Origin, Values, collect};
//! # use manifest_core::descriptor::{Command, CommandInput, Invocation, SideEffects};
//! # use manifest_core::format::{HostRules, Contract};
//! # use manifest_core::{Limits, ToolDescriptor};
//! # const CONTRACT: Contract = Contract {
//! #     extra_arguments: "passed on", examples: "", fills_defaults: true, keeps_timeout: true,
//! #     environment: "", directory: "", timeout: "", result: "", failure: "",
//! #     host_rules: HostRules::PLAIN,
//! # };
//! # let command = Command {
//! #     argv: ["/bin/echo".into()].into(),
//! #     cwd: None,
//! #     input: CommandInput::Templates(vec!["found:".into(), "${input.query}".into()]),
//! # };
//! # let tool = ToolDescriptor {
//! #     id: "notes.find".into(),
//! #     side_effects: Some(SideEffects::Read.into()),
//! #     invocation: Some(Invocation::Command(command).into()),
//! #     ..ToolDescriptor::default()
//! # };
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! # runtime.block_on(async {
//! // A tool of any format, which runs /bin/echo with its argument.
//! let (policy, given) = (Policy::default(), Values::new());
//! let has = |name: &str| given.has(name);
//! let facts = HostFacts { has_value: &has, ..HostFacts::new(&policy) };
//! let arguments = r#"{"query": "$(id); *"}"#;
//! let plan = plan(&tool, &CONTRACT, arguments, &facts, &Limits::default()).ready()?;
//!
//! let host = Host::new(Options::default())?.with_audit(|record: &toolglot_host::Record| {
//!     assert_eq!(record.targets, ["/bin/echo"]); // names, never values
//! });
//! let values = collect(&plan.variables, &given, None)?;
//! let answer = host.call(&plan, &Origin::folder("."), &values).await?;
//! assert_eq!(answer, Answer::Text("found: $(id); *\n".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - Programs run without a shell, with the exact environment, in a process group of their
//!   own that ends with the call.
//! - Requests reach public addresses only, unless [`Options::private_addresses`] is set.
//! - MCP servers are started once and used again.
//! - Functions of Node and Python run in a process of their own runtime.
//! - [`Limits`] bounds the cost of calls. Dropping the future of a call cancels it, and
//!   leaves nothing behind.
//!
//! The README lists the guarantees of this crate and their limits.

#[cfg(not(unix))]
compile_error!("this crate ends process groups and opens folders as Unix does");

mod audit;
mod fetch;
mod host;
mod http;
mod install;
mod limits;
mod mcp;
mod module;
mod origin;
mod process;
mod program;
mod progress;
mod resolvers;
mod software;
mod value_file;
mod values;

pub use audit::{Audit, CallEnd, Log, Record};
pub use call::{AskValue, ValueError, VariableError, VariableErrors};
pub use fetch::FetchedDocument;
pub use host::{CallResult, Error, Host, Options};
pub use limits::Limits;
pub use origin::Origin;
pub use program::check_present;
pub use progress::{Progress, Watch};
pub use resolvers::{ResolveError, Resolvers};
pub use software::{has_program, program_output};
pub use value_file::FileError;
pub use values::{Values, collect};
