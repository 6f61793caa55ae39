//! The Jumith registry API, client and server, without I/O.
//!
//! ```
//! use manifest_core::{Limits, ValidateOptions, json::Document};
//!
//! let text = br#"{
//!   "id": "tool:email.send",
//!   "name": "email.send",
//!   "version": "1.2.0",
//!   "summary": "Send transactional email",
//!   "description": "Sends one message through an SMTP server.",
//!   "entry": {"runtime": "node", "main": "dist/index.js"},
//!   "requiredSecrets": ["smtp_user", "smtp_pass"]
//! }"#;
//! let document = Document::parse(text, &Limits::default())?;
//! assert!(toolglot_jumith::validate(&document, &ValidateOptions::default()).is_valid());
//!
//! let manifest = toolglot_jumith::Manifest::read(&document);
//! assert_eq!(manifest.entry.main, "dist/index.js");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Manifest`], [`SearchResults`], [`Bundle`], [`ErrorEnvelope`]: the documents.
//! - [`client`]: builds requests and reads the answers.
//! - [`install`]: plans the files of an installation. [`cache`]: detects versions that
//!   changed.
//! - [`server`]: a registry in memory that answers requests. [`search`]: its index.
//! - [`secrets`] and [`contract`]: the secrets of a tool, and the exports of its module.
//! - [`FORMAT`]: the format, for conversion.

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

mod advice;
mod base64;
pub mod bundle;
pub mod cache;
mod check;
pub mod client;
mod compare;
pub mod contract;
mod error;
#[cfg(feature = "reference")]
mod hub;
pub mod install;
mod lens;
mod manifest;
mod names;
#[cfg(feature = "reference")]
mod published;
mod results;
pub mod rules;
pub mod search;
pub mod secrets;
mod semantics;
pub mod server;
mod structure;
mod table;
#[cfg(feature = "testkit")]
pub mod testkit;

/// The published client and hub, to compare with in tests.
#[cfg(feature = "reference")]
pub mod reference {
    pub use crate::hub::Hub;
    pub use crate::published::{reference_folder, reference_path};
}

pub use bundle::{Bundle, Encoding, ExpectedBundle, File};
pub use check::validate;
pub use compare::differences;
pub use error::{ApiError, Code, ErrorBody, ErrorEnvelope};
pub use lens::FORMAT;
pub use manifest::{EntryPoint, Manifest, Schemas};
pub use results::{SearchResult, SearchResults};
pub use table::schema;
