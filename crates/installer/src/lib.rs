//! Installs tools within the limits of their owner's consent.
//!
//! `install_engine` plans each step and judges its outcome, and `host` carries it out. This
//! crate combines them: [`Installer::install`] asks for consent, collects values, installs
//! into a folder of the tool's own, runs the smoke test, and records the installation.
//! [`Installer::verify`] checks later if the tool is unchanged, and [`Installer::revoke`]
//! revokes it. [`index`] reads the manifests that publishers list. [`packages`] installs
//! MCPKG packages in a project, and [`TrustStore`] stores the keys of trusted publishers.
//! [`capabilities`] installs the capabilities of a catalog, and [`registries`] reads the
//! capabilities that registries offer.
//!
//! A tool is installed once its record is written, which is the last step. A failure or a
//! crash before that leaves only files without a record, and the next process that changes
//! the store removes them. Values are used for the smoke test and the kill switch, and are
//! never stored.
//!
//! The README of this crate lists its guarantees and their limits.

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
pub use installer::{CheckedManifest, Installer, host_options};
pub use keys::{TrustStore, generate_key, read_public_key, read_signing_key};
pub use person::Person;
pub use values::variables;
pub use verify::Check;
