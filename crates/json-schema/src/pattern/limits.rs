//! Limits on patterns, and the errors of patterns.

/// Limits on the cost of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternLimits {
    /// Bytes in the source of one pattern.
    pub source_bytes: usize,
    /// Bytes of one compiled pattern.
    pub compiled_bytes: usize,
    /// Levels of nested groups. Compiling uses more stack if this is higher.
    pub nesting: u32,
    /// Bytes in a text that a pattern is matched against.
    pub haystack_bytes: usize,
    /// Terms of a pattern, with every repetition written out, times bytes of the text. The
    /// time to match is proportional to this product.
    pub steps: u64,
}

impl Default for PatternLimits {
    fn default() -> Self {
        Self {
            source_bytes: 4 << 10,
            compiled_bytes: 1 << 20,
            nesting: 64,
            haystack_bytes: 1 << 20,
            steps: 1 << 25,
        }
    }
}

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
    /// The source is longer than [`PatternLimits::source_bytes`](PatternLimits::source_bytes).
    #[error("the pattern is longer than {limit} bytes")]
    TooLong {
        /// The limit.
        limit: usize,
    },
    /// The compiled pattern is larger than
    /// [`PatternLimits::compiled_bytes`](PatternLimits::compiled_bytes).
    #[error("the pattern needs more than {limit} bytes when compiled")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// Groups are nested deeper than [`PatternLimits::nesting`](PatternLimits::nesting).
    #[error("the pattern nests groups more than {limit} deep")]
    TooNested {
        /// The limit.
        limit: u32,
    },
    /// The text is longer than [`PatternLimits::haystack_bytes`](PatternLimits::haystack_bytes), or longer
    /// than [`PatternLimits::steps`](PatternLimits::steps) allows for this pattern.
    #[error("the text to match is longer than {limit} bytes")]
    HaystackTooLong {
        /// The limit for this pattern.
        limit: usize,
    },
}

pub(super) fn syntax<T>(offset: usize, reason: &'static str) -> Result<T, PatternError> {
    Err(PatternError::Syntax { offset, reason })
}
