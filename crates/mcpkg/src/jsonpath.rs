//! `JSONPath` queries (RFC 9535) over the JSON text layer.
//!
//! Queries and documents both come from strangers, so both are bounded: the query when it
//! is parsed, the work when it is run. The regular expressions in `match` and `search` are
//! I-Regexps (RFC 9485).

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

/// A parsed `JSONPath` query.
///
/// ```
/// use manifest_core::{Limits, json::Document};
/// use toolglot_mcpkg::jsonpath::Query;
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
    /// Parses a query and checks the types in its filters.
    pub fn parse(text: &str, limits: &Limits) -> Result<Self, QueryError> {
        Ok(Self { path: parse::query(text, limits)?, text: text.to_owned() })
    }

    /// Returns the query as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns true if the query is singular by its syntax (RFC 9535, 2.3.5.1), and so
    /// selects at most one value: every segment is `.name`, `['name']` or `[0]`, without
    /// blanks inside the brackets.
    pub fn is_singular(&self) -> bool {
        self.path.singular
    }

    /// Returns the member of the root that a singular query begins with. Returns `None` if
    /// the query is not singular or does not begin with a name.
    pub fn first_name(&self) -> Option<&str> {
        let selector = self.path.segments.first()?.selectors.first()?;
        match selector {
            ast::Selector::Name(name) if self.is_singular() => Some(name),
            _ => None,
        }
    }

    /// Returns every selected value in the order of RFC 9535. A value that is selected
    /// twice is returned twice.
    ///
    /// Each visited value, each test in a filter and each 64 bytes of text read count
    /// against [`Limits::jsonpath_nodes`]. A singular query always fits.
    pub fn select<'a>(&self, root: Node<'a>, limits: &Limits) -> Result<Vec<Node<'a>>, QueryError> {
        if self.is_singular() {
            return Ok(self.select_one(root).into_iter().collect());
        }
        eval::select_all(&self.path, root, limits)
    }

    /// Returns the value that a singular query selects. Always returns `None` for other
    /// queries, so check [`Query::is_singular`] first.
    pub fn select_one<'a>(&self, root: Node<'a>) -> Option<Node<'a>> {
        eval::select_one(&self.path, root)
    }
}
