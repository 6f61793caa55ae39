//! Outcomes and answers.

use serde::{Deserialize, Serialize};

/// The outcome of a step, as observed by the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The program ended.
    Exited {
        /// How it ended.
        end: End,
        /// The bytes of its standard output.
        stdout: Vec<u8>,
        /// The bytes of its standard error.
        stderr: Vec<u8>,
    },
    /// The server answered.
    Responded {
        /// The status.
        status: u16,
        /// The body.
        body: Vec<u8>,
    },
    /// The MCP server returned this `CallToolResult`, as JSON.
    Returned(String),
    /// The function returned this value, as JSON.
    Value(String),
    /// The function failed with this message.
    Threw(String),
    /// The step is done and has no result. For example, a file was fetched, a program was
    /// found, or a person followed the instructions.
    Done,
    /// There was no answer in time.
    TimedOut,
    /// The answer exceeds the limit.
    TooMuch {
        /// The limit in bytes.
        limit: u64,
    },
    /// The step was not carried out, for this reason. For example, the program is missing,
    /// or there is no connection.
    NotDone(String),
    /// The step began, but the outcome is unknown, for this reason. For example, the
    /// connection was lost.
    Lost(String),
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// By itself, with this exit code.
    Exit(i32),
    /// By a signal. Its number is that of Linux.
    Signal {
        /// The number of the signal.
        number: i32,
        /// True if the system wrote a core dump.
        core_dumped: bool,
    },
}

/// The answer of a tool, read by the rules of its format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// A JSON value, as written.
    Json(String),
    /// JSON objects, one per line.
    Records(Vec<String>),
    /// Text.
    Text(String),
    /// Arbitrary bytes.
    Bytes(Vec<u8>),
    /// No answer is expected, and any output was discarded.
    Nothing,
}

impl Answer {
    /// Returns the answer as bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Json(text) | Self::Text(text) => text.into_bytes(),
            Self::Records(records) => records.join("\n").into_bytes(),
            Self::Bytes(bytes) => bytes,
            Self::Nothing => Vec::new(),
        }
    }

    /// Returns the answer as one text, for a model or a terminal. Returns `None` if it is
    /// not UTF-8.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Json(text) | Self::Text(text) => Some(text.clone()),
            Self::Records(records) => Some(records.join("\n")),
            Self::Bytes(bytes) => String::from_utf8(bytes.clone()).ok(),
            Self::Nothing => Some(String::new()),
        }
    }
}
