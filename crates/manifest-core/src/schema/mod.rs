//! JSON Schemas written by strangers.
//!
//! [`check`] decides, without running anything, whether a schema is well formed
//! and safe to use: no reference leaves it, nothing in it refers to itself for
//! the same value, and no few lines of it can keep a machine busy. [`Schema`],
//! with the feature `schema`, checks instances.
//!
//! Nothing is ever fetched, whatever a schema names.

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
pub mod rules;
mod shape;
mod uri;
#[cfg(feature = "schema")]
mod value;
mod walk;

pub use dialect::Dialect;
#[cfg(feature = "schema")]
pub use engine::{Outcome, Schema, Violation};
pub use guard::check;
