//! Errors of patterns.

/// The reason why a pattern cannot be used, or cannot be matched against a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// The source is not an ECMAScript pattern.
    #[error("not an ECMAScript pattern: {reason} at byte {offset}")]
    Syntax {
        /// The byte offset in the source.
        offset: usize,
        /// The problem.
        reason: &'static str,
    },
    /// The source is an ECMAScript pattern, but uses a construct that cannot be matched in
    /// linear time.
    #[error("{construct} at byte {offset} of the pattern is not supported")]
    Unsupported {
        /// The byte offset in the source.
        offset: usize,
        /// The construct, such as `look-ahead`.
        construct: &'static str,
    },
    /// The source is longer than [`PatternLimits::source_bytes`](super::PatternLimits::source_bytes).
    #[error("the pattern is longer than {limit} bytes")]
    TooLong {
        /// The limit.
        limit: usize,
    },
    /// The compiled pattern is larger than
    /// [`PatternLimits::compiled_bytes`](super::PatternLimits::compiled_bytes).
    #[error("the pattern needs more than {limit} bytes when compiled")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// Groups are nested deeper than [`PatternLimits::nesting`](super::PatternLimits::nesting).
    #[error("the pattern nests groups more than {limit} deep")]
    TooNested {
        /// The limit.
        limit: u32,
    },
    /// The text is longer than [`PatternLimits::haystack_bytes`](super::PatternLimits::haystack_bytes), or longer
    /// than [`PatternLimits::steps`](super::PatternLimits::steps) allows for this pattern.
    #[error("the text to match is longer than {limit} bytes")]
    HaystackTooLong {
        /// The limit for this pattern.
        limit: usize,
    },
}

pub(super) fn syntax<T>(offset: usize, reason: &'static str) -> Result<T, PatternError> {
    Err(PatternError::Syntax { offset, reason })
}
