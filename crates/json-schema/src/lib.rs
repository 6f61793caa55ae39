//! JSON Schemas from untrusted authors.
//!
//! - [`check`] verifies, without running anything, that a schema is well formed and safe to
//!   use: no reference leaves it, no schema applies itself to the same value, and its cost
//!   is bounded.
//! - [`Schema`], with the feature `schema`, checks instances within limits and fills in
//!   defaults.
//! - [`relation`] compares the values that two schemas accept; [`changes`] lists the
//!   changes between them.
//! - [`pattern`] translates the regular expressions of ECMA-262 and bounds their cost.
//!
//! Nothing is ever fetched, whatever a schema refers to.
//!
//! ```
//! use toolglot_json_schema::{Limits, Relation, relation};
//! use json_text::Document;
//!
//! let parse = |text: &'static str| Document::parse(text.as_bytes(), json_text::Limits::default());
//! let (old, new) = (parse(r#"{"maximum": 5}"#)?, parse(r#"{"maximum": 9}"#)?);
//! assert!(toolglot_json_schema::check(new.root(), Limits::default()).is_empty());
//! assert_eq!(relation(old.root(), new.root(), Limits::default()), Relation::Wider);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

mod canonical;
mod cost;
#[cfg(feature = "schema")]
mod defaults;
mod dialect;
#[cfg(feature = "schema")]
mod engine;
#[cfg(feature = "schema")]
mod fuel;
#[cfg_attr(not(feature = "schema"), allow(dead_code))] // the engine reads more of it
#[doc(hidden)] // for `toolglot-providers`
pub mod graph;
mod guard;
#[doc(hidden)] // for `toolglot-providers`
pub mod keywords;
mod limits;
#[cfg(feature = "schema")]
mod message;
pub mod pattern;
#[cfg_attr(not(feature = "schema"), allow(dead_code))] // the engine reads more of it
mod patterns;
mod plain;
#[cfg(feature = "schema")]
mod plan;
mod relation;
mod resolve;
pub mod rules;
mod shape;
#[doc(hidden)] // for `toolglot-providers`
pub mod types;
mod uri;
#[cfg(feature = "schema")]
mod value;
mod walk;

pub use canonical::canonical;
pub use dialect::Dialect;
#[cfg(feature = "schema")]
pub use engine::{Schema, Validation, Violation};
pub use guard::check;
pub use limits::Limits;
pub use relation::{ChangeKind, Direction, Relation, SchemaChange, changes, relation};
