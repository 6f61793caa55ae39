//! Byte ranges, and line and column positions.

use serde::{Deserialize, Serialize};

use crate::some_or_bug;

/// A range of bytes in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// Returns the bytes of the span in its text. A span that is not inside the text is a
    /// bug, as for [`some_or_bug`].
    ///
    /// ```
    /// use toolglot_diagnostic::Span;
    ///
    /// assert_eq!(Span { start: 1, end: 3 }.slice("a 1e2"), " 1");
    /// ```
    #[inline]
    #[track_caller]
    pub fn slice(self, text: &str) -> &str {
        some_or_bug(text.get(self.start..self.end))
    }

    /// Returns the bytes of the span like [`slice`](Self::slice), without checking that they are
    /// whole characters.
    #[inline]
    #[track_caller]
    pub fn slice_bytes(self, text: &[u8]) -> &[u8] {
        some_or_bug(text.get(self.start..self.end))
    }
}

/// A position in a text, in lines and characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Position {
    /// Line, from one.
    pub line: usize,
    /// Character in the line, from one.
    pub column: usize,
}

/// Returns the line and column of a byte offset in a text.
pub fn position(text: &str, offset: usize) -> Position {
    let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
    let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let column = before.iter().skip(line_start).filter(|&&b| b & 0xC0 != 0x80).count();
    Position { line: before.iter().filter(|&&b| b == b'\n').count() + 1, column: column + 1 }
}
