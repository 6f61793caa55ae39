//! Options of smoke tests.

use manifest_core::Limits;

/// Options for planning and judging a smoke test.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// True if a condition is skipped when it needs a variable without a value. Otherwise
    /// the condition fails.
    pub skip_unresolved: bool,
    /// Limits on documents, patterns and templates.
    pub limits: Limits,
}
