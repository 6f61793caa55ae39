//! `JSONPath` queries (RFC 9535), over the JSON text layer.
//!
//! A query comes from a stranger and so does the document it is run on, so both
//! are bounded: the query when it is read, the work when it is run. Regular
//! expressions in `match` and `search` are I-Regexps (RFC 9485).

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

use manifest_core::Limits;
use manifest_core::json::Node;

mod ast;
mod children;
mod error;
mod eval;
mod filter;
mod parse;
mod regexp;
mod scan;
mod value;

pub use error::QueryError;

/// A `JSONPath` query that has been read.
///
/// ```
/// use manifest_core::{Limits, json::Document};
/// use jsonpath::Query;
///
/// let limits = Limits::default();
/// let text = br#"{"tools": [{"name": "a", "cost": 5}, {"name": "b", "cost": 15}]}"#;
/// let document = Document::parse(text, &limits)?;
///
/// let cheap = Query::parse("$.tools[?@.cost < 10].name", &limits)?;
/// let names = cheap.select(document.root(), &limits)?;
/// assert_eq!(names[0].raw(), r#""a""#);
///
/// let first = Query::parse("$.tools[0].name", &limits)?;
/// assert!(first.is_singular());
/// assert_eq!(first.select_one(document.root()).unwrap().raw(), r#""a""#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Query {
    text: String,
    path: ast::Path,
}

impl Query {
    /// Reads a query and checks the types in its filters.
    pub fn parse(text: &str, limits: &Limits) -> Result<Self, QueryError> {
        Ok(Self { path: parse::query(text, limits)?, text: text.to_owned() })
    }

    /// The query as it is written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the query is singular by its syntax (RFC 9535, 2.3.5.1), and so
    /// selects at most one value: every segment is `.name`, `['name']` or
    /// `[0]`, without blanks inside the brackets.
    pub fn is_singular(&self) -> bool {
        self.path.singular
    }

    /// The member of the root that a singular query begins with.
    pub fn first_name(&self) -> Option<&str> {
        let selector = self.path.segments.first()?.selectors.first()?;
        match selector {
            ast::Selector::Name(name) if self.is_singular() => Some(name),
            _ => None,
        }
    }

    /// Every value that the query selects, in the order of RFC 9535; a value
    /// selected twice is there twice.
    ///
    /// Each value visited, each test in a filter and each 64 bytes of text read
    /// count against [`Limits::jsonpath_nodes`]. A singular query always fits.
    pub fn select<'a>(&self, root: Node<'a>, limits: &Limits) -> Result<Vec<Node<'a>>, QueryError> {
        if self.is_singular() {
            return Ok(self.select_one(root).into_iter().collect());
        }
        eval::all(&self.path, root, limits)
    }

    /// The value that a singular query selects. Nothing for other queries: ask
    /// [`Query::is_singular`] first.
    pub fn select_one<'a>(&self, root: Node<'a>) -> Option<Node<'a>> {
        eval::one(&self.path, root)
    }
}
