//! The regular expressions in a schema.

use crate::Limits;
use crate::pattern::{PatternError, PatternLimits, translate};

/// All patterns of one schema together may be this many times the limit for one.
const PATTERNS_OF_FULL_SIZE: usize = 4;

/// A pattern in the syntax of the `regex` crate.
pub(super) struct SizedRegex {
    pub(super) regex: String,
    /// The approximate size when compiled.
    pub(super) bytes: usize,
}

/// Translates a pattern. Its size is estimated as the smallest of three limits that it
/// fits.
pub(super) fn translate_sized(source: &str, limits: &Limits) -> Result<SizedRegex, PatternError> {
    let largest = limits.pattern_compiled_bytes;
    let within = |bytes| {
        let limits = PatternLimits {
            source_bytes: limits.pattern_bytes,
            compiled_bytes: bytes,
            nesting: limits.pattern_nesting,
            haystack_bytes: limits.pattern_haystack_bytes,
            ..PatternLimits::default()
        };
        translate(source, &limits).map(|regex| SizedRegex { regex, bytes })
    };
    for bytes in [largest / 256, largest / 32] {
        match within(bytes) {
            Err(PatternError::TooLarge { .. }) => {}
            result => return result,
        }
    }
    within(largest)
}

/// The remaining budget for the patterns of a schema.
pub(super) struct Budget<'l> {
    limits: &'l Limits,
    left: usize,
}

impl<'l> Budget<'l> {
    pub(super) const fn new(limits: &'l Limits) -> Self {
        let largest = limits.pattern_compiled_bytes;
        Self { limits, left: largest.saturating_mul(PATTERNS_OF_FULL_SIZE) }
    }

    /// Spends the size of a pattern. Fails with a message if the pattern cannot be used.
    pub(super) fn admit(&mut self, source: &str) -> Result<(), String> {
        let bytes = translate_sized(source, self.limits).map_err(|error| error.to_string())?.bytes;
        self.left = self
            .left
            .checked_sub(bytes)
            .ok_or("the patterns of this schema are too large together")?;
        Ok(())
    }
}
