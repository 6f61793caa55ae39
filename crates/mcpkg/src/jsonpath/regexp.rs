//! I-Regexps (RFC 9485), translated for the `regex` crate.
//!
//! The translation follows section 5.4 of the RFC. `^` and `$` are anchors, as in the
//! `JSONPath` compliance test suite. A pattern that is not an I-Regexp never reaches the
//! crate.

use std::fmt::Write;
use std::iter::Peekable;
use std::str::Chars;

use regex::{Regex, RegexBuilder};

use super::error::QueryError;
use manifest_core::Limits;

/// The approximate compiled size of one position. Refusing by this estimate is free;
/// the crate's own limit is exact, and applies after it.
const POSITION_BYTES: usize = 1 << 10;
/// The number of positions that a Unicode category counts for.
const CATEGORY_POSITIONS: usize = 16;
/// The fixed number of positions that every pattern costs.
const PATTERN_POSITIONS: usize = 8;

/// The crate compiles groups by recursion, so their nesting is bounded even if the limits
/// allow more.
const MAX_GROUPS: u32 = 12;

/// A compiled I-Regexp.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    regex: Regex,
    positions: usize,
}

impl Pattern {
    /// Returns the maximum number of steps that it takes to search this text.
    pub(super) const fn steps(&self, text: &str) -> usize {
        self.positions.saturating_mul(text.len())
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }
}

/// Compiles patterns until their total size exceeds the limit.
#[derive(Debug)]
pub(super) struct Compiler<'l> {
    limits: &'l Limits,
    bytes_left: usize,
}

impl<'l> Compiler<'l> {
    pub(super) const fn new(limits: &'l Limits) -> Self {
        Self { limits, bytes_left: limits.pattern_compiled_bytes }
    }

    /// Compiles a pattern that matches the whole of a text or, if `whole` is false, any
    /// part of it. Returns `None` if it is not an I-Regexp.
    pub(super) fn compile(
        &mut self,
        pattern: &str,
        whole: bool,
    ) -> Result<Option<Pattern>, QueryError> {
        if pattern.len() > self.limits.pattern_bytes {
            return Err(QueryError::PatternLimit);
        }
        self.spend(PATTERN_POSITIONS)?;
        let nesting = self.limits.pattern_nesting.min(MAX_GROUPS);
        let (translated, positions) = match translate(pattern, nesting) {
            Ok(translated) => translated,
            Err(TranslateError::NotIRegexp) => return Ok(None),
            Err(TranslateError::TooLarge) => return Err(QueryError::PatternLimit),
        };
        self.spend(positions)?;
        let translated = if whole { format!(r"\A(?:{translated})\z") } else { translated };
        let built = RegexBuilder::new(&translated)
            .size_limit(self.limits.pattern_compiled_bytes)
            .dfa_size_limit(self.limits.pattern_compiled_bytes)
            // The crate counts a group, its branches and its repetition separately.
            .nest_limit(4 * (nesting + 2))
            .build();
        // The syntax is known to be valid, so the error can only be the size.
        let regex = built.map_err(|_| QueryError::PatternLimit)?;
        Ok(Some(Pattern { regex, positions }))
    }

    fn spend(&mut self, positions: usize) -> Result<(), QueryError> {
        self.bytes_left = self
            .bytes_left
            .checked_sub(positions.saturating_mul(POSITION_BYTES))
            .ok_or(QueryError::PatternLimit)?;
        Ok(())
    }
}

enum TranslateError {
    NotIRegexp,
    TooLarge,
}

/// Translates a pattern into the syntax of the `regex` crate. Also returns its number of
/// positions: characters and classes, with repetitions written out.
fn translate(pattern: &str, nesting: u32) -> Result<(String, usize), TranslateError> {
    let mut translator = Translator { rest: pattern.chars().peekable(), out: String::new() };
    let mut positions = 0_usize;
    // The positions before each open group.
    let mut open = Vec::new();
    while let Some(c) = translator.rest.next() {
        let atom = match c {
            '|' => {
                translator.out.push('|');
                continue;
            }
            '(' => {
                if open.len() >= nesting as usize {
                    return Err(TranslateError::TooLarge);
                }
                open.push(positions);
                positions = 0;
                translator.out.push_str("(?:");
                continue;
            }
            ')' => {
                let inside = positions.max(1);
                positions = open.pop().ok_or(TranslateError::NotIRegexp)?;
                translator.out.push(')');
                inside
            }
            other => translator.atom(other)?,
        };
        let times = translator.quantifier()?;
        positions = positions.saturating_add(atom.saturating_mul(times));
    }
    if open.is_empty() { Ok((translator.out, positions)) } else { Err(TranslateError::NotIRegexp) }
}

struct Translator<'p> {
    rest: Peekable<Chars<'p>>,
    out: String,
}

enum Escape {
    Char(char),
    /// A category, already translated.
    Category,
}

impl Translator<'_> {
    /// Writes a character escaped, so that it matches itself.
    fn literal(&mut self, c: char) {
        // Writing to a string cannot fail.
        let _ = write!(self.out, r"\x{{{:x}}}", u32::from(c));
    }

    /// Translates the atom that begins with `c`, and returns its positions.
    fn atom(&mut self, c: char) -> Result<usize, TranslateError> {
        match c {
            '.' => self.out.push_str(r"[^\n\r]"),
            '^' | '$' => self.out.push(c),
            '[' => return self.class(),
            '\\' => match self.escape()? {
                Escape::Char(c) => self.literal(c),
                Escape::Category => return Ok(CATEGORY_POSITIONS),
            },
            '*' | '+' | '?' | '{' | '}' | ']' => return Err(TranslateError::NotIRegexp),
            c => self.literal(c),
        }
        Ok(1)
    }

    /// Translates a quantifier if one is next. Returns how often the quantified atom is
    /// written out.
    fn quantifier(&mut self) -> Result<usize, TranslateError> {
        if let Some(c) = self.rest.next_if(|c| matches!(c, '*' | '+' | '?')) {
            self.out.push(c);
            return Ok(1);
        }
        if self.rest.next_if_eq(&'{').is_none() {
            return Ok(1);
        }
        let least = self.count()?.ok_or(TranslateError::NotIRegexp)?;
        let most = match self.rest.next_if_eq(&',') {
            Some(_) => self.count()?,
            None => Some(least),
        };
        if self.rest.next() != Some('}') || most.is_some_and(|most| most < least) {
            return Err(TranslateError::NotIRegexp);
        }
        let most_text = most.map_or_else(String::new, |most| most.to_string());
        let _ = write!(self.out, "{{{least},{most_text}}}");
        Ok(most.unwrap_or(least).max(1) as usize)
    }

    fn count(&mut self) -> Result<Option<u32>, TranslateError> {
        let mut digits = String::new();
        while let Some(digit) = self.rest.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        if digits.is_empty() {
            return Ok(None);
        }
        digits.parse().map(Some).map_err(|_| TranslateError::TooLarge)
    }

    /// Reads the rest of an escape, after the backslash, and translates a category.
    fn escape(&mut self) -> Result<Escape, TranslateError> {
        match self.rest.next().ok_or(TranslateError::NotIRegexp)? {
            'n' => Ok(Escape::Char('\n')),
            'r' => Ok(Escape::Char('\r')),
            't' => Ok(Escape::Char('\t')),
            c @ ('(' | ')' | '*' | '+' | '-' | '.' | '?' | '[' | '\\' | ']' | '^' | '{' | '|'
            | '}') => Ok(Escape::Char(c)),
            c @ ('p' | 'P') => {
                let name = self.category().ok_or(TranslateError::NotIRegexp)?;
                let _ = write!(self.out, r"\{c}{{{name}}}");
                Ok(Escape::Category)
            }
            _ => Err(TranslateError::NotIRegexp),
        }
    }

    /// Reads the name of a Unicode general category, in braces.
    fn category(&mut self) -> Option<String> {
        self.rest.next_if_eq(&'{')?;
        let major = self.rest.next()?;
        let minors = match major {
            'L' => "lmotu",
            'M' => "cen",
            'N' => "dlo",
            'P' => "cdefios",
            'Z' => "lps",
            'S' => "ckmo",
            'C' => "cfno",
            _ => return None,
        };
        let mut name = String::from(major);
        name.extend(self.rest.next_if(|c| minors.contains(*c)));
        self.rest.next_if_eq(&'}')?;
        Some(name)
    }

    /// Translates the rest of a class, after `[`, and returns its positions.
    fn class(&mut self) -> Result<usize, TranslateError> {
        let mut positions = 0;
        self.out.push('[');
        self.out.extend(self.rest.next_if_eq(&'^'));
        if self.rest.next_if_eq(&'-').is_some() {
            self.literal('-');
            positions += 1;
        }
        loop {
            match self.rest.next().ok_or(TranslateError::NotIRegexp)? {
                ']' if positions > 0 => break,
                // A literal hyphen is the first or the last item.
                '-' if positions > 0 && self.rest.peek() == Some(&']') => self.literal('-'),
                c => positions += self.class_item(c)?,
            }
        }
        self.out.push(']');
        Ok(positions)
    }

    /// Translates a character, a range or a category that begins with `c`, and returns its
    /// positions.
    fn class_item(&mut self, c: char) -> Result<usize, TranslateError> {
        let Some(low) = self.class_char(c)? else {
            return Ok(CATEGORY_POSITIONS);
        };
        self.literal(low);
        let mut ahead = self.rest.clone();
        if ahead.next() == Some('-') && ahead.peek() != Some(&']') {
            self.rest = ahead;
            let c = self.rest.next().ok_or(TranslateError::NotIRegexp)?;
            let high = self.class_char(c)?.filter(|high| *high >= low);
            self.out.push('-');
            self.literal(high.ok_or(TranslateError::NotIRegexp)?);
        }
        Ok(1)
    }

    /// Returns the character that begins with `c`, or `None` if it is a category.
    fn class_char(&mut self, c: char) -> Result<Option<char>, TranslateError> {
        match c {
            '-' | '[' | ']' => Err(TranslateError::NotIRegexp),
            '\\' => match self.escape()? {
                Escape::Char(c) => Ok(Some(c)),
                Escape::Category => Ok(None),
            },
            c => Ok(Some(c)),
        }
    }
}
