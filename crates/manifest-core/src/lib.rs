//! What every toolglot format shares.
//!
//! - [`json`]: the text layer. Reads strictly, keeps every byte, edits in place.
//! - [`Rule`], [`Diagnostic`], [`Report`]: one vocabulary for problems.
//! - [`stream`]: catalogs that are larger than memory should be.
//! - [`table`]: what the documents of a format look like, as data.
//! - [`Limits`]: every bound on what a stranger's input may cost.
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
