//! Findings, and characters that a search ignores.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use crate::HiddenCharacter;

/// A secret, described without its value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The kind of the secret, with an article.
    pub kind: &'static str,
    /// The byte range in the text.
    pub range: Range<usize>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind)
    }
}

/// Returns the text without its invisible characters.
pub(super) fn strip_hidden(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|c| !is_hidden(*c)).collect())
}

/// Returns true for invisible characters that may be inside a secret: those that take no
/// space, and the marks of direction. Only these come into a secret by copying it from a
/// page. Any other hidden character ends a secret, like a space does.
pub(super) const fn is_hidden(c: char) -> bool {
    matches!(HiddenCharacter::of(c), Some(HiddenCharacter::ZeroWidth))
        || matches!(c, '\u{200e}' | '\u{200f}')
}
