//! Problems in documents, and how to say them.
//!
//! - A [`Rule`] is something that a document can do wrong: a static with a stable code.
//! - A [`Diagnostic`] is a rule broken at a place: a [`Pointer`], and a [`Span`] of bytes.
//! - A [`Report`] has all of them, not just the first.
//! - [`render`] makes pages of them for people, with the line and a caret.
//! - [`secret`] knows a secret when it sees one. None gets into a diagnostic.
//!
//! This is the ground of the workspace: it knows no JSON and no format.
//!
//! ```
//! use diagnostic::{Depth, Pointer, Profile, Report, Rule, Severity};
//!
//! static NAME: Rule = Rule {
//!     code: "pet/name",
//!     severity: Severity::Error,
//!     depth: Depth::Structure,
//!     summary: "a pet must have a name",
//!     explanation: "Nobody can call it otherwise. Give it one.",
//! };
//!
//! let mut report = Report::new(Profile::Spec, 10);
//! report.push(NAME.at_pointer(Pointer::root().push("pets").push_index(2), "there is no name"));
//! assert!(!report.is_valid());
//! assert_eq!(report.to_string(), "error[pet/name] at /pets/2: there is no name");
//! ```
//!
//! Nothing here opens a file, a socket, a clock or an environment variable.

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

mod bytes;
mod certain;
mod pointer;
mod print;
mod problem;
mod render;
mod report;
mod rule;
pub mod secret;
mod span;
mod stored;

pub use bytes::ByteSet;
pub use certain::certain;
pub use pointer::{Pointer, PointerError};
pub use print::{did_you_mean, has_control, is_plain, is_plain_text, printable, quoted};
pub use problem::{Diagnostic, Finding, Fix, Located, Related};
pub use render::{SourceText, render, render_from};
pub use report::Report;
pub use rule::{Depth, Profile, Rule, Severity};
pub use span::{Position, Span, position};
pub use stored::{StoredDiagnostic, StoredReport};
