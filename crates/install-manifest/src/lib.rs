//! Toolspace install manifests: everything an agent needs to install, check and revoke a
//! tool. Versions 0.1, 0.2, 0.3, 0.3.1 and 0.4.
//!
//! ```
//! use toolglot_install_manifest::{Install, Manifest};
//! use manifest_core::{Limits, ValidateOptions, json::Document};
//!
//! let text = br#"{
//!   "manifest_version": "0.2",
//!   "tool": {
//!     "id": "tinytool",
//!     "version": "1.0.0",
//!     "name": "Tiny Tool",
//!     "summary": "A tiny tool.",
//!     "homepage": "https://example.com/tinytool"
//!   },
//!   "runtime": {
//!     "kind": "shell-binary",
//!     "install": {"method": "pip", "package": "tinytool", "version_spec": "==1.0.0"},
//!     "entrypoint": {"command": ["tinytool"]}
//!   },
//!   "actions": [{
//!     "name": "version",
//!     "summary": "Print the version.",
//!     "invocation": {"kind": "subcommand", "argv_template": ["--version"]},
//!     "side_effects": "none"
//!   }],
//!   "smoke": {
//!     "kind": "shell",
//!     "command": ["tinytool", "--version"],
//!     "success": {"exit_code": 0}
//!   },
//!   "kill_switch": {"kind": "manual", "instructions_url": "https://example.com/revoke"}
//! }"#;
//! let document = Document::parse(text, &Limits::default())?;
//! assert!(toolglot_install_manifest::validate(&document, &ValidateOptions::default()).is_valid());
//!
//! let manifest = Manifest::read(&document).ok_or("not a manifest")?;
//! assert!(matches!(&manifest.runtime.install, Install::Pip { package, .. } if package == "tinytool"));
//! assert_eq!(manifest.actions[0].name, "version");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`engine`] plans what a host does with a valid manifest.
//!
//! [`FORMAT`] describes this format for conversion.

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

mod advice;
mod check;
mod conditions;
#[cfg(feature = "engine")]
pub mod engine;
mod enums;
mod grammar;
mod http;
mod installer;
mod lens;
mod limits;
mod manifest;
pub mod rules;
mod schema;
mod semantics;
mod structure;
mod table;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use check::validate;
pub use enums::{
    Cadence, Layout, Method, Place, RuntimeKind, Sensitivity, ThirdPartyRetention, UsageModel,
    Verb, Version,
};
pub use lens::FORMAT;
pub use manifest::{
    Action, Author, Cost, DEFAULT_TIMEOUT_SECONDS, DataBoundary, Docs, Entrypoint, EnvVar, Example,
    Install, Invocation, KillSwitch, Locator, Manifest, Output, Persists, Reads, Retention,
    Runtime, Schedule, Scope, Sla, Smoke, SmokeKind, Success, Suite, Support, Tool, Transmits,
    Verify,
};
pub use manifest_core::descriptor::{ErrorEnvelope, OutputFormat, SideEffects};
pub use schema::schema;
