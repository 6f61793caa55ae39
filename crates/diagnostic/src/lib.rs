//! Problems in documents: rules, diagnostics and reports.
//!
//! - A [`Rule`] is a requirement on documents: a static with a stable code.
//! - A [`Diagnostic`] is a violation of a rule, at a [`Pointer`] and a [`Span`] of bytes.
//! - A [`Report`] collects all diagnostics of a document, not just the first.
//! - [`render`] formats a diagnostic for people, with the source line and a caret.
//! - [`secret`] detects secrets, and keeps them out of diagnostics.
//!
//! This crate is the base of the workspace. It depends on no JSON parser and on no format.
//!
//! ```
//! use toolglot_diagnostic::{Depth, Pointer, Profile, Report, Rule, Severity};
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
//! This crate opens no file, socket, clock or environment variable.

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

mod bug;
mod byte_set;
mod characters;
mod diagnostic;
mod pointer;
mod printable;
mod render;
mod report;
mod rule;
pub mod secret;
mod span;
mod stored;

pub use bug::{ok_or_bug, some_or_bug};
pub use byte_set::ByteSet;
pub use characters::{HiddenCharacter, is_ignorable};
pub use diagnostic::{Diagnostic, DiagnosticParts, Fix, HasLocation, Related};
pub use pointer::{Pointer, PointerError};
pub use printable::{did_you_mean, has_control, is_plain, is_plain_text, printable, quoted};
pub use render::{SourceText, render, render_from};
pub use report::Report;
pub use rule::{Depth, Profile, Rule, Severity};
pub use span::{Position, Span, position};
pub use stored::{StoredDiagnostic, StoredReport};
