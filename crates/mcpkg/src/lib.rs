//! The MCPKG format, with one tool for each manifest. Supports version 0.1, and the
//! implementations and chains of 0.2.
//!
//! ```
//! use manifest_core::{Limits, ValidateOptions, json::Document};
//!
//! let text = br#"{
//!   "toolId": "acme.crm.search",
//!   "name": "Search customers",
//!   "version": "1.0.0",
//!   "description": "Finds customers by name.",
//!   "capabilities": ["crm"],
//!   "endpoint": {"type": "http", "method": "POST", "url": "https://crm.example/search"},
//!   "input_schema": {"type": "object"},
//!   "output_schema": {"type": "object"}
//! }"#;
//! let document = Document::parse(text, &Limits::default())?;
//! assert!(toolglot_mcpkg::validate(&document, &ValidateOptions::default()).is_valid());
//!
//! let manifest = toolglot_mcpkg::Manifest::read(&document);
//! assert_eq!(manifest.tool_id, "acme.crm.search");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`FORMAT`] is the definition of the format, for conversion. The other modules work on
//! manifests and packages, and do no I/O:
//!
//! - [`package`] reads, checks and writes `.mcpkg` files, with the strict reader in
//!   [`archive`];
//! - [`meta`] verifies signatures;
//! - [`testing`] runs the tests of a package, and [`chain`] runs a chain. A single call is
//!   planned with [`call::plan()`], as for any format;
//! - `select` chooses an implementation for a host, and `registry` finds packages in a
//!   registry;
//! - [`jsonpath`] runs the queries of tests and chains;
//! - [`expose`] describes tools for a model, and [`rank`] compares them.
//!
//! Features: `call` and `schema` together run tests and chains, `select` chooses implementations, `ed25519`
//! makes and verifies signatures, `testkit` generates documents for tests, and `reference` gives
//! the verdicts of the published tool under the profile `reference`, for tests.

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

pub mod chain;
mod check;
pub mod expose;
#[cfg(feature = "select")]
pub mod fit;
mod id;
pub mod jsonpath;
mod lens;
mod manifest;
pub mod meta;
pub mod package;
pub mod rank;
mod reference;
#[cfg(feature = "select")]
pub mod registry;
pub mod rules;
#[cfg(feature = "select")]
pub mod select;
mod semantics;
mod structure;
mod table;
pub mod testing;
#[cfg(feature = "testkit")]
pub mod testkit;
mod text;

/// The strict reader and the writer of ZIP archives.
pub use archive;
pub use check::validate;
pub use lens::FORMAT;
pub use manifest::{Endpoint, Implementation, Manifest, Step};
pub use table::{Version, schema, test_schema};
