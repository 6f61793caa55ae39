//! JSON Schemas written by strangers.
//!
//! [`check`] decides, without running anything, whether a schema is well formed
//! and safe to use: no reference leaves it, nothing in it refers to itself for
//! the same value, and no few lines of it can keep a machine busy. [`Schema`],
//! with the feature `schema`, checks instances. [`relation`] says whether one
//! schema takes all that another takes.
//!
//! Nothing is ever fetched, whatever a schema names.

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
#[cfg(feature = "schema")]
mod message;
mod names;
#[cfg_attr(not(feature = "schema"), allow(dead_code))] // the engine reads more of it
mod patterns;
mod plain;
#[cfg(feature = "schema")]
mod plan;
mod relation;
pub mod rules;
mod shape;
mod uri;
#[cfg(feature = "schema")]
mod value;
mod walk;

pub(crate) use canonical::canonical;
pub use dialect::Dialect;
#[cfg(feature = "schema")]
pub use engine::{Outcome, Schema, Violation};
pub use guard::check;
pub(crate) use relation::{Direction, Found, What, changes};
pub use relation::{Relation, relation};
