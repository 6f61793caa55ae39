//! What values look like.

use super::{Branch, Object};
use diagnostic::Rule;
use diagnostic::Span;
use json_text::{Kind, Node};

/// What a value must look like.
#[derive(Debug)]
#[allow(clippy::exhaustive_enums)] // who walks a table should see all of it
pub enum Shape {
    /// Anything.
    Any,
    /// Any object.
    Opaque,
    /// A boolean.
    Bool,
    /// A number without a fraction, in a range.
    Integer {
        /// The least.
        min: Option<i64>,
        /// The greatest.
        max: Option<i64>,
    },
    /// A number in a range.
    Number {
        /// The least.
        min: Option<i64>,
        /// The greatest.
        max: Option<i64>,
    },
    /// A string.
    Text(Text),
    /// One of these strings.
    Word(&'static [&'static str]),
    /// An array.
    List {
        /// Its elements.
        of: &'static Shape,
        /// The fewest elements.
        min: usize,
        /// The most elements.
        max: Option<usize>,
    },
    /// An object with any names.
    Map(&'static Shape),
    /// An object with known names.
    Object(&'static Object),
    /// One of several objects, by the word in the member `tag`.
    Union {
        /// The member that tells which. It is not a member of the branches.
        tag: &'static str,
        /// The objects.
        branches: &'static [Branch],
    },
    /// A value of one of several types. The first that has the value's type counts,
    /// so two of the same type make no sense.
    OneOf(&'static [Shape]),
}

impl Shape {
    /// Any string.
    pub const TEXT: Self = Self::Text(Text::ANY);
    /// Any string but the empty one.
    pub const SOME_TEXT: Self = Self::Text(Text { min: 1, ..Text::ANY });
    /// Any strings.
    pub const TEXTS: Self = Self::List { of: &Self::TEXT, min: 0, max: None };
    /// One string or more.
    pub const SOME_TEXTS: Self = Self::List { of: &Self::TEXT, min: 1, max: None };
    /// Any whole number.
    pub const INTEGER: Self = Self::Integer { min: None, max: None };

    /// A string with so many characters.
    pub const fn text(min: usize, max: usize) -> Self {
        Self::Text(Text { min, max: Some(max), ..Text::ANY })
    }

    /// A string that matches a grammar.
    pub const fn matching(grammar: &'static Grammar) -> Self {
        Self::Text(Text { grammar: Some(grammar), ..Text::ANY })
    }

    /// A string that should be of a format.
    pub const fn formatted(format: &'static Format) -> Self {
        Self::Text(Text { format: Some(format), ..Text::ANY })
    }

    /// An array of any length.
    pub const fn list(of: &'static Self) -> Self {
        Self::List { of, min: 0, max: None }
    }

    /// The one type of value that it asks for.
    pub(super) const fn kind(&self) -> Option<Kind> {
        match self {
            Self::Any | Self::OneOf(_) => None,
            Self::Opaque | Self::Map(_) | Self::Object(_) | Self::Union { .. } => {
                Some(Kind::Object)
            }
            Self::Bool => Some(Kind::Bool),
            Self::Integer { .. } | Self::Number { .. } => Some(Kind::Number),
            Self::Text(_) | Self::Word(_) => Some(Kind::String),
            Self::List { .. } => Some(Kind::Array),
        }
    }

    /// Whether a value has the type that it asks for.
    pub(super) fn is_type_of(&self, node: Node<'_>) -> bool {
        match self {
            // The shapes of a table are not inside themselves.
            Self::OneOf(shapes) => shapes.iter().any(|shape| shape.is_type_of(node)),
            _ => self.kind().is_none_or(|kind| kind == node.kind()),
        }
    }
}

/// What a string must look like. Lengths are in characters.
#[derive(Debug)]
#[allow(clippy::exhaustive_structs)] // tables are statics, written out in full
pub struct Text {
    /// The fewest characters.
    pub min: usize,
    /// The most characters.
    pub max: Option<usize>,
    /// What it must match.
    pub grammar: Option<&'static Grammar>,
    /// What it should be. JSON Schema takes that as advice.
    pub format: Option<&'static Format>,
}

impl Text {
    /// Any string.
    pub const ANY: Self = Self { min: 0, max: None, grammar: None, format: None };

    /// Whether so many bytes are enough, and not too many, whatever characters they
    /// are: up to four of them are one.
    pub(super) fn fits(&self, bytes: usize) -> bool {
        bytes >= 4 * self.min && self.max.is_none_or(|max| bytes <= max)
    }

    /// Whether a value can be told to be fine without a look at its characters.
    pub(super) fn takes(&self, node: Node<'_>) -> bool {
        let Span { start, end } = node.span();
        let quotes = "\"\"".len();
        self.grammar.is_none()
            && self.format.is_none()
            && node.kind() == Kind::String
            // An escape is longer than what it stands for.
            && (self.min == 0 || !node.is_escaped())
            && self.fits((end - start).saturating_sub(quotes))
    }
}

/// A pattern that texts must match. It is code too, so that no regular expression is
/// compiled for a document that is fine.
#[derive(Debug)]
#[allow(clippy::exhaustive_structs)] // grammars are statics, written out in full
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
#[allow(clippy::exhaustive_structs)] // formats are statics, written out in full
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
