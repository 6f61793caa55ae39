//! Why a query could not be read or run.

/// Why a query could not be read, or not be run to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The text is not a query, or a function in it is used against its types.
    #[error("not a JSONPath query: expected {expected} at byte {offset}")]
    Syntax {
        /// The byte at which reading stopped.
        offset: usize,
        /// What could have stood there.
        expected: &'static str,
    },
    /// The text is longer than [`Limits::jsonpath_bytes`](manifest_core::Limits::jsonpath_bytes).
    #[error("the JSONPath query is too long")]
    TooLong,
    /// There are more segments than [`Limits::jsonpath_segments`](manifest_core::Limits::jsonpath_segments), those of
    /// queries inside filters included.
    #[error("the JSONPath query has too many segments")]
    TooManySegments,
    /// Filters, parentheses and functions are nested deeper than
    /// [`Limits::jsonpath_nesting`](manifest_core::Limits::jsonpath_nesting), or than 32.
    #[error("the JSONPath query is nested too deeply")]
    TooNested,
    /// A regular expression or the text to match passes one of the pattern
    /// limits, or nests groups deeper than 12, or all regular expressions
    /// together pass [`Limits::pattern_compiled_bytes`](manifest_core::Limits::pattern_compiled_bytes).
    #[error("a regular expression in the JSONPath query passes a limit")]
    PatternLimit,
    /// Running the query takes more work than [`Limits::jsonpath_nodes`](manifest_core::Limits::jsonpath_nodes) allows.
    #[error("the JSONPath query takes too much work on this document")]
    Budget,
}
