//! The shape of strings.

use diagnostic::{Rule, Span};
use json_text::{Kind, Node};

/// The shape of a string. Lengths are in characters.
#[derive(Debug)]
pub struct TextShape {
    /// The fewest characters.
    pub min: usize,
    /// The most characters.
    pub max: Option<usize>,
    /// The pattern that the string must match.
    pub grammar: Option<&'static Grammar>,
    /// The check that reports a wrong length or a mismatch.
    pub reporter: Reporter,
    /// The format that the string should have. JSON Schema makes its check optional.
    pub format: Option<&'static TextFormat>,
}

impl TextShape {
    /// Any string.
    pub const ANY: Self =
        Self { min: 0, max: None, grammar: None, reporter: Reporter::Table, format: None };

    /// A string that matches a grammar.
    pub const fn matching(grammar: &'static Grammar) -> Self {
        Self { grammar: Some(grammar), ..Self::ANY }
    }

    /// Sets the rule for a string that does not match its grammar.
    #[must_use]
    pub const fn with_rule(self, rule: &'static Rule) -> Self {
        Self { reporter: Reporter::Rule(rule), ..self }
    }

    /// Leaves the check of length and grammar to the format.
    #[must_use]
    pub const fn left_to_format(self) -> Self {
        Self { reporter: Reporter::Format, ..self }
    }

    /// Returns true if every string of so many bytes has an allowed length. A character has
    /// one to four bytes.
    #[inline]
    pub(super) fn length_fits(&self, bytes: usize) -> bool {
        bytes.div_ceil(4) >= self.min && self.max.is_none_or(|max| bytes <= max)
    }

    /// Returns true if the value is valid without a look at its characters.
    #[inline]
    pub(super) fn is_surely_valid(&self, node: Node<'_>) -> bool {
        let Span { start, end } = node.span();
        let quotes = "\"\"".len();
        let plain = self.grammar.is_none()
            // An escape is longer than its character, so it proves no minimum length.
            && (self.min == 0 || !node.is_escaped())
            && self.length_fits((end - start).saturating_sub(quotes));
        node.kind() == Kind::String
            && self.format.is_none()
            && (matches!(self.reporter, Reporter::Format) || plain)
    }
}

/// The check that reports a string of wrong length or form.
#[derive(Clone, Copy, Debug)]
pub enum Reporter {
    /// The check of the table, with the format's rules for all strings.
    Table,
    /// The check of the table, with this rule for a string that does not match its grammar.
    Rule(&'static Rule),
    /// The format's own check, which reports more than a length and a pattern.
    Format,
}

/// A pattern that strings must match. It is implemented in code too, so that checking a
/// valid document compiles no regular expression.
#[derive(Debug)]
pub struct Grammar {
    /// The pattern, as the specification writes it.
    pub pattern: &'static str,
    /// The matching strings, in words.
    pub description: &'static str,
    /// Returns true if a string matches.
    pub matches: fn(&str) -> bool,
}

impl Grammar {
    /// Returns true if a string matches the pattern.
    pub fn matches(&self, text: &str) -> bool {
        (self.matches)(text)
    }
}

/// A format of JSON Schema that strings should have.
#[derive(Debug)]
pub struct TextFormat {
    /// The name of the format in JSON Schema.
    pub name: &'static str,
    /// The strings of the format, in words.
    pub description: &'static str,
    /// Returns true if a string has the format.
    pub matches: fn(&str) -> bool,
    /// The rule that is reported for other strings.
    pub rule: &'static Rule,
}
