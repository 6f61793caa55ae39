//! Limits of patterns and paths, from those of documents.

use manifest_core::Limits;
use manifest_core::path::PathLimits;
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

pub(crate) const fn path_limits(limits: &Limits) -> PathLimits {
    PathLimits {
        bytes: limits.path_bytes,
        segment_bytes: limits.path_segment_bytes,
        segments: limits.path_segments,
    }
}
