//! Checks that apply to any JSON document from an untrusted source.
//!
//! - [`secret`]: values that should have been references.
//! - [`prose`]: texts with hidden characters, or with instructions to a model.
//! - [`names`]: names that look alike.
//!
//! The checks need no format, only the document.
//!
//! ```
//! use json_text::{Document, Limits};
//!
//! let document = Document::parse(br#"{"url": "redis://app:hunter2@db/0"}"#, &Limits::default())?;
//! let found = toolglot_manifest_core::secret::scan(document.root(), 10);
//! assert_eq!(found[0].finding.kind, "a password in a URL");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod names;
pub mod prose;
pub(crate) mod secret;
