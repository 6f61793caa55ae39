//! Tools in words that belong to no format, and what a format is.
//!
//! Most programs want the facade, `toolglot`, which has all formats. This crate is for
//! those who write a format:
//!
//! - [`table`]: what the documents of a format look like, as data.
//! - [`descriptor`]: one tool in words that belong to no format. Each value knows the
//!   [place](Place) that it was read from. [`Caution`](descriptor::Caution) says what absence
//!   means, [`Invocation`](descriptor::Invocation) how a tool is called.
//! - [`mod@format`]: what a format is, and what it is read and written with, so that every value
//!   has a record of where it came from.
//! - [`Limits`]: every bound on what a stranger's input may cost.
//!
//! What lies below is handed on, so that a format needs no other dependency: [`json`] is the
//! text layer, [`schema`] are JSON Schemas of strangers, [`Rule`], [`Diagnostic`] and
//! [`Report`] are one vocabulary for problems.
//!
//! ```
//! use manifest_core::descriptor::{Caution, SideEffects};
//! use json_text::{Document, Edit, apply};
//! use diagnostic::Pointer;
//! use json_text::Text;
//! use manifest_core::{Limits, Sourced, ToolDescriptor};
//!
//! // A text is read once, and changed where it stands.
//! let text = b"{ \"name\": \"get_time\",  \"timeout\": 1e1 }";
//! let document = Document::parse(text, &Limits::default())?;
//! let edit = Edit::Set(Pointer::root().push("name"), "\"time\"".to_owned());
//! assert_eq!(apply(&document, &[edit])?, "{ \"name\": \"time\",  \"timeout\": 1e1 }");
//!
//! // What a tool does not say is absent, and never taken for harmless.
//! let name = document.root().get("name").and_then(|name| name.text()).unwrap_or_default();
//! let tool = ToolDescriptor { id: name.into(), ..ToolDescriptor::default() };
//! assert_eq!(tool.id, Sourced::from(Text::Borrowed("get_time")));
//! assert_eq!(Caution::of(&tool).worst_effects(), SideEffects::Destructive);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here opens a file, a socket, a clock or an environment variable.

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

mod align;
pub mod descriptor;
mod digest;
mod fill;
pub mod format;
mod formats;
mod limits;
pub mod line;
pub mod path;
pub mod percent;
mod provenance;
pub mod rules;
pub mod table;
pub mod template;
pub mod url;
pub mod version;

pub use align::{align, last_part};
pub use descriptor::{Lifted, ToolDescriptor};
pub use digest::sha256_hex;
pub use fill::NotFilled;
pub use format::{Catalog, Defaults, Detected, Format, Validate};
pub use formats::{Formats, Near, Unknown};
pub use limits::Limits;
pub use provenance::{By, Deciding, Marks, Place, Sourced};

// What formats are written with, besides.
pub use diagnostic::{
    ByteSet, Depth, Diagnostic, Finding, Fix, Pointer, PointerError, Profile, Related, Report,
    Rule, Severity, SourceText, StoredDiagnostic, StoredReport, certain, did_you_mean, has_control,
    is_plain, is_plain_text, printable, quoted, render, render_from,
};
pub use json_schema::{self as schema, pattern};
pub use json_text::{self as json, Keyed, Spelling, Text, canonical, canonical_with, read};
pub use lint::{names, prose};

/// Secrets that were written where only a reference to one belongs: in texts, and in
/// documents.
pub mod secret {
    pub use diagnostic::secret::*;
    pub use lint::secret::*;
}
