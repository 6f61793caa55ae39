//! The progress of calls.

/// A progress report about a call, from its MCP server or from a chain.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The amount that is done. It grows from report to report.
    pub progress: f64,
    /// The total amount, if it is known.
    pub total: Option<f64>,
    /// A description of the current work.
    pub message: Option<String>,
}

/// A callback that receives the progress of one call.
pub type Watch<'w> = &'w (dyn Fn(Progress) + Send + Sync);

impl Progress {
    /// Creates a report.
    pub const fn new(progress: f64, total: Option<f64>, message: Option<String>) -> Self {
        Self { progress, total, message }
    }
}
