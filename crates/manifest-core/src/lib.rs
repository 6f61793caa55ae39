//! What every toolglot format shares.
//!
//! - [`json`]: the text layer. Reads strictly, keeps every byte, edits in place.
//! - [`Rule`], [`Diagnostic`], [`Report`]: one vocabulary for problems.
//! - [`Limits`]: every bound on what a stranger's input may cost.
//!
//! Nothing here opens a file, a socket, a clock or an environment variable.

pub mod convert;
pub mod descriptor;
mod diagnostic;
mod format;
pub mod json;
pub mod jsonpath;
mod keyed;
mod limits;
pub mod path;
pub mod pattern;
mod pointer;
pub mod read;
mod render;
pub mod schema;
pub mod secret;
#[cfg(feature = "testkit")]
pub mod testkit;
pub mod url;
pub mod version;

pub use convert::sha256_hex;
pub use descriptor::{Lifted, ToolDescriptor};
pub use diagnostic::{
    Depth, Diagnostic, Profile, Related, Report, Rule, Severity, did_you_mean, has_control,
    is_plain, is_plain_text, printable, quoted,
};
pub use format::{Defaults, Detected, Format, Row, Validate};
pub use keyed::Keyed;
pub use limits::Limits;
pub use pointer::{Pointer, PointerError};
pub use read::Text;
pub use render::{SourceText, render};
