//! Reads escapes, and the names of groups.

use std::borrow::Cow;
use std::sync::LazyLock;

use diagnostic::ok_or_bug;
use regex::Regex;

use super::escape::{EMPTY_SET, Escape, FULL_SET, Set};
use super::limits::{PatternError, syntax};
use super::property::{self, Property};
use super::translate::Translator;

/// ECMAScript's white space and line terminators.
const SPACE: &str =
    r"[\t-\r\x20\xA0\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}]";
const NOT_SPACE: &str =
    r"[^\t-\r\x20\xA0\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}]";

/// The name of a group.
static IDENTIFIER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    ok_or_bug(Regex::new(r"\A[\p{ID_Start}$_][\p{ID_Continue}$\x{200C}\x{200D}]*\z"))
});

/// A Unicode property is a large set, and counts as this many terms.
const TERMS_PER_PROPERTY: u64 = 16;

impl Translator<'_> {
    /// Reads an escape that means the same inside and outside of brackets. The backslash at
    /// `offset` is already read.
    pub(super) fn escape(&mut self, offset: usize) -> Result<Escape, PatternError> {
        let Some(c) = self.input.next() else {
            return syntax(offset, "a backslash at the end");
        };
        let code = match c {
            'd' => return Ok(set("[0-9]")),
            'D' => return Ok(set("[^0-9]")),
            'w' => return Ok(set("[0-9A-Z_a-z]")),
            'W' => return Ok(set("[^0-9A-Z_a-z]")),
            's' => return Ok(set(SPACE)),
            'S' => return Ok(set(NOT_SPACE)),
            'p' => return self.property(offset, false),
            'P' => return self.property(offset, true),
            't' => 0x9,
            'n' => 0xA,
            'v' => 0xB,
            'f' => 0xC,
            'r' => 0xD,
            'c' => match self.input.next() {
                Some(letter) if letter.is_ascii_alphabetic() => u32::from(letter) % 32,
                _ => return syntax(offset, "a control escape without a letter"),
            },
            '0' if !matches!(self.input.peek(), Some('0'..='9')) => 0,
            'x' => match self.input.hex(2) {
                Some(code) => code,
                None => return syntax(offset, "an escape without its two hexadecimal digits"),
            },
            'u' => self.unicode_escape(offset)?,
            '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|'
            | '/' => c.into(),
            _ => return syntax(offset, "an unknown escape"),
        };
        Ok(Escape::Character(code))
    }

    /// Reads the rest of `\uHHHH` or `\u{H…}`. Two escapes of the first kind that form a
    /// surrogate pair are one character.
    pub(super) fn unicode_escape(&mut self, offset: usize) -> Result<u32, PatternError> {
        let input = &mut self.input;
        if input.eat("{") {
            let digits = input.take_while(|c| c.is_ascii_hexdigit());
            return match u32::from_str_radix(digits, 16) {
                Ok(code @ ..=0x10_FFFF) if input.eat("}") => Ok(code),
                _ => syntax(offset, "a malformed Unicode escape"),
            };
        }
        let Some(first) = input.hex(4) else {
            return syntax(offset, "a malformed Unicode escape");
        };
        if let 0xD800..=0xDBFF = first {
            let mut ahead = input.clone();
            if ahead.eat(r"\u")
                && let Some(second @ 0xDC00..=0xDFFF) = ahead.hex(4)
            {
                *input = ahead;
                return Ok(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00));
            }
        }
        Ok(first)
    }

    /// Reads the rest of `\p{…}` or `\P{…}`.
    fn property(&mut self, offset: usize, negated: bool) -> Result<Escape, PatternError> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '=');
        let found = if self.input.eat("{") {
            let text = self.input.take_while(is_name);
            property::find(text).filter(|_| self.input.eat("}"))
        } else {
            None
        };
        match found {
            Some(Property::Known(name)) => {
                let letter = if negated { 'P' } else { 'p' };
                Ok(Escape::Set(Set {
                    regex: format!(r"\{letter}{{{name}}}").into(),
                    terms: TERMS_PER_PROPERTY,
                }))
            }
            Some(Property::Surrogate) => Ok(set(if negated { FULL_SET } else { EMPTY_SET })),
            Some(Property::Unsupported(name)) => {
                self.unsupported(offset, name);
                Ok(set(EMPTY_SET))
            }
            None => syntax(offset, "an unknown Unicode property"),
        }
    }

    /// Reads a name and the `>` after it. The `<` is already read; the construct begins at
    /// `offset`.
    pub(super) fn group_name(&mut self, offset: usize) -> Result<String, PatternError> {
        let mut name = String::new();
        loop {
            let c = match self.input.next() {
                Some('>') => break,
                Some('\\') if self.input.eat("u") => char::from_u32(self.unicode_escape(offset)?),
                c => c,
            };
            match c {
                Some(c) => name.push(c),
                None => return syntax(offset, "a malformed group name"),
            }
        }
        let is_identifier =
            IDENTIFIER.as_ref().is_some_and(|identifier| identifier.is_match(&name));
        if !is_identifier {
            return syntax(offset, "a malformed group name");
        }
        Ok(name)
    }
}

fn set(regex: &'static str) -> Escape {
    Escape::Set(Set { regex: Cow::Borrowed(regex), terms: 1 })
}
