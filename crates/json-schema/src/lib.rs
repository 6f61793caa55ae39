//! JSON Schemas written by strangers.
//!
//! - [`check`] decides, without running anything, whether a schema is well formed and safe
//!   to use: no reference leaves it, nothing in it refers to itself for the same value, and
//!   no few lines of it can keep a machine busy.
//! - [`Schema`], with the feature `schema`, checks instances within bounds, and fills in
//!   defaults.
//! - [`relation`] says whether one schema takes all that another takes; [`changes`] says
//!   what came between them.
//! - [`pattern`] has the regular expressions of ECMA-262, translated and bounded.
//!
//! Nothing is ever fetched, whatever a schema names.
//!
//! ```
//! use json_schema::{Limits, Relation, relation};
//! use json_text::Document;
//!
//! let parse = |text: &'static str| Document::parse(text.as_bytes(), json_text::Limits::default());
//! let (old, new) = (parse(r#"{"maximum": 5}"#)?, parse(r#"{"maximum": 9}"#)?);
//! assert!(json_schema::check(new.root(), Limits::default()).is_empty());
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
mod graph;
mod guard;
mod keywords;
mod limits;
#[cfg(feature = "schema")]
mod message;
mod names;
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
pub use relation::{Direction, Relation, SchemaChange, What, changes, relation};
