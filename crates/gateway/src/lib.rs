//! Tools served: every tool of a set of manifests, for whoever wants to call them.
//!
//! - [`Catalogue`] has every tool of some files and folders, with the name and the schemas that
//!   MCP takes. It is read anew when a file changes ([`Catalogue::reloaded`]).
//!
//! The README of this crate says what is promised, and what is not.

#[cfg(not(unix))]
compile_error!("this crate stands on a host for Unix");

mod catalogue;
mod clash;
mod files;
mod left_out;
mod manifest;
mod tool;

pub use catalogue::Catalogue;
pub use left_out::LeftOut;
pub use manifest::Manifest;
pub use tool::{Face, Tool};
