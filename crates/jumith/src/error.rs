//! The errors that a registry returns.

use std::fmt;

use manifest_core::json::{Document, Node, Raw};
use manifest_core::{Limits, Text, printable};
use serde::Serialize;

/// The codes that the specification suggests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// The request is invalid.
    InvalidRequest,
    /// The registry has no tool with this id.
    ToolNotFound,
    /// The tool has no such version.
    VersionNotFound,
    /// The registry failed.
    InternalError,
    /// The tool needs a runtime that is not supported.
    UnsupportedRuntime,
}

impl Code {
    const ALL: [Self; 5] = [
        Self::InvalidRequest,
        Self::ToolNotFound,
        Self::VersionNotFound,
        Self::InternalError,
        Self::UnsupportedRuntime,
    ];

    /// Returns the code as it appears in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidRequest => "INVALID_REQUEST",
            Self::ToolNotFound => "TOOL_NOT_FOUND",
            Self::VersionNotFound => "VERSION_NOT_FOUND",
            Self::InternalError => "INTERNAL_ERROR",
            Self::UnsupportedRuntime => "UNSUPPORTED_RUNTIME",
        }
    }

    /// Parses a code. Returns `None` for codes outside of the specification.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.as_str() == text)
    }

    /// Returns the HTTP status that belongs to the code.
    pub const fn status(self) -> u16 {
        match self {
            Self::InvalidRequest => 400,
            Self::ToolNotFound | Self::VersionNotFound => 404,
            Self::InternalError => 500,
            Self::UnsupportedRuntime => 422,
        }
    }
}

/// `{"error": {"code", "message", "details"}}`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ErrorEnvelope<'a> {
    /// The error.
    pub error: ErrorBody<'a>,
}

/// The error inside an [`ErrorEnvelope`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ErrorBody<'a> {
    /// One of [`Code`], or a code of the registry's own.
    pub code: Text<'a>,
    /// The message for people.
    pub message: Text<'a>,
    /// Details for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Raw<'a>>,
}

impl<'a> ErrorEnvelope<'a> {
    /// Reads an envelope. Returns `None` if the value has no `error` with a `code`.
    pub fn read(node: Node<'a>) -> Option<Self> {
        let error = node.get("error")?;
        let code = error.get("code")?.text()?;
        // The code alone is an envelope: the message is for people.
        let message = error.get("message").and_then(Node::text).unwrap_or(Text::Borrowed(""));
        let details = error.get("details").map(Raw::from_node);
        Some(Self { error: ErrorBody { code, message, details } })
    }
}

/// The number of bytes of a body that an [`ApiError`] keeps.
const EXCERPT: usize = 1024;

/// An answer with a status other than 2xx.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApiError {
    /// The HTTP status.
    pub status: u16,
    /// The code of the envelope, if the body is one.
    pub code: Option<String>,
    /// The message of the envelope, or the beginning of a body that is not an envelope.
    pub message: String,
    /// The details of the envelope, as JSON.
    pub details: Option<String>,
    /// The first 1024 bytes of the body, as text.
    pub body: String,
}

impl ApiError {
    /// Reads the body of an answer. If it is not an envelope, its beginning becomes the
    /// message.
    pub fn read(status: u16, body: &[u8], limits: &Limits) -> Self {
        let start = body.get(..EXCERPT).unwrap_or(body);
        let excerpt = String::from_utf8_lossy(start).into_owned();
        let document = Document::parse(body, limits).ok();
        let envelope = document.as_ref().and_then(|document| ErrorEnvelope::read(document.root()));
        if let Some(ErrorEnvelope { error }) = envelope {
            return Self {
                status,
                code: Some(error.code.into_owned()),
                message: error.message.into_owned(),
                details: error.details.map(|details| details.as_str().to_owned()),
                body: excerpt,
            };
        }
        let message = excerpt.trim().to_owned();
        Self { status, code: None, message, details: None, body: excerpt }
    }

    /// Returns the code if the specification defines it. Without a code, the status
    /// decides.
    pub fn kind(&self) -> Option<Code> {
        match (&self.code, self.status) {
            (Some(code), _) => Code::parse(code),
            (None, 400) => Some(Code::InvalidRequest),
            (None, 500..=599) => Some(Code::InternalError),
            _ => None,
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the registry answered with HTTP {}", self.status)?;
        if let Some(code) = &self.code {
            write!(f, " {}", printable(code, 64))?;
        }
        write!(f, ": {}", printable(&self.message, 512))
    }
}

impl std::error::Error for ApiError {}
