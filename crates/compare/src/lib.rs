//! Tools of any format, compared by what they are.
//!
//! [`tools`] and [`documents`] say what changed, and what it means for those who
//! use it. [`digest`] tells whether anything changed at all. [`duplicates`] finds
//! the same tool in several catalogs, and [`merge`] makes one list of them.
//!
//! ```
//! use compare::{self, Class};
//! use json_text::{Raw, Text};
//! use manifest_core::{Limits, ToolDescriptor};
//!
//! let tool = |schema: &'static str| ToolDescriptor {
//!     id: Text::Borrowed("acme.search").into(),
//!     input_schema: Some(Raw::constant(schema).into()),
//!     ..ToolDescriptor::default()
//! };
//! let old = tool(r#"{"properties": {"limit": {"type": "integer"}}}"#);
//! let new = tool(r#"{"properties": {"limit": {"type": "number"}}, "required": ["limit"]}"#);
//!
//! let diff = compare::tools(&old, &new, &Limits::default());
//! let found: Vec<_> = diff.changes.iter().map(|c| (c.kind, c.class)).collect();
//! assert_eq!(found, [
//!     ("input-now-required", Class::Breaking),
//!     ("input-widened", Class::Additive),
//! ]);
//! assert!(!diff.is_upgrade_safe());
//! ```
//!
//! # Readings
//!
//! - Those who call a tool go by what its old input schema declares; the tool
//!   answers by what its new output schema declares. So a new optional argument is
//!   additive, though an open object took any value by that name before.
//! - What a source does not say means what [`Caution`](manifest_core::descriptor::Caution) says that it means. An approval
//!   that was written and is not any more is lost, though: hosts act on what is written.
//! - What only one of two documents of different formats says is
//!   [not said](Change::unsaid) by the other, and not decided: its format may have no
//!   word for it.

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

mod call;
mod change;
mod digest;
mod duplicates;
mod environment;
mod fields;
mod line;
mod other;
mod package;
mod pairs;
mod place;
mod reach;
mod same;
mod schemas;
mod supply;
mod texts;

pub use change::{Change, Class, Diff};
pub use digest::{Digest, digest, digests};
pub use duplicates::{
    Catalog, Duplicates, Group, Likeness, Member, Merged, Policy, Refused, duplicates, merge,
};
pub use pairs::{documents, tools};
pub use place::Side;
pub use supply::{Supply, supply};
