//! The tokens of a query: blanks, names, numbers and strings.

use super::error::QueryError;
use manifest_core::json::{Number, Span};

/// The largest integer that every JSON reader agrees on (RFC 7493).
const MAX_INTEGER: i64 = (1 << 53) - 1;

/// A text and the offset of the next byte to read.
#[derive(Debug)]
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) const fn offset(&self) -> usize {
        self.at
    }

    /// Returns to an earlier offset.
    pub(super) const fn go_back(&mut self, offset: usize) {
        self.at = offset;
    }

    fn rest(&self) -> &'t str {
        Span { start: self.at, end: self.text.len() }.slice(self.text)
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn error(&self, expected: &'static str) -> QueryError {
        error_at(self.at, expected)
    }

    /// Reads `token` if it is next. Returns false otherwise.
    pub(super) fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    pub(super) fn finish(&self) -> Result<(), QueryError> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.error("a segment or the end")) }
    }

    pub(super) fn skip_blanks(&mut self) {
        self.take_while(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let (rest, start) = (self.rest(), self.at);
        self.at += rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        Span { start, end: self.at }.slice(self.text)
    }

    /// Reads a member name without quotes.
    pub(super) fn name(&mut self) -> Result<&'t str, QueryError> {
        match self.peek() {
            Some(c) if is_name_char(c) && !c.is_ascii_digit() => Ok(self.take_while(is_name_char)),
            _ => Err(self.error("a member name or '*'")),
        }
    }

    /// Reads the name of a function, or `true`, `false` or `null`.
    pub(super) fn word(&mut self) -> &'t str {
        self.take_while(|c| matches!(c, 'a'..='z' | '0'..='9' | '_'))
    }

    /// Reads an index or a part of a slice.
    pub(super) fn integer(&mut self) -> Result<i64, QueryError> {
        let start = self.at;
        let token = self.take_while(|c| c.is_ascii_digit() || c == '-');
        let digits = token.strip_prefix('-').unwrap_or(token);
        let plain = token == "0" || !digits.starts_with('0');
        match token.parse() {
            Ok(value) if plain && (-MAX_INTEGER..=MAX_INTEGER).contains(&value) => Ok(value),
            _ => Err(error_at(start, "an integer between -(2^53)+1 and (2^53)-1")),
        }
    }

    /// Reads a number in a filter, in the syntax of JSON.
    pub(super) fn number(&mut self) -> Result<Number<'static>, QueryError> {
        let start = self.at;
        let token = self.take_while(|c| matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E'));
        match Number::parse(token) {
            Some(number) => Ok(number.into_owned()),
            None => Err(error_at(start, "a number")),
        }
    }

    /// Reads a string in single or double quotes.
    pub(super) fn string(&mut self) -> Result<String, QueryError> {
        let Some(quote @ ('"' | '\'')) = self.peek() else {
            return Err(self.error("a string"));
        };
        self.at += 1;
        let mut value = String::new();
        loop {
            value.push_str(self.take_while(|c| c != quote && c != '\\' && c >= ' '));
            match self.peek() {
                Some('\\') => value.push(self.escape(quote)?),
                Some(c) if c == quote => break,
                _ => return Err(self.error("the rest of a string")),
            }
        }
        self.at += 1;
        Ok(value)
    }

    fn escape(&mut self, quote: char) -> Result<char, QueryError> {
        let start = self.at;
        self.at += 1;
        let c = match self.peek() {
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some(c @ ('/' | '\\')) => c,
            Some(c) if c == quote => c,
            Some('u') => {
                return self
                    .unicode()
                    .ok_or_else(|| error_at(start, "the \\u escape of a character"));
            }
            _ => return Err(error_at(start, "an escape that RFC 9535 knows")),
        };
        self.at += 1;
        Ok(c)
    }

    /// Reads a character written as `uXXXX` or as a surrogate pair.
    fn unicode(&mut self) -> Option<char> {
        let unit = self.hex4()?;
        if !(0xD800..0xDC00).contains(&unit) {
            return char::from_u32(unit);
        }
        if !self.eat("\\") {
            return None;
        }
        let low = self.hex4()?;
        if !(0xDC00..0xE000).contains(&low) {
            return None;
        }
        char::from_u32(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
    }

    /// Reads `uXXXX`, and returns its code unit.
    fn hex4(&mut self) -> Option<u32> {
        if !self.eat("u") {
            return None;
        }
        let digits = self.rest().get(..4)?;
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        self.at += digits.len();
        u32::from_str_radix(digits, 16).ok()
    }
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii()
}

pub(super) const fn error_at(offset: usize, expected: &'static str) -> QueryError {
    QueryError::Syntax { offset, expected }
}
