//! The syntax tree of a query.

use super::regexp::Pattern;
use super::value::{Comparison, Value};

/// A query, at the top or inside a filter.
#[derive(Clone, Debug)]
pub(super) struct Path {
    /// Begins with `$`, not with `@`.
    pub(super) absolute: bool,
    /// Has the syntax of a singular query.
    pub(super) singular: bool,
    pub(super) segments: Vec<Segment>,
}

#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// Begins with `..`.
    pub(super) descendant: bool,
    pub(super) selectors: Vec<Selector>,
}

#[derive(Clone, Debug)]
pub(super) enum Selector {
    Name(String),
    Wildcard,
    Index(i64),
    Slice(Slice),
    Filter(Expr),
}

#[derive(Clone, Debug)]
pub(super) struct Slice {
    pub(super) start: Option<i64>,
    pub(super) end: Option<i64>,
    pub(super) step: i64,
}

/// The condition of a filter.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    /// Groups joined by `||`, each of terms joined by `&&`.
    AnyOf(Vec<Vec<Expr>>),
    Not(Box<Expr>),
    Exists(Path),
    Compare(Operand, Comparison, Operand),
    Matches {
        text: Operand,
        pattern: PatternSource,
        /// True for `match`, false for `search`.
        whole: bool,
    },
}

/// An operand that yields at most one value.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    Literal(Value<'static>),
    /// A singular query.
    Query(Path),
    /// `length()`
    Length(Box<Operand>),
    /// `count()`
    Count(Path),
    /// `value()`
    ValueOf(Path),
}

#[derive(Clone, Debug)]
pub(super) enum PatternSource {
    /// Compiled when the query was parsed; `None` if it is not an I-Regexp.
    Literal(Option<Pattern>),
    Operand(Operand),
}
