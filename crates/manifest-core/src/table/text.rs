//! What strings look like.

use diagnostic::{Rule, Span};
use json_text::{Kind, Node};

/// What a string must look like. Lengths are in characters.
#[derive(Debug)]
pub struct Text {
    /// The fewest characters.
    pub min: usize,
    /// The most characters.
    pub max: Option<usize>,
    /// What it must match.
    pub grammar: Option<&'static Grammar>,
    /// Who says that it does not.
    pub judge: Judge,
    /// What it should be. JSON Schema takes that as advice.
    pub format: Option<&'static Format>,
}

impl Text {
    /// Any string.
    pub const ANY: Self =
        Self { min: 0, max: None, grammar: None, judge: Judge::Table, format: None };

    /// A string that matches a grammar.
    pub const fn matching(grammar: &'static Grammar) -> Self {
        Self { grammar: Some(grammar), ..Self::ANY }
    }

    /// The same string, which breaks that rule when it does not match its grammar.
    #[must_use]
    pub const fn breaking(self, rule: &'static Rule) -> Self {
        Self { judge: Judge::Rule(rule), ..self }
    }

    /// The same string, whose length and grammar are for the format to judge.
    #[must_use]
    pub const fn left_to_format(self) -> Self {
        Self { judge: Judge::Format, ..self }
    }

    /// Whether so many bytes are enough, and not too many, whatever characters they
    /// are: up to four of them are one.
    #[inline]
    pub(super) fn fits(&self, bytes: usize) -> bool {
        bytes.div_ceil(4) >= self.min && self.max.is_none_or(|max| bytes <= max)
    }

    /// Whether a value can be told to be fine without a look at its characters.
    #[inline]
    pub(super) fn takes(&self, node: Node<'_>) -> bool {
        let Span { start, end } = node.span();
        let quotes = "\"\"".len();
        let plain = self.grammar.is_none()
            // An escape is longer than what it stands for.
            && (self.min == 0 || !node.is_escaped())
            && self.fits((end - start).saturating_sub(quotes));
        node.kind() == Kind::String
            && self.format.is_none()
            && (matches!(self.judge, Judge::Format) || plain)
    }
}

/// Who says that a text has not the length or the form that it must have.
#[derive(Clone, Copy, Debug)]
pub enum Judge {
    /// The check of the table, by the rules that the format has for all texts.
    Table,
    /// The same, by a rule of its own where the text does not match its grammar.
    Rule(&'static Rule),
    /// The format: it has more to say of such texts than a length and a pattern.
    Format,
}

/// A pattern that texts must match. It is code too, so that no regular expression is
/// compiled for a document that is fine.
#[derive(Debug)]
pub struct Grammar {
    /// The pattern, as the specification writes it.
    pub pattern: &'static str,
    /// What matches it, in words.
    pub described: &'static str,
    /// Whether a text matches it.
    pub matches: fn(&str) -> bool,
}

impl Grammar {
    /// Whether a text matches the pattern.
    pub fn matches(&self, text: &str) -> bool {
        (self.matches)(text)
    }
}

/// A format of JSON Schema that texts should be of.
#[derive(Debug)]
pub struct Format {
    /// The word that JSON Schema has for it.
    pub word: &'static str,
    /// What is of it, in words.
    pub described: &'static str,
    /// Whether a text is of it.
    pub matches: fn(&str) -> bool,
    /// What a text that is not breaks.
    pub rule: &'static Rule,
}
