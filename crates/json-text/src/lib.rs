//! JSON as text: strict parsing, and edits that preserve every other byte.
//!
//! - [`Document::parse`] parses a text once, into a flat list of entries that borrow from
//!   it. Member order, unknown members and the spelling of numbers are preserved, because
//!   the text is. Input that readers interpret differently (a duplicate key, a lone
//!   surrogate, a byte order mark) is refused with a located diagnostic.
//! - [`apply`] makes edits at pointers. [`patch`] changes a text until it has the value of
//!   another. [`merge`] is a three-way merge. All preserve every other byte.
//! - [`Number`] has the exact value of a number. [`canonical`] returns one text for all
//!   spellings of a value, similar to RFC 8785.
//! - [`read`] splits objects into members without losing any.
//!
//! ```
//! use toolglot_json_text::{Document, Edit, Limits, apply};
//!
//! let document = Document::parse(br#"{"tools":[{"timeout": 1e2}]}"#, &Limits::default())?;
//! let timeout = document.at("/tools/0/timeout").unwrap();
//! assert_eq!(timeout.raw(), "1e2");
//! assert_eq!(document.position(timeout.span().start).column, 23);
//!
//! let edit = Edit::Set(timeout.pointer(), "30".to_owned());
//! assert_eq!(apply(&document, &[edit])?, r#"{"tools":[{"timeout": 30}]}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate opens no file, socket, clock or environment variable.

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

mod canonical;
#[cfg(feature = "count")]
mod count;
mod decode;
mod document;
mod edit;
mod entry;
mod keyed_list;
mod layout;
mod limits;
mod merge;
mod node;
mod number;
mod parse;
mod pointer_lookup;
mod positions;
mod raw;
pub mod read;
pub mod rules;
mod scan;
mod serialize;
mod splice;
mod value;
mod walk;

pub use canonical::{Spelling, canonical, canonical_with};
#[cfg(feature = "count")]
pub use count::parsed_bytes;
pub use decode::{quote, quote_into, unquote};
pub use diagnostic::{Position, Span, position};
pub use document::{Document, Node, ParsedEntries};
pub use edit::{Edit, EditError, apply};
pub use entry::Kind;
pub use keyed_list::KeyedList;
pub use layout::{compact, lay_out_text, pretty};
pub use limits::Limits;
#[cfg(feature = "count")]
pub use merge::merge_steps;
pub use merge::{
    Change, ChangeKind, Conflict, ConflictKind, MergeOptions, MergeOutcome, MergePlace, merge,
    patch,
};
pub use number::Number;
pub use raw::{Raw, deserialize_present};
pub use read::Text;
pub use serialize::{to_json, to_pretty_json};
pub use value::NodeValue;
pub use walk::{Elements, Member, MemberIndex, Members, same_name};
