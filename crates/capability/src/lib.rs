//! Unison capability manifest 0.1: the local source of truth for what may run.
//!
//! - [`validate`] checks a manifest or a catalog; [`Manifest`] is what it says.
//! - [`Catalog`] and [`Layers`] are what was shipped and what was changed since.
//! - [`FORMAT`] is what conversion needs to know about this format.
//!
//! Nothing here opens a file or a socket: the host does, as it is told.

mod canonical;
mod catalog;
mod check;
mod destination;
mod grammar;
mod layers;
mod lens;
mod manifest;
mod owned;
mod reader;
pub mod rules;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use canonical::{canonical, digest};
pub use catalog::{Catalog, Entry, ReadCatalog, Shape};
pub use check::validate;
pub use layers::{Layer, Layered, Layers, Removed, merge};
pub use lens::FORMAT;
pub use manifest::{
    A2a, Channel, Command, Execution, Implementation, ImplementationKind, Interfaces, Manifest,
    Mcp, Origin, Permissions, Python, Resources, Runtime, Sandbox, Secret, Source, Type,
};
