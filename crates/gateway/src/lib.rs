//! Serves every tool of a set of manifests.
//!
//! - [`Catalogue`] has every tool of some files and folders, with the names and schemas
//!   that MCP uses. It is read again if a file changes.
//! - [`Gateway`] makes the calls: it checks arguments, asks for approval if it is required,
//!   and records each call. [`Approvals`] are the approvals that a person gave earlier.
//! - [`BridgeSpec`] names the tools of one source, as the bridge command of a converted manifest
//!   does.
//! - [`stdio::serve`] is an MCP server for one client.
//! - [`http::serve`] is one server for MCP clients, hosts of other formats, clients of a
//!   Jumith [`registry`], and a person at a web page.
//!
//! ```
//! use toolglot_gateway::{Gateway, Options, with_server_grants};
//! # use std::os::unix::fs::PermissionsExt;
//! # use toolglot::call::{Answer, Policy};
//! # let root = std::env::temp_dir().join(format!("toolglot-serve-{}", std::process::id()));
//! # std::fs::create_dir_all(root.join("tools/bin"))?;
//! # let program = root.join("tools/bin/greet");
//! # std::fs::write(&program, "#!/bin/sh\nprintf hello\n")?;
//! # std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755))?;
//! # std::fs::write(root.join("tools.json"), r#"{"tools": [{"name": "greet",
//! #     "description": "Greets.", "command": ["./tools/bin/greet"]}]}"#)?;
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! # runtime.block_on(async {
//! // The folder has a tools.json with a tool "greet".
//! let options = Options {
//!     places: vec![root.clone()],
//!     formats: toolglot::FORMATS,
//!     policy: with_server_grants(Policy::default()),
//!     values: None,
//!     resolvers: host::Resolvers::default(),
//!     private_addresses: false,
//!     approvals: None,
//! };
//! let gateway = Gateway::new(options, |_: &host::Record| (), |notice| eprintln!("{notice}"))?;
//! let catalogue = gateway.catalogue();
//! let tool = catalogue.tool("greet").expect("a tool");
//!
//! let prepared = gateway.prepare_call(tool, "{}")?;
//! assert!(prepared.question().is_none(), "nobody has to be asked");
//! let called = gateway.call(&prepared, &|_| ()).await?;
//! assert_eq!(called.answer?, Answer::Text("hello".to_owned()));
//! # std::fs::remove_dir_all(&root)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The way of one call:
//!
//! 1. `catalogue.rs` finds the tool that is offered under a name.
//! 2. `prepare.rs` decodes and checks the arguments, plans the call with `plan.rs`, and
//!    finds what is missing and what a person must approve. For a chain, it does so for
//!    every tool that `chain.rs` finds.
//! 3. `mcp/approval.rs` asks the person through the MCP client.
//! 4. `execute.rs` checks the module of a Jumith tool, looks up secrets, and gives the plan
//!    to the host, which carries it out and judges the outcome.
//! 5. `result.rs` and `answers.rs` encode the answer for the client.
//!
//! The README lists the guarantees of this crate and their limits.

#[cfg(not(unix))]
compile_error!("this crate stands on a host for Unix");

mod answers;
mod approvals;
mod bridge_spec;
mod bundles;
mod call_description;
mod catalogue;
mod chain;
mod execute;
mod gateway;
pub mod http;
mod local_host;
mod manifest;
mod mcp;
mod module;
mod name_conflicts;
mod plan;
mod prepare;
mod prepared_call;
pub mod registry;
mod result;
mod scripts;
mod skipped;
pub mod stdio;
mod tool;
mod tool_claims;

pub use answers::encode_for_host;
pub use approvals::{Approval, Approvals};
pub use bridge_spec::{BridgeSpec, bridge_grants};
pub use bundles::{UnpackedBundle, unpack_bundle};
pub use call_description::describe_calls;
pub use catalogue::Catalogue;
pub use execute::Tracer;
pub use gateway::{Gateway, Options};
pub use local_host::{fit_score, select_implementation};
pub use manifest::Manifest;
pub use module::{ModuleCheck, ModuleError, check_module};
pub use plan::{
    available_values, installed_prefix, plan_call, plan_chain, resolvable_secrets,
    with_server_grants,
};
pub use prepared_call::{PreparedCall, Refusal};
pub use scripts::lacks_files;
pub use skipped::SkippedItem;
pub use tool::{McpView, Tool};
