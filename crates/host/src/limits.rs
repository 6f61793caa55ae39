//! Limits on the cost of calls.

use std::time::Duration;

use call::http::MAX_REDIRECTS;
use call::{DEFAULT_TIMEOUT, MAX_ANSWER_BYTES, MAX_TIMEOUT};

/// Limits on time, memory and number.
///
/// The memory in use at once is at most `calls` times twice `answer_bytes`, plus a little.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one answer: of each output of a program, of a body, or of a message.
    pub answer_bytes: usize,
    /// Calls that run at once. Others wait for their turn.
    pub calls: usize,
    /// Calls that wait for their turn. Further calls are refused.
    pub waiting: usize,
    /// The time limit of a call that declares none.
    pub default_timeout: Duration,
    /// The longest time limit of any call.
    pub max_timeout: Duration,
    /// How long to wait for the output of a program that has ended, if processes that it
    /// started hold the output open. Also the time in which an MCP server must end: half of
    /// it by itself, and half after SIGTERM.
    pub linger: Duration,
    /// MCP servers that are kept running. To start another, the server that was idle
    /// longest is ended.
    pub servers: usize,
    /// Redirects that are followed, to the same host.
    pub redirects: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            answer_bytes: MAX_ANSWER_BYTES,
            calls: 16,
            waiting: 10_000,
            default_timeout: DEFAULT_TIMEOUT,
            max_timeout: MAX_TIMEOUT,
            linger: Duration::from_secs(1),
            servers: 32,
            redirects: MAX_REDIRECTS,
        }
    }
}
