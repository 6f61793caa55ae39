//! Unison capability manifest 0.1.
mod check;
mod destination;
mod grammar;
mod lens;
mod manifest;
mod reader;
pub mod rules;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use check::validate;
pub use lens::FORMAT;
pub use manifest::{
    A2a, Channel, Command, Execution, Implementation, ImplementationKind, Interfaces, Manifest,
    Mcp, Origin, Permissions, Python, Resources, Runtime, Sandbox, Secret, Source, Type,
};
