//! JSON text: the one layer that every format reads through.
//!
//! [`Document::parse`] reads the text once, into a flat list of entries that
//! borrow from it. Member order, unknown members and the spelling of numbers
//! are all still there, because the text is. What different readers would read
//! differently (a duplicate key, a lone surrogate, a byte order mark) is
//! refused with a located diagnostic.
//!
//! ```
//! use manifest_core::{Limits, json::Document};
//!
//! let document = Document::parse(br#"{"tools":[{"timeout": 1e2}]}"#, &Limits::default())?;
//! let timeout = document.at("/tools/0/timeout").unwrap();
//! assert_eq!(timeout.raw(), "1e2");
//! assert_eq!(timeout.pointer().as_str(), "/tools/0/timeout");
//! assert_eq!(document.position(timeout.span().start).column, 23);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::OnceLock;

use serde::Serialize;

use crate::diagnostic::Diagnostic;
use crate::{Limits, Pointer};

mod decode;
mod edit;
mod layout;
mod merge;
mod node;
mod number;
mod parse;
mod place;
mod raw;
pub mod rules;
mod scan;
mod splice;
mod walk;

pub use decode::quote;
pub(crate) use decode::quote_into;
pub use edit::{Edit, EditError, apply};
pub(crate) use layout::lay_out_text;
pub use layout::{compact, pretty};
pub use merge::{
    Change, ChangeKind, Conflict, ConflictKind, MergeOptions, Merged, Place, merge, patch,
};
pub use node::Node;
use node::array_index;
pub use number::Number;
use place::Places;
pub use raw::Raw;
pub(crate) use raw::present;
pub use walk::{Elements, Member, MemberIndex, Members};

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// The kind with its article, as a sentence needs it.
    pub const fn described(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// A range of bytes in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[allow(clippy::exhaustive_structs)] // a pair, and nothing more
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A place in a text as people count: from one, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[allow(clippy::exhaustive_structs)] // a pair, and nothing more
pub struct Position {
    /// Line, from one.
    pub line: usize,
    /// Character in the line, from one.
    pub column: usize,
}

/// One value, or the name of a member.
#[derive(Clone, Copy, Debug)]
struct Entry {
    start: u32,
    end: u32,
    /// The index of the entry after this value and all that is inside it.
    next: u32,
    kind: Kind,
    /// A string with escapes in it.
    escaped: bool,
    /// The name of a member, not a value.
    name: bool,
}

impl Entry {
    // Document::parse refuses texts whose offsets do not fit.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    const fn new(kind: Kind, start: usize, end: usize, next: u32, escaped: bool) -> Self {
        Self { start: start as u32, end: end as u32, next, kind, escaped, name: false }
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    const fn close(&mut self, end: usize, next: u32) {
        self.end = end as u32;
        self.next = next;
    }

    const fn span(&self) -> Span {
        Span { start: self.start as usize, end: self.end as usize }
    }
}

/// What was read of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tape(Vec<Entry>);

/// A JSON text that has been read.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    text: &'a str,
    tape: Vec<Entry>,
    /// Worked out for the first address that is asked for: a document without
    /// problems does not pay for it.
    places: OnceLock<Places>,
}

impl<'a> Document<'a> {
    /// Reads a text, refusing what has no single meaning or passes a limit.
    pub fn parse(bytes: &'a [u8], limits: &Limits) -> Result<Self, Diagnostic> {
        let text = decode_text(bytes, limits)?;
        let tape = parse::parse(text, limits)?;
        #[cfg(feature = "testkit")]
        crate::testkit::count_parsed(text);
        Ok(Self { text, tape, places: OnceLock::new() })
    }

    /// What was read of the text, to [open](Self::open) it again without reading.
    pub(crate) fn tape(&self) -> Tape {
        Tape(self.tape.clone())
    }

    /// A text that was read before.
    pub(crate) fn open(text: &'a str, tape: &Tape) -> Self {
        Self { text, tape: tape.0.clone(), places: OnceLock::new() }
    }

    /// The text.
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// The value that the document is.
    pub fn root(&self) -> Node<'_> {
        Node { document: self, index: 0 }
    }

    /// The value of an entry.
    pub fn node(&self, entry: u32) -> Option<Node<'_>> {
        let known = self.tape.get(entry as usize).is_some_and(|entry| !entry.name);
        known.then_some(Node { document: self, index: entry })
    }

    /// The text of an entry, exactly as written.
    pub(crate) fn raw_at(&self, entry: u32) -> Option<&'a str> {
        let span = self.tape.get(entry as usize)?.span();
        self.text.get(span.start..span.end)
    }

    /// The value at a pointer.
    pub fn at(&self, pointer: &str) -> Option<Node<'_>> {
        self.root().at(&Pointer::parse(pointer).ok()?)
    }

    /// Line and column of a byte.
    pub fn position(&self, offset: usize) -> Position {
        position(self.text, offset)
    }

    fn places(&self) -> &Places {
        self.places.get_or_init(|| Places::of(self))
    }
}

/// Line and column of a byte in any text.
pub fn position(text: &str, offset: usize) -> Position {
    let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
    let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let column = before.iter().skip(line_start).filter(|&&b| b & 0xC0 != 0x80).count();
    Position { line: before.iter().filter(|&&b| b == b'\n').count() + 1, column: column + 1 }
}

fn decode_text<'a>(bytes: &'a [u8], limits: &Limits) -> Result<&'a str, Diagnostic> {
    let encoding = |start: usize, end: usize, message: &str| {
        rules::ENCODING.at_pointer(Pointer::root(), message).span(Span { start, end })
    };
    let limit = limits.document_bytes.min(u32::MAX as usize - 1);
    if bytes.len() > limit {
        let message = format!("{} bytes, more than the {limit} allowed", bytes.len());
        return Err(rules::SIZE
            .at_pointer(Pointer::root(), message)
            .span(Span { start: 0, end: 0 }));
    }
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        return Err(encoding(0, 3, "the text begins with a byte order mark")
            .help("save the file as UTF-8 without a byte order mark"));
    }
    if bytes.iter().take(2).any(|&b| b == 0) && bytes.len().is_multiple_of(2) {
        return Err(
            encoding(0, 2, "the text looks like UTF-16 or UTF-32").help("save the file as UTF-8")
        );
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let start = error.valid_up_to();
        let end = error.error_len().map_or(bytes.len(), |len| start + len);
        encoding(start, end, "these bytes are not UTF-8")
    })
}
