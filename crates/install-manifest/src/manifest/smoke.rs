//! Smoke tests of an installation.

use manifest_core::json::{Node, Number, Raw};
use manifest_core::{KeyedList, Text};
use serde::Serialize;

use super::decode;
use crate::enums::Method;

/// The time limit of a smoke test, in seconds, if the manifest has no `timeout_seconds`.
pub const DEFAULT_TIMEOUT_SECONDS: u16 = 30;

/// The smoke test of an installation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Smoke<'a> {
    /// The test to run.
    #[serde(flatten)]
    pub kind: SmokeKind<'a>,
    /// The time limit: 1 to 300 seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<Number<'a>>,
    /// The conditions of success.
    pub success: Success<'a>,
}

/// The test that checks an installation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum SmokeKind<'a> {
    /// Runs a program.
    Shell {
        /// The program and its arguments.
        command: Vec<Text<'a>>,
    },
    /// Sends an HTTP request.
    Http {
        /// `GET` or `POST`. Absent means `GET`.
        #[serde(skip_serializing_if = "Option::is_none")]
        method: Option<Method>,
        /// The URL. May refer to variables as `${NAME}`.
        url: Text<'a>,
        /// Headers. May refer to variables as `${NAME}`.
        #[serde(skip_serializing_if = "KeyedList::is_empty")]
        headers: KeyedList<'a, Text<'a>>,
        /// The body. May refer to variables as `${NAME}`.
        #[serde(skip_serializing_if = "Option::is_none")]
        body: Option<Text<'a>>,
    },
    /// Calls a tool of the MCP server.
    McpToolCall {
        /// The name of the tool.
        tool_name: Text<'a>,
        /// The arguments.
        #[serde(skip_serializing_if = "Option::is_none")]
        arguments: Option<Raw<'a>>,
    },
    /// Calls an action of the manifest (0.2).
    ActionCall {
        /// The name of the action.
        action: Text<'a>,
        /// The input.
        #[serde(skip_serializing_if = "Option::is_none")]
        arguments: Option<Raw<'a>>,
    },
}

/// The conditions of a successful smoke test. All of them must hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Success<'a> {
    /// The exit code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<Number<'a>>,
    /// The HTTP status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_status: Option<Number<'a>>,
    /// ECMAScript pattern of the standard output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdout_regex: Option<Text<'a>>,
    /// ECMAScript pattern of the response's body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_regex: Option<Text<'a>>,
    /// By JSON Pointer, the value that must be at that place.
    #[serde(skip_serializing_if = "KeyedList::is_empty")]
    pub json_pointer_equals: KeyedList<'a, Raw<'a>>,
    /// By JSON Pointer, strings of which one must be at that place (0.3.1).
    #[serde(skip_serializing_if = "KeyedList::is_empty")]
    pub json_pointer_in: KeyedList<'a, Vec<Text<'a>>>,
    /// JSON Pointer to a value that must exist (0.3.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub json_pointer_exists: Option<Text<'a>>,
    /// JSON Pointer to a value that must exist and be neither `null` nor blank text
    /// (0.3.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub json_pointer_present: Option<Text<'a>>,
    /// If true, the result must not have a top-level member `error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_error_field: Option<bool>,
}

impl<'a> Smoke<'a> {
    pub(super) fn read(node: Node<'a>) -> Option<Self> {
        Some(Self {
            kind: SmokeKind::read(node)?,
            timeout_seconds: decode::number(node.get("timeout_seconds"))?,
            success: Success::read(node.get("success")?)?,
        })
    }

    /// Returns the time limit in seconds, or the default if it is missing or does not fit
    /// `u16`.
    pub fn timeout_seconds(&self) -> u16 {
        let stated = self.timeout_seconds.as_ref().and_then(Number::to_i64);
        stated.and_then(|seconds| u16::try_from(seconds).ok()).unwrap_or(DEFAULT_TIMEOUT_SECONDS)
    }
}

impl<'a> SmokeKind<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let text = |name| node.get(name)?.text();
        Some(match text("kind")?.as_ref() {
            "shell" => Self::Shell { command: decode::texts(Some(node.get("command")?))? },
            "http" => Self::Http {
                method: decode::optional(node.get("method"), |node| {
                    decode::word(node, Method::from_word)
                })?,
                url: text("url")?,
                headers: decode::map(node.get("headers"), Node::text)?,
                body: decode::text(node.get("body"))?,
            },
            "mcp-tool-call" => Self::McpToolCall {
                tool_name: text("tool_name")?,
                arguments: decode::object(node.get("arguments"))?,
            },
            "action-call" => Self::ActionCall {
                action: text("action")?,
                arguments: decode::object(node.get("arguments"))?,
            },
            _ => return None,
        })
    }

    /// Returns the text of the kind.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Shell { .. } => "shell",
            Self::Http { .. } => "http",
            Self::McpToolCall { .. } => "mcp-tool-call",
            Self::ActionCall { .. } => "action-call",
        }
    }
}

impl<'a> Success<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let [status_code, http, stdout, body, equals, within, exists, present, no_error] =
            decode::members(
                node,
                &[
                    "exit_code",
                    "http_status",
                    "stdout_regex",
                    "body_regex",
                    "json_pointer_equals",
                    "json_pointer_in",
                    "json_pointer_exists",
                    "json_pointer_present",
                    "no_error_field",
                ],
            )?;
        Some(Self {
            exit_code: decode::number(status_code)?,
            http_status: decode::number(http)?,
            stdout_regex: decode::text(stdout)?,
            body_regex: decode::text(body)?,
            json_pointer_equals: decode::map(equals, |node| Some(Raw::from_node(node)))?,
            json_pointer_in: decode::map(within, |node| decode::texts(Some(node)))?,
            json_pointer_exists: decode::text(exists)?,
            json_pointer_present: decode::text(present)?,
            no_error_field: decode::optional(no_error, Node::bool)?,
        })
    }
}
