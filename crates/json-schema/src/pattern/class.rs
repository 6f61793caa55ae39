//! Character classes: the text between brackets.

use super::escape::{EMPTY_SET, Escape, FULL_SET, Set, push_character};
use super::limits::{PatternError, syntax};
use super::translate::Translator;

impl Translator<'_> {
    /// Reads a class. Its opening bracket, at `offset`, is already read.
    pub(super) fn class(&mut self, offset: usize) -> Result<Set, PatternError> {
        let negated = self.input.eat("^");
        let mut members = String::new();
        let mut terms = 0;
        while !self.input.eat("]") {
            let start = self.input.offset();
            let low = self.class_member(offset)?;
            let is_range = self.input.at("-") && !self.input.at("-]");
            if !is_range {
                match low {
                    Escape::Character(code) => push_range(&mut members, code, code),
                    Escape::Set(set) => {
                        members.push_str(&set.regex);
                        terms += set.terms;
                    }
                }
                continue;
            }
            self.input.next();
            match (low, self.class_member(offset)?) {
                (Escape::Character(low), Escape::Character(high)) if low <= high => {
                    push_range(&mut members, low, high);
                }
                (Escape::Character(_), Escape::Character(_)) => {
                    return syntax(start, "a range with its ends out of order");
                }
                _ => return syntax(start, "a range that ends in a set"),
            }
        }
        let regex = match (members.as_str(), negated) {
            ("", false) => EMPTY_SET.into(),
            ("", true) => FULL_SET.into(),
            (members, false) => ["[", members, "]"].concat().into(),
            // Not `[^…]`: the `regex` crate gets that wrong for a class with
            // one range up to U+D7FF and another from U+E000.
            (members, true) => format!(r"[\x{{0}}-\x{{10FFFF}}--[{members}]]").into(),
        };
        let terms = terms.max(1);
        Ok(Set { regex, terms })
    }

    /// Reads one character or escape of the class that opens at `class`.
    fn class_member(&mut self, class: usize) -> Result<Escape, PatternError> {
        let offset = self.input.offset();
        match self.input.next() {
            None => syntax(class, "a class that is not closed"),
            Some('\\') if self.input.eat("b") => Ok(Escape::Character(0x8)),
            Some('\\') if self.input.eat("-") => Ok(Escape::Character('-'.into())),
            Some('\\') => self.escape(offset),
            Some(c) => Ok(Escape::Character(c.into())),
        }
    }
}

/// Writes a range without surrogates, which no Rust string contains.
fn push_range(members: &mut String, low: u32, high: u32) {
    let is_surrogate = |code| (0xD800..=0xDFFF).contains(&code);
    let low = if is_surrogate(low) { 0xE000 } else { low };
    let high = if is_surrogate(high) { 0xD7FF } else { high };
    if low <= high {
        push_character(members, low);
        members.push('-');
        push_character(members, high);
    }
}
