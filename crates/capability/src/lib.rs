//! Unison capability manifest 0.1: the local source of truth for capabilities that may run.
//!
#![cfg_attr(feature = "call", doc = "```")]
#![cfg_attr(not(feature = "call"), doc = "```ignore")]
//! use call::Step;
//! use toolglot_capability::{Catalog, Channel, CatalogEntry, Layers, Policy, run};
//! use manifest_core::ValidateOptions;
//!
//! let text = r#"{
//!   "id": "demo.echo", "type": "tool", "version": "1.0.0", "description": "Says it again.",
//!   "origin": {"source": "local", "path": ".",
//!              "digest": "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"},
//!   "interfaces": {"inputs": {"type": "object"}, "outputs": {"type": "object"}},
//!   "permissions": {"network": "deny", "filesystem": "none", "devices": []},
//!   "runtime": {"sandbox": "process", "resources": {"cpu": "default", "memory": "128Mi"}},
//!   "trust_level": "local",
//!   "implementation": {"kind": "command", "command": {"argv": ["echo", "hello"]}}
//! }"#;
//! let entry = CatalogEntry::parse(text, &ValidateOptions::default()).expect("a valid manifest");
//! let layers = Layers::new(Catalog::from_iter([entry]), Catalog::default());
//!
//! let policy = Policy::default();
//! let run = run::plan_by_id(&layers, "demo.echo", "{}", Channel::Programmatic, &policy)?;
//! let Step::Run(program) = &run.plan.step else { panic!("a program") };
//! assert_eq!(program.argv, ["echo".into(), "hello".into()]);
//! assert_eq!(run.plan.timeout_ms, Some(30_000));
//! # Ok::<(), toolglot_capability::Denial>(())
//! ```
//!
//! - [`validate`] checks a manifest or a catalog. [`Manifest`] is
//!   what a host decides by.
//! - [`Catalog`] is a list of manifests. [`Layers`] puts local changes over a shipped
//!   catalog.
//! - [`Policy`] allows an action, or denies it with a reason.
//! - [`install`], [`registries`] and [`run`] plan the actions of a host. [`resolve`] finds
//!   capabilities.
//! - [`FORMAT`] defines this format for conversion.
//!
//! This crate opens no files or sockets. The host does, according to the plans.

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

mod advice;
mod canonical;
mod catalog;
mod check;
mod grammar;
pub mod install;
mod layers;
mod lens;
mod manifest;
mod policy;
#[cfg(feature = "reference")]
mod reference;
#[cfg(feature = "call")]
pub mod registries;
#[cfg(feature = "call")]
pub mod resolve;
pub mod rules;
#[cfg(feature = "call")]
pub mod run;
mod semantics;
mod structure;
mod table;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use canonical::{canonical_json, digest};
pub use catalog::{Catalog, CatalogEntry, CatalogShape, ReadCatalog};
pub use check::validate;
pub use layers::{Layer, LayeredEntry, Layers, Removal, merge};
pub use lens::FORMAT;
pub use manifest::{Channel, Manifest, Origin, Permissions, Runtime, Sandbox, Secret, Source};
pub use policy::{Decision, Denial, Policy};
pub use table::{catalog_schema, schema};
