//! Secrets in documents, in places where only a reference to one belongs.
//!
//! [`diagnostic::secret`] recognises a secret. This module searches documents for secrets.
//!
//! ```
//! use json_text::{Document, Limits};
//! use manifest_core::secret;
//!
//! let text = br#"{"env": {"API_KEY": "9fK2mQ8xV4nB7tR1wZ5y"}}"#;
//! let document = Document::parse(text, &Limits::default())?;
//! let found = secret::scan(document.root(), 10);
//! assert_eq!(found[0].node.pointer().as_str(), "/env/API_KEY");
//! assert_eq!(found[0].finding.to_string(), "a random value");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod mask;
mod report;
mod scan;

pub use mask::masked_json;
pub use report::check;
pub use scan::{FoundSecret, scan};

#[cfg(test)]
mod tests;
