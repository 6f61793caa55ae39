//! The neutral model of tools, and the definition of a format.
//!
//! Most programs want the facade, `toolglot`, which has all formats. This crate is for
//! authors of formats:
//!
//! - [`table`]: the structure of a format's documents, as data.
//! - [`descriptor`]: the neutral model of one tool. Each value knows the [place](Place)
//!   that it was read from. [`RiskProfile`](descriptor::RiskProfile) defines the meaning of absent
//!   values, and [`Invocation`](descriptor::Invocation) describes how a tool is called.
//! - [`mod@format`]: the definition of a format, with the reader and the writer that record
//!   the provenance of every value.
//! - [`Limits`]: the bounds on the cost of untrusted input.
//!
//! The layers below are re-exported, so that a format needs no other dependency: [`json`]
//! is the text layer, [`schema`] handles JSON Schemas from untrusted sources, and [`Rule`],
//! [`Diagnostic`] and [`Report`] are the common vocabulary for problems.
//!
//! ```
//! use toolglot_manifest_core::descriptor::{RiskProfile, SideEffects};
//! use json_text::{Document, Edit, apply};
//! use diagnostic::Pointer;
//! use json_text::Text;
//! use toolglot_manifest_core::{Limits, Sourced, ToolDescriptor};
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
//! assert_eq!(RiskProfile::of(&tool).effects_or_worst(), SideEffects::Destructive);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate opens no file and no socket, and reads no clock and no environment variable.

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

mod add_tools;
mod align;
pub mod command_line;
pub mod descriptor;
mod destination;
mod digest;
pub mod format;
mod formats;
pub mod http;
mod limits;
mod lint;
mod manifest;
pub mod path;
pub mod percent;
mod provenance;
pub mod rules;
pub mod table;
pub mod template;
pub mod url;
pub mod version;

pub use add_tools::AddToolsError;
pub use align::{align, last_part};
pub use descriptor::{LiftedDocument, ToolDescriptor};
pub use destination::{Destination, is_host};
pub use digest::sha256_hex;
pub use format::{Catalog, Defaults, Detection, Format, ValidateOptions};
pub use formats::{DetectError, Formats, Suggestion};
pub use limits::Limits;
pub use lint::{names, prose};
pub use manifest::{Manifest, ManifestError};
pub use provenance::{InfluenceId, Influences, Marks, Place, Sourced};

// Re-exported for formats.
pub use diagnostic::{
    ByteSet, Depth, Diagnostic, DiagnosticParts, Fix, Pointer, PointerError, Position, Profile,
    Related, Report, Rule, Severity, SourceText, StoredDiagnostic, StoredReport, did_you_mean,
    has_control, is_plain, is_plain_text, ok_or_bug, printable, quoted, render, render_from,
    some_or_bug,
};
pub use json_schema::{self as schema, pattern};
pub use json_text::{self as json, KeyedList, Spelling, Text, canonical, canonical_with, read};

/// Detection of secrets in places where only a reference to one belongs, in texts and in
/// documents.
pub mod secret {
    pub use crate::lint::secret::*;
    pub use diagnostic::secret::*;
}
