//! How much a host asks of a smoke test.

use manifest_core::Limits;

/// How a smoke test is planned and judged.
#[derive(Clone, Debug, Default)]
#[allow(clippy::exhaustive_structs)] // built by struct update syntax on purpose
pub struct Options {
    /// Whether a condition that needs the value of an optional variable which
    /// nobody gave is skipped. Otherwise it fails.
    pub skip_unresolved: bool,
    /// Bounds on what is read.
    pub limits: Limits,
}
