//! What every toolglot format shares.
//!
//! Most programs want the facade, `toolglot`, which has all formats. This crate is for
//! those who write a format, or who need no format at all:
//!
//! - [`json`]: the text layer. Reads strictly, keeps every byte, edits in place.
//! - [`Rule`], [`Diagnostic`], [`Report`]: one vocabulary for problems.
//! - [`table`]: what the documents of a format look like, as data.
//! - [`descriptor`]: one tool in words that belong to no format. Each value knows the
//!   [place](Place) that it was read from.
//! - [`convert`](mod@convert): conversion over any two [`Format`]s, with an account of every
//!   value, and the way back.
//! - [`compare`]: what changed between two tools, and digests of them.
//! - [`stream`]: catalogs that are larger than memory should be.
//! - [`Limits`]: every bound on what a stranger's input may cost.
//!
//! ```
//! use manifest_core::descriptor::{Caution, SideEffects};
//! use manifest_core::json::{Document, Edit, apply};
//! use manifest_core::{Limits, Pointer, Sourced, Text, ToolDescriptor};
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
mod bytes;
mod canonical;
pub mod compare;
pub mod convert;
pub mod descriptor;
mod diagnostic;
pub mod json;
pub mod jsonpath;
mod keyed;
mod limits;
pub mod names;
pub mod path;
pub mod pattern;
mod pointer;
pub mod prose;
mod provenance;
pub mod read;
mod render;
pub mod schema;
pub mod secret;
pub mod stream;
pub mod table;
#[cfg(feature = "testkit")]
pub mod testkit;
pub mod url;
pub mod version;

pub use bytes::ByteSet;
pub use canonical::{Spelling, canonical, canonical_with};
pub use convert::sha256_hex;
pub use convert::{Catalog, Defaults, Detected, Format, Validate};
pub use descriptor::{Lifted, ToolDescriptor};
pub use diagnostic::{
    Depth, Diagnostic, Profile, Related, Report, Rule, Severity, did_you_mean, has_control,
    is_plain, is_plain_text, printable, quoted,
};
pub use keyed::Keyed;
pub use limits::Limits;
pub use pointer::{Pointer, PointerError};
pub use provenance::{Marks, Place, Sourced};
pub use read::Text;
pub use render::{SourceText, render, render_from};
