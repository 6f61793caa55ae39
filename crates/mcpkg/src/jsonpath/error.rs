//! Errors of parsing and running a query.

/// The reason why a query could not be parsed, or not be run to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The text is not a query, or a function in it is used against its declared types.
    #[error("not a JSONPath query: expected {expected} at byte {offset}")]
    Syntax {
        /// The byte at which parsing stopped.
        offset: usize,
        /// A description of the input that would be valid there.
        expected: &'static str,
    },
    /// The text is longer than [`Limits::jsonpath_bytes`](manifest_core::Limits::jsonpath_bytes).
    #[error("the JSONPath query is too long")]
    TooLong,
    /// There are more segments than
    /// [`Limits::jsonpath_segments`](manifest_core::Limits::jsonpath_segments), including
    /// those of queries inside filters.
    #[error("the JSONPath query has too many segments")]
    TooManySegments,
    /// Filters, parentheses and functions are nested deeper than
    /// [`Limits::jsonpath_nesting`](manifest_core::Limits::jsonpath_nesting), or than 32.
    #[error("the JSONPath query is nested too deeply")]
    TooNested,
    /// A regular expression or the text to match exceeds one of the pattern limits, groups
    /// are nested deeper than 12, or all regular expressions together exceed
    /// [`Limits::pattern_compiled_bytes`](manifest_core::Limits::pattern_compiled_bytes).
    #[error("a regular expression in the JSONPath query passes a limit")]
    PatternLimit,
    /// Running the query takes more work than [`Limits::jsonpath_nodes`](manifest_core::Limits::jsonpath_nodes) allows.
    #[error("the JSONPath query takes too much work on this document")]
    Budget,
}
