//! Tools served: every tool of a set of manifests, for whoever wants to call them.
//!
//! - [`Catalogue`] has every tool of some files and folders, with the name and the schemas that
//!   MCP takes. It is read anew when a file changes.
//! - [`Gateway`] makes their calls: it checks arguments, asks what has to be asked, and records.
//!   [`Approvals`] are what a person has agreed to before.
//! - [`Bridged`] writes what converted manifests need beside them, so that their calls are made.
//! - [`Line`] names the tools of one source, as converted manifests do.
//! - [`stdio::serve`] is an MCP server for one client.
//! - [`http::serve`] is one server for MCP clients, for hosts of other formats, for clients of a
//!   Jumith [`registry`], and for a person at a page.
//!
//! The README of this crate says what is promised, and what is not.

#[cfg(not(unix))]
compile_error!("this crate stands on a host for Unix");

mod approvals;
mod as_json;
mod beside;
mod bundles;
mod catalogue;
mod chain;
mod claims;
mod clash;
mod files;
mod gateway;
pub mod http;
mod left_out;
mod line;
mod machine;
mod make;
mod manifest;
mod mcp;
mod module;
mod plan;
mod prepare;
mod prepared;
pub mod registry;
mod result;
mod scripts;
pub mod stdio;
mod target;
mod tool;

pub use approvals::{Approval, Approvals};
pub use beside::{Beside, Bridged};
pub use bundles::{Unbundled, unbundled};
pub use catalogue::Catalogue;
pub use files::manifests_below;
pub use gateway::{Gateway, Options};
pub use left_out::LeftOut;
pub use line::{Line, for_host, grants, is_relative};
pub use machine::fitting;
pub use make::Tracer;
pub use manifest::Manifest;
pub use module::{Agreed, Unfit, agreed};
pub use plan::{chained, given, installed, planned, serving};
pub use prepared::{Prepared, Refusal};
pub use scripts::looks_around;
pub use target::target;
pub use tool::{Face, Tool};
