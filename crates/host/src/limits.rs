//! Bounds on what a call may cost.

use std::time::Duration;

/// Bounds on time, memory and number.
///
/// What is held at once is at most `calls` times twice `answer_bytes`, and a little.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one answer: of each output of a program, of a body, of a message.
    pub answer_bytes: usize,
    /// Calls that are made at once. Others wait for their turn.
    pub calls: usize,
    /// Calls that wait for their turn. More are refused.
    pub waiting: usize,
    /// How long a call may take that does not say so itself.
    pub usual: Duration,
    /// How long any call may take.
    pub most: Duration,
    /// How long the output of a program is waited for that has ended, while others that it
    /// started hold it open; and how long an MCP server has to end by itself.
    pub linger: Duration,
    /// MCP servers that are kept running. For one more, the one that was idle longest is ended.
    pub servers: usize,
    /// Redirects that are followed, to the same host.
    pub redirects: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            answer_bytes: 8 << 20,
            calls: 16,
            waiting: 10_000,
            usual: Duration::from_secs(60),
            most: Duration::from_secs(60 * 60),
            linger: Duration::from_secs(1),
            servers: 32,
            redirects: 5,
        }
    }
}
