//! What came of a step.

use serde::{Deserialize, Serialize};

/// What came of a step, as the host saw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The program ended.
    Exited {
        /// How it ended.
        end: End,
        /// What it wrote to its standard output.
        stdout: Vec<u8>,
        /// What it wrote to its standard error.
        stderr: Vec<u8>,
    },
    /// The server answered.
    Responded {
        /// The status.
        status: u16,
        /// The body.
        body: Vec<u8>,
    },
    /// The MCP server answered: its `CallToolResult`, as JSON.
    Returned(String),
    /// The function gave this value, as JSON.
    Value(String),
    /// The function failed, and says so.
    Threw(String),
    /// It is done, and there is nothing to read: a file was fetched, something was found, a
    /// person did it.
    Done,
    /// Nothing came in time.
    TimedOut,
    /// More came than is taken.
    TooMuch {
        /// How many bytes are taken.
        limit: u64,
    },
    /// It could not be done at all, for this reason: there is no such program, or no
    /// connection.
    NotDone(String),
    /// It was begun, and then the other side was gone, for this reason.
    Lost(String),
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// By itself, with this exit code.
    Exit(i32),
    /// By a signal. Numbers are those of Linux.
    Signal {
        /// Which signal.
        number: i32,
        /// Whether the system kept an image of the program.
        core_dumped: bool,
    },
}

/// What a tool answered, read as its format says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// A JSON value, as it is written.
    Json(String),
    /// JSON objects, one for each line.
    Records(Vec<String>),
    /// Text.
    Text(String),
    /// Anything.
    Bytes(Vec<u8>),
    /// Nothing is expected, and what there was is left out.
    Nothing,
}

impl Answer {
    /// The answer as bytes, as they are.
    pub fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Json(text) | Self::Text(text) => text.into_bytes(),
            Self::Records(records) => records.join("\n").into_bytes(),
            Self::Bytes(bytes) => bytes,
            Self::Nothing => Vec::new(),
        }
    }

    /// The answer as one text, for a model or a terminal. Bytes that are no text are not.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Json(text) | Self::Text(text) => Some(text.clone()),
            Self::Records(records) => Some(records.join("\n")),
            Self::Bytes(bytes) => String::from_utf8(bytes.clone()).ok(),
            Self::Nothing => Some(String::new()),
        }
    }
}
