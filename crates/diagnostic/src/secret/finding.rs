//! Findings, and characters that a search ignores.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

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

pub(super) const fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}')
}
