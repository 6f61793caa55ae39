//! Compares tools of any format.
//!
//! [`tools`] and [`documents`] return the changes and their effects on users. Equal
//! [`digest`]s show that nothing changed. [`duplicates`] finds the same tool in several
//! catalogs, and [`merge`] makes one list of them.
//!
//! ```
//! use toolglot_compare::{self, Class};
//! use json_text::{Raw, Text};
//! use manifest_core::{Limits, ToolDescriptor};
//!
//! let tool = |schema: &'static str| ToolDescriptor {
//!     id: Text::Borrowed("acme.search").into(),
//!     input_schema: Some(Raw::from_static(schema).into()),
//!     ..ToolDescriptor::default()
//! };
//! let old = tool(r#"{"properties": {"limit": {"type": "integer"}}}"#);
//! let new = tool(r#"{"properties": {"limit": {"type": "number"}}, "required": ["limit"]}"#);
//!
//! let diff = toolglot_compare::tools(&old, &new, &Limits::default());
//! let found: Vec<_> = diff.changes.iter().map(|c| (c.kind, c.class)).collect();
//! assert_eq!(found, [
//!     ("input-now-required", Class::Breaking),
//!     ("input-widened", Class::Additive),
//! ]);
//! assert!(!diff.is_upgrade_safe());
//! ```
//!
//! # Interpretation
//!
//! - Callers rely on the old input schema, and the tool answers as its new output schema
//!   declares. So a new optional argument is additive, although an open object accepted any
//!   value of that name before.
//! - A missing value is interpreted as [`RiskProfile`](manifest_core::descriptor::RiskProfile)
//!   defines. But an approval that is no longer declared is reported as dropped, because
//!   hosts act on the declaration.
//! - If two documents have different formats and only one declares a value, the change
//!   names the format that [lacks it](Change::unsaid), and its effect is undecided or
//!   cosmetic: that format may not support the value.

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

mod call;
mod change;
mod digest;
mod duplicates;
mod environment;
mod equality;
mod fields;
mod line_digests;
mod package;
mod pairs;
mod place;
mod reach;
mod schemas;
mod supply;
mod texts;
mod unread_entries;

pub use change::{Change, Class, Diff, Record};
pub use digest::{Digest, digest, digests};
pub use duplicates::{
    Catalog, Duplicates, Group, Likeness, Member, MergeConflicts, MergePolicy, MergedCatalog,
    duplicates, merge,
};
pub use equality::{equal_json, equal_raw};
pub use pairs::{documents, tools};
pub use place::Side;
pub use schemas::input_class;
pub use supply::{SupplyChange, compare_supply};
