//! Byte ranges, and line and column positions.

use serde::{Deserialize, Serialize};

/// A range of bytes in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
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
