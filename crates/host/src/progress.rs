//! How far calls are.

/// A report of an MCP server on a call that it works on.
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
