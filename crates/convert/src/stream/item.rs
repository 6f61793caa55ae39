//! A stream and its entries: options, places, entries and errors.

use std::fmt;

use diagnostic::{Diagnostic, Pointer, Position};
use manifest_core::Limits;

/// Options for cutting a stream into entries.
#[derive(Clone, Debug)]
pub struct SplitOptions {
    /// The shape of the stream, or `None` to detect it from the first bytes.
    ///
    /// If the first byte is `[`, the stream is an array. If it is `{`, the stream is lines
    /// if the first line is an object and more follows it, and otherwise an object with a
    /// list. An object without a list is one document, and the only entry. A list that
    /// begins with a string does not count, because the entries of catalogs are objects.
    /// Everything else is lines.
    pub shape: Option<Shape>,
    /// The members that may contain the list. The first match is the list.
    pub members: Vec<&'static str>,
    /// The maximum number of entries.
    pub entries: usize,
    /// The limits of one entry, and of the text around the list.
    pub limits: Limits,
}

impl Default for SplitOptions {
    fn default() -> Self {
        Self { shape: None, members: Vec::new(), entries: 1_000_000, limits: Limits::default() }
    }
}

/// The shape of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// JSON Lines: a document on each line. Blank lines are ignored, and a line may end in
    /// CR LF.
    Lines,
    /// An array: each element is an entry.
    Array,
    /// An object with an array in one of its members: each element is an entry.
    Member,
}

/// A place in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The number of bytes before it.
    pub offset: u64,
    /// The line, counted from one.
    pub line: usize,
    /// The character in the line, counted from one.
    pub column: usize,
}

impl Location {
    pub(crate) const START: Self = Self { offset: 0, line: 1, column: 1 };

    /// Returns the place after some more bytes.
    pub(crate) fn after(self, bytes: &[u8]) -> Self {
        let offset = self.offset.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        let lines = bytes.iter().filter(|&&b| b == b'\n').count();
        let last = bytes.rsplit(|&b| b == b'\n').next().unwrap_or_default();
        let columns = last.iter().filter(|&&b| b & 0xC0 != 0x80).count();
        let column = if lines == 0 { self.column } else { 1 };
        let line = self.line.saturating_add(lines);
        Self { offset, line, column: column.saturating_add(columns) }
    }

    /// Returns the line and the column.
    pub const fn position(self) -> Position {
        Position { line: self.line, column: self.column }
    }
}

/// An entry of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Item<'s> {
    /// The number of the entry, counted from zero. Broken entries count.
    pub index: usize,
    /// The place where it begins.
    pub place: Location,
    /// The text of the entry without surrounding white space; a line keeps its white space.
    /// It is not parsed yet and may be invalid.
    pub bytes: &'s [u8],
    /// The shape of the stream.
    pub shape: Shape,
    /// The member that contains the list, if the stream is an object.
    pub member: Option<&'static str>,
}

impl Item<'_> {
    /// Returns the pointer of the entry in the whole stream. A line is a document of its
    /// own.
    pub fn pointer(&self) -> Pointer {
        pointer(self.shape, self.member, self.index)
    }

    /// Returns the line and column, in the whole stream, of a byte of the entry.
    pub fn position(&self, offset: usize) -> Position {
        self.place.after(self.bytes.get(..offset).unwrap_or(self.bytes)).position()
    }
}

pub(crate) fn pointer(shape: Shape, member: Option<&str>, index: usize) -> Pointer {
    let list = member.map_or_else(Pointer::root, |member| Pointer::root().push(member));
    match shape {
        Shape::Lines => Pointer::root(),
        Shape::Array | Shape::Member => list.push_index(index),
    }
}

/// An error in a stream, outside of the entries that can be returned.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StreamError {
    /// The number of the entry that cannot be returned, if the error is about one.
    pub index: Option<usize>,
    /// The place where the error, or the broken entry, begins.
    pub place: Location,
    /// The problem. It has no span, because the bytes are gone.
    pub diagnostic: Diagnostic,
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Location { line, column, .. } = self.place;
        write!(f, "{line}:{column}: {}", self.diagnostic)
    }
}

impl std::error::Error for StreamError {}
