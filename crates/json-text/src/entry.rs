//! The parser's record of one value.

use std::borrow::Cow;

use diagnostic::Span;

use crate::decode;

/// The kind of a value.
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
    /// Returns the kind with its article, for use in a sentence.
    pub const fn with_article(self) -> &'static str {
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

/// One value, or the name of a member.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The index of the entry after this value and its contents.
    pub(crate) next: u32,
    pub(crate) kind: Kind,
    /// True for a string that contains escapes.
    pub(crate) has_escapes: bool,
    /// True for the name of a member, which is not a value.
    pub(crate) is_name: bool,
}

impl Entry {
    // `Document::parse` refuses texts whose offsets do not fit.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    pub(crate) const fn new(
        kind: Kind,
        start: usize,
        end: usize,
        next: u32,
        escaped: bool,
    ) -> Self {
        Self {
            start: start as u32,
            end: end as u32,
            next,
            kind,
            has_escapes: escaped,
            is_name: false,
        }
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    pub(crate) const fn close(&mut self, end: usize, next: u32) {
        self.end = end as u32;
        self.next = next;
    }

    /// Returns the value of a string.
    pub(crate) fn text(self, text: &str) -> Cow<'_, str> {
        decode::decode_string(self.span().slice(text), self.has_escapes)
    }

    pub(crate) const fn span(&self) -> Span {
        Span { start: self.start as usize, end: self.end as usize }
    }
}
