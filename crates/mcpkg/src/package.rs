//! Packages: the files of a `.mcpkg`, and the checks that they are consistent.
//!
//! ```
//! use manifest_core::Limits;
//! use toolglot_mcpkg::archive::Entry;
//! use toolglot_mcpkg::package::{CheckOptions, Package};
//!
//! let manifest = br#"{
//!   "toolId": "acme.demo.echo", "name": "Echo", "version": "1.0.0",
//!   "description": "Echoes.", "capabilities": ["echo"],
//!   "endpoint": {"type": "http", "method": "POST", "url": "https://acme.example/echo"},
//!   "input_schema": {"type": "object"}, "output_schema": {"type": "object"},
//!   "tests": ["tests/echo.test.json"]
//! }"#;
//! let entries = vec![Entry::new("manifest.json", manifest.as_slice())];
//! let package = Package::new(entries).unwrap();
//! let findings = package.check(&CheckOptions::default());
//! let (file, problem) = findings.errors().next().unwrap();
//! assert_eq!((file, problem.rule.code), ("manifest.json", "mcpkg/file-missing"));
//!
//! let bytes = package.write(&Limits::default()).unwrap();
//! assert_eq!(Package::read(&bytes, &Limits::default()).unwrap().digest(), package.digest());
//! ```

mod check;
mod contents;
mod openapi;
pub mod rules;

pub use check::{CheckOptions, FileReport, Findings};
pub use contents::{
    MANIFEST, OPENAPI, PROVENANCE, PUBLISHER, Package, README, Role, SIGNATURE, file_name,
};
