//! The outer layer of the grammar: terms, groups and quantifiers.

use std::collections::BTreeSet;

use super::cursor::Cursor;
use super::escape::{Escape, character};
use super::limits::{PatternError, PatternLimits, syntax};

const NOT_LINE_TERMINATOR: &str = r"[^\n\r\x{2028}\x{2029}]";
const WORD_BOUNDARY: &str = r"(?-u:\b)";
/// The second half prevents a match inside a character. The first half alone would match
/// there, and `Regex::is_match` would then miss other matches.
const NOT_WORD_BOUNDARY: &str = r"(?-u:\B)(?:\b|\B)";

/// The approximate compiled size of one term.
const BYTES_PER_TERM: u64 = 224;

/// A pattern in the syntax of the `regex` crate.
pub(super) struct Translation {
    pub(super) regex: String,
    /// The number of terms, with every repetition written out.
    pub(super) terms: u64,
}

pub(super) fn translate(source: &str, limits: &PatternLimits) -> Result<Translation, PatternError> {
    if source.len() > limits.source_bytes {
        return Err(PatternError::TooLong { limit: limits.source_bytes });
    }
    let mut translator = Translator {
        limits,
        input: Cursor::new(source),
        regex: String::with_capacity(2 * source.len()),
        terms: 0,
        open: Vec::new(),
        captures: 0,
        names: BTreeSet::new(),
        references: Vec::new(),
        unsupported: None,
    };
    translator.disjunction()?;
    translator.finish()
}

/// Reads a pattern once, front to back, and writes its translation.
pub(super) struct Translator<'a> {
    pub(super) input: Cursor<'a>,
    limits: &'a PatternLimits,
    regex: String,
    /// Terms so far in the innermost open group.
    terms: u64,
    open: Vec<Group>,
    captures: u64,
    names: BTreeSet<String>,
    references: Vec<(usize, Reference)>,
    unsupported: Option<PatternError>,
}

/// A group that is not closed yet.
struct Group {
    offset: usize,
    /// Terms before it, in the enclosing group.
    terms_before: u64,
    may_repeat: bool,
}

/// The group that a back-reference points to.
enum Reference {
    Number(u64),
    Name(String),
}

impl Translator<'_> {
    fn disjunction(&mut self) -> Result<(), PatternError> {
        loop {
            let offset = self.input.offset();
            let Some(c) = self.input.next() else {
                return Ok(());
            };
            match c {
                '|' => self.push_unrepeatable("|")?,
                '^' => self.push_unrepeatable(r"\A")?,
                '$' => self.push_unrepeatable(r"\z")?,
                '.' => self.push_term(NOT_LINE_TERMINATOR, 1)?,
                '(' => self.open_group(offset)?,
                ')' => self.close_group(offset)?,
                '[' => {
                    let set = self.class(offset)?;
                    self.push_term(&set.regex, set.terms)?;
                }
                '\\' => self.term_escape(offset)?,
                '*' | '+' | '?' | '{' => return syntax(offset, "there is nothing to repeat"),
                ']' | '}' => return syntax(offset, "a bracket that closes nothing"),
                c if c.is_ascii_alphanumeric() => self.push_term(c.encode_utf8(&mut [0; 4]), 1)?,
                _ => self.push_term(&character(c.into()), 1)?,
            }
        }
    }

    fn finish(self) -> Result<Translation, PatternError> {
        if let Some(group) = self.open.last() {
            return syntax(group.offset, "a group that is not closed");
        }
        for (offset, reference) in &self.references {
            let exists = match reference {
                Reference::Number(number) => *number <= self.captures,
                Reference::Name(name) => self.names.contains(name),
            };
            if !exists {
                return syntax(*offset, "a reference to a group that does not exist");
            }
        }
        match self.unsupported {
            Some(error) => Err(error),
            None => Ok(Translation { regex: self.regex, terms: self.terms }),
        }
    }

    fn open_group(&mut self, offset: usize) -> Result<(), PatternError> {
        let limit = self.limits.nesting;
        if self.open.len() as u64 >= u64::from(limit) {
            return Err(PatternError::TooNested { limit });
        }
        let input = &mut self.input;
        let mut may_repeat = true;
        if input.eat("?:") {
            // A group that does not capture.
        } else if input.eat("?=") || input.eat("?!") {
            may_repeat = false;
            self.unsupported(offset, "look-ahead");
        } else if input.eat("?<=") || input.eat("?<!") {
            may_repeat = false;
            self.unsupported(offset, "look-behind");
        } else if input.eat("?<") {
            self.captures += 1;
            let name = self.group_name(offset)?;
            if !self.names.insert(name) {
                return syntax(offset, "a second group with the same name");
            }
        } else if input.at("?") {
            return syntax(offset, "an unknown kind of group");
        } else {
            self.captures += 1;
        }
        self.open.push(Group { offset, terms_before: std::mem::take(&mut self.terms), may_repeat });
        self.regex.push_str("(?:");
        Ok(())
    }

    fn close_group(&mut self, offset: usize) -> Result<(), PatternError> {
        let Some(group) = self.open.pop() else {
            return syntax(offset, "a parenthesis that closes nothing");
        };
        let inside = std::mem::replace(&mut self.terms, group.terms_before);
        if group.may_repeat {
            self.push_term(")", inside.saturating_add(1))
        } else {
            self.push_unrepeatable(")")
        }
    }

    fn term_escape(&mut self, offset: usize) -> Result<(), PatternError> {
        if self.input.eat("b") {
            return self.push_unrepeatable(WORD_BOUNDARY);
        }
        if self.input.eat("B") {
            return self.push_unrepeatable(NOT_WORD_BOUNDARY);
        }
        if self.input.eat("k<") {
            let name = self.group_name(offset)?;
            return self.reference(offset, Reference::Name(name));
        }
        if !self.input.at("0")
            && let Some(number) = self.input.number()
        {
            return self.reference(offset, Reference::Number(number));
        }
        match self.escape(offset)? {
            Escape::Character(code) => self.push_term(&character(code), 1),
            Escape::Set(set) => self.push_term(&set.regex, set.terms),
        }
    }

    fn reference(&mut self, offset: usize, to: Reference) -> Result<(), PatternError> {
        self.references.push((offset, to));
        self.unsupported(offset, "back-reference");
        self.push_term("", 1)
    }

    /// Remembers the first construct that has no translation. Reading continues, because a
    /// later mistake makes the pattern a syntax error.
    pub(super) fn unsupported(&mut self, offset: usize, construct: &'static str) {
        self.unsupported.get_or_insert(PatternError::Unsupported { offset, construct });
    }

    /// Writes a term that no quantifier may follow.
    fn push_unrepeatable(&mut self, regex: &str) -> Result<(), PatternError> {
        self.regex.push_str(regex);
        self.count(1)
    }

    /// Writes a term, and the quantifier after it.
    fn push_term(&mut self, regex: &str, terms: u64) -> Result<(), PatternError> {
        self.regex.push_str(regex);
        let offset = self.input.offset();
        let mut copies = 1;
        if self.input.eat("*") {
            self.regex.push('*');
        } else if self.input.eat("+") {
            self.regex.push('+');
        } else if self.input.eat("?") {
            self.regex.push('?');
        } else if self.input.eat("{") {
            copies = self.counted_quantifier(offset)?;
        } else {
            return self.count(terms);
        }
        if self.input.eat("?") {
            self.regex.push('?');
        }
        self.count(terms.saturating_mul(copies))
    }

    /// Reads `n}`, `n,}` or `n,m}`. Returns the number of copies.
    fn counted_quantifier(&mut self, offset: usize) -> Result<u64, PatternError> {
        let incomplete = PatternError::Syntax { offset, reason: "an incomplete quantifier" };
        let Some(low) = self.input.number() else {
            return Err(incomplete);
        };
        let (text, copies) = if !self.input.eat(",") {
            (format!("{{{low}}}"), low)
        } else if let Some(high) = self.input.number() {
            if high < low {
                return syntax(offset, "a quantifier with its numbers out of order");
            }
            (format!("{{{low},{high}}}"), high)
        } else {
            (format!("{{{low},}}"), low.saturating_add(1))
        };
        if !self.input.eat("}") {
            return Err(incomplete);
        }
        self.regex.push_str(&text);
        Ok(copies.max(1))
    }

    /// Adds to the size. Fails if the compiled pattern would be too large.
    fn count(&mut self, terms: u64) -> Result<(), PatternError> {
        self.terms = self.terms.saturating_add(terms);
        let limit = self.limits.compiled_bytes;
        if self.terms.saturating_mul(BYTES_PER_TERM) > limit as u64 {
            return Err(PatternError::TooLarge { limit });
        }
        Ok(())
    }
}
