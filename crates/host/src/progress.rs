//! How far calls are.

/// A report on a call that is being worked on: of the MCP server that does, or of a chain.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// How much is done. It grows from report to report.
    pub progress: f64,
    /// How much there is to do, if that is known.
    pub total: Option<f64>,
    /// What is being done.
    pub message: Option<String>,
}

/// Whoever is told of the progress of one call.
pub type Watch<'w> = &'w (dyn Fn(Progress) + Send + Sync);

impl Progress {
    /// So much is done of so much, and this is being done.
    pub const fn new(progress: f64, total: Option<f64>, message: Option<String>) -> Self {
        Self { progress, total, message }
    }
}
