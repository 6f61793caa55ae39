//! Why a pattern cannot be used.

/// Why a pattern cannot be used, or not on this text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// The source is not an ECMAScript pattern.
    #[error("not an ECMAScript pattern: {reason} at byte {offset}")]
    Syntax {
        /// Where in the source.
        offset: usize,
        /// What is wrong.
        reason: &'static str,
    },
    /// The source is an ECMAScript pattern, with a construct that has no
    /// linear-time match.
    #[error("{construct} at byte {offset} of the pattern is not supported")]
    Unsupported {
        /// Where in the source.
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
    /// Compiled, the pattern is larger than [`PatternLimits::compiled_bytes`](super::PatternLimits::compiled_bytes).
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
