//! A stream and its entries: shape, place, what is handed out, and what is wrong.

use std::fmt;

use diagnostic::{Diagnostic, Pointer, Position};
use manifest_core::Limits;

/// How a stream is cut into entries.
#[derive(Clone, Debug)]
pub struct Split {
    /// What the stream looks like; without it, its first bytes tell.
    ///
    /// Where they begin with `[`, it is an array. Where they begin with `{`, it is
    /// lines if the first line is an object with something on a line after it, and
    /// otherwise an object with a list. If it has none, it is one document, and the one
    /// entry. A list that begins with a string does not count: the entries of catalogs
    /// are objects. Everything else is lines.
    pub shape: Option<Shape>,
    /// The members that may hold the list. The first one that does is the list.
    pub members: Vec<&'static str>,
    /// How many entries there may be.
    pub entries: usize,
    /// What one entry may cost, and what is around the list.
    pub limits: Limits,
}

impl Default for Split {
    fn default() -> Self {
        Self { shape: None, members: Vec::new(), entries: 1_000_000, limits: Limits::default() }
    }
}

/// What a stream looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// JSON Lines: a document on each line. Blank lines do not count, and a line may
    /// end in CR LF.
    Lines,
    /// An array: each element is an entry.
    Array,
    /// An object with an array in one of its members: each element is an entry.
    Member,
}

/// A place in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Bytes before it.
    pub offset: u64,
    /// Line, from one.
    pub line: usize,
    /// Character in the line, from one.
    pub column: usize,
}

impl Place {
    pub(crate) const START: Self = Self { offset: 0, line: 1, column: 1 };

    /// The place after some more bytes.
    pub(crate) fn after(self, bytes: &[u8]) -> Self {
        let offset = self.offset.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        let lines = bytes.iter().filter(|&&b| b == b'\n').count();
        let last = bytes.rsplit(|&b| b == b'\n').next().unwrap_or_default();
        let columns = last.iter().filter(|&&b| b & 0xC0 != 0x80).count();
        let column = if lines == 0 { self.column } else { 1 };
        let line = self.line.saturating_add(lines);
        Self { offset, line, column: column.saturating_add(columns) }
    }

    /// Line and column.
    pub const fn position(self) -> Position {
        Position { line: self.line, column: self.column }
    }
}

/// An entry of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Item<'s> {
    /// Its number, from zero. Broken entries count.
    pub index: usize,
    /// Where it begins.
    pub place: Place,
    /// The entry as it is written, without white space around it. A line keeps its
    /// white space. It may be anything: nothing has been parsed yet.
    pub bytes: &'s [u8],
    /// What the stream looks like.
    pub shape: Shape,
    /// The member that holds the list, in a stream that is an object.
    pub member: Option<&'static str>,
}

impl Item<'_> {
    /// Where the entry stands in the whole stream. A line is a document of its own.
    pub fn pointer(&self) -> Pointer {
        pointer(self.shape, self.member, self.index)
    }

    /// Line and column in the whole stream of one of the entry's bytes.
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

/// Something that is wrong with a stream, and is not inside an entry that could be
/// handed out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Broken {
    /// The number of the entry that cannot be handed out, if it is about one.
    pub index: Option<usize>,
    /// Where it begins.
    pub place: Place,
    /// What is wrong. It has no span: the bytes are gone.
    pub diagnostic: Diagnostic,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { line, column, .. } = self.place;
        write!(f, "{line}:{column}: {}", self.diagnostic)
    }
}

impl std::error::Error for Broken {}
