//! Agent cards of A2A, the Agent2Agent protocol, in versions 0.3 and 1.0.
//!
//! The second worked example of `docs/new-format.md`: a format whose documents are packages, and
//! servers.

mod lens;
pub mod rules;
mod semantics;
mod table;
pub mod testkit;

pub use lens::FORMAT;
pub use semantics::validate;
