//! Limits of patterns, from those of documents.

use manifest_core::Limits;
use manifest_core::pattern::PatternLimits;

pub(crate) fn pattern_limits(limits: &Limits) -> PatternLimits {
    PatternLimits {
        source_bytes: limits.pattern_bytes,
        compiled_bytes: limits.pattern_compiled_bytes,
        nesting: limits.pattern_nesting,
        haystack_bytes: limits.pattern_haystack_bytes,
        ..PatternLimits::default()
    }
}
