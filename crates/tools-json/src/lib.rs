//! agentcli's `tools.json`: many tools, few fields.
//!
//! ```
//! use manifest_core::{Limits, Validate, json::Document};
//!
//! let text = br#"{"tools": [{"name": "get_time", "command": ["./tools/bin/get_time"]}]}"#;
//! let document = Document::parse(text, &Limits::default())?;
//! assert!(tools_json::validate(&document, &Validate::default()).is_valid());
//!
//! let manifest = tools_json::Manifest::read(&document);
//! assert_eq!(manifest.tools[0].name, "get_time");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`FORMAT`] is what conversion needs to know about this format.

mod command;
mod env;
mod go;
mod lens;
mod manifest;
pub mod rules;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use lens::FORMAT;
pub use manifest::{Manifest, Tool};
pub use rules::validate;
