//! UTCP: manuals, version 1.
//!
//! The worked example of `docs/new-format.md`: one more format, outside of toolglot's
//! workspace.

mod lens;
mod meaning;
pub mod rules;
mod table;
pub mod testkit;

pub use lens::FORMAT;
pub use meaning::validate;
