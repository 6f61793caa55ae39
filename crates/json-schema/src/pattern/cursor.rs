//! A cursor over the source of a pattern.

use std::str::Chars;

/// The unread part of the source.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    length: usize,
    rest: Chars<'a>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        Self { length: source.len(), rest: source.chars() }
    }

    /// Returns the number of bytes read.
    pub(super) fn offset(&self) -> usize {
        self.length - self.rest.as_str().len()
    }

    /// Returns the next character without reading it.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    /// Reads one character.
    pub(super) fn next(&mut self) -> Option<char> {
        self.rest.next()
    }

    /// Returns true if `text` comes next, without reading it.
    pub(super) fn at(&self, text: &str) -> bool {
        self.rest.as_str().starts_with(text)
    }

    /// Reads `text` if it comes next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        match self.rest.as_str().strip_prefix(text) {
            Some(rest) => {
                self.rest = rest.chars();
                true
            }
            None => false,
        }
    }

    /// Reads characters while `accept` returns true.
    pub(super) fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let text = self.rest.as_str();
        let rest = text.trim_start_matches(accept);
        self.rest = rest.chars();
        text.strip_suffix(rest).unwrap_or(text)
    }

    /// Reads exactly `count` hexadecimal digits. Reads none if there are fewer.
    pub(super) fn hex(&mut self, count: usize) -> Option<u32> {
        let (digits, rest) = self.rest.as_str().split_at_checked(count)?;
        // `from_str_radix` alone would accept a sign.
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        self.rest = rest.chars();
        u32::from_str_radix(digits, 16).ok()
    }

    /// Reads a decimal number. A number that is too large becomes `u64::MAX`.
    pub(super) fn number(&mut self) -> Option<u64> {
        let digits = self.take_while(|c| c.is_ascii_digit());
        (!digits.is_empty()).then(|| digits.parse().unwrap_or(u64::MAX))
    }
}
