//! Limits on patterns.

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
