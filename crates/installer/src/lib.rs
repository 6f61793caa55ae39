//! Installs tools, and keeps to what their owner agreed to.
//!
//! `install_engine` says what to do, step by step, and judges what came of it; `host` does a step.
//! This crate goes the whole way: [`Installer::install`] asks for consent, collects values,
//! installs into a folder of the tool's own, runs the smoke test, and records what was done.
//! [`Installer::verify`] asks later whether it is still that, and [`Installer::revoke`] ends it.
//! [`index`] has the manifests that publishers list. [`packages`] installs MCPKG packages in a
//! project, and [`Trust`] has the keys of publishers whose signatures count. [`capabilities`]
//! installs what a catalog of capabilities declares, and [`registries`] has what others offer.
//!
//! A tool is installed when its record is written, which comes last: whatever fails or crashes
//! before leaves nothing that counts, and the next who changes the store removes it. Values are
//! used for the smoke test, and never stored.
//!
//! The README of this crate says what is promised, and what is not.

#[cfg(not(unix))]
compile_error!("this crate stands on a host for Unix");

pub mod capabilities;
mod error;
pub mod index;
mod install;
mod installer;
mod keys;
pub mod packages;
mod person;
pub mod registries;
mod revoke;
mod test;
mod values;
mod verify;

pub use error::Error;
pub use installer::{Installer, Tool, options};
pub use keys::{Trust, generate, public_key, signing_key};
pub use person::Person;
pub use values::variables;
pub use verify::Check;
