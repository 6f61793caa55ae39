//! UTCP: manuals, version 1.
//!
//! The worked example of `docs/new-format.md`: one more format, outside of toolglot's
//! workspace.

mod lens;
pub mod rules;
mod semantics;
mod table;
pub mod testkit;

pub use lens::FORMAT;
pub use semantics::validate;
