//! Trust in a tool: the smoke test of its installation, its verification over time, and its
//! revocation.

use manifest_core::json::{Node, Number, Raw};
use manifest_core::{KeyedList, Text};
use serde::Serialize;

use super::decode::{Decode, decode_members, members, object, optional, required};
use crate::enums::{Cadence, Method};

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

/// How a tool is verified over time (0.3).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Verify<'a> {
    /// Test cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suite: Option<Suite<'a>>,
    /// The expected latency and error rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sla: Option<Sla<'a>>,
    /// When to check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Schedule>,
}

/// Test cases.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Suite<'a> {
    /// A reference to the test cases.
    #[serde(rename = "ref")]
    pub reference: Text<'a>,
    /// The format of the test cases: `jsonl-cases`.
    pub format: Text<'a>,
    /// The fraction of cases that must pass, from 0 to 1. Absent means all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pass_threshold: Option<Number<'a>>,
    /// The number of cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case_count: Option<Number<'a>>,
}

/// The expected latency and error rate of a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Sla<'a> {
    /// The median latency of a call, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50_latency_ms: Option<Number<'a>>,
    /// The 95th percentile of the latency, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95_latency_ms: Option<Number<'a>>,
    /// The fraction of calls that may fail, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_rate_max: Option<Number<'a>>,
}

/// When to check a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Schedule {
    /// How often to check. Absent means on installation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cadence: Option<Cadence>,
    /// True if the tool is also checked on installation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_install: Option<bool>,
}

/// The texts of [`Suite::format`].
pub(crate) const SUITE_FORMATS: &[&str] = &["jsonl-cases"];

/// How a tool is revoked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum KillSwitch<'a> {
    /// The tool has no access that could be revoked (0.3.1).
    None {},
    /// Send a DELETE request.
    Url {
        /// The URL of the request.
        url: Text<'a>,
    },
    /// Run a program.
    Shell {
        /// The program and its arguments.
        command: Vec<Text<'a>>,
    },
    /// Revoke by hand. A valid document has one of the two members.
    Manual {
        /// The URL of the instructions.
        #[serde(skip_serializing_if = "Option::is_none")]
        instructions_url: Option<Text<'a>>,
        /// The instructions (0.3.1).
        #[serde(skip_serializing_if = "Option::is_none")]
        instructions: Option<Text<'a>>,
    },
}

impl Smoke<'_> {
    /// Returns the time limit in seconds, or the default if it is missing or does not fit
    /// `u16`.
    pub fn timeout_seconds(&self) -> u16 {
        let stated = self.timeout_seconds.as_ref().and_then(Number::to_i64);
        stated.and_then(|seconds| u16::try_from(seconds).ok()).unwrap_or(DEFAULT_TIMEOUT_SECONDS)
    }
}

impl<'a> Decode<'a> for Smoke<'a> {
    fn decode(node: Node<'a>) -> Option<Self> {
        Some(Self {
            kind: SmokeKind::decode(node)?,
            timeout_seconds: optional(node.get("timeout_seconds"))?,
            success: required(node.get("success"))?,
        })
    }
}

impl SmokeKind<'_> {
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

impl<'a> Decode<'a> for SmokeKind<'a> {
    fn decode(node: Node<'a>) -> Option<Self> {
        Some(match node.get("kind")?.text()?.as_ref() {
            "shell" => Self::Shell { command: required(node.get("command"))? },
            "http" => Self::Http {
                method: optional(node.get("method"))?,
                url: required(node.get("url"))?,
                headers: optional(node.get("headers"))?,
                body: optional(node.get("body"))?,
            },
            "mcp-tool-call" => Self::McpToolCall {
                tool_name: required(node.get("tool_name"))?,
                arguments: object(node.get("arguments"))?,
            },
            "action-call" => Self::ActionCall {
                action: required(node.get("action"))?,
                arguments: object(node.get("arguments"))?,
            },
            _ => return None,
        })
    }
}

decode_members!(Success<'a> {
    optional exit_code, optional http_status, optional stdout_regex, optional body_regex,
    optional json_pointer_equals, optional json_pointer_in, optional json_pointer_exists,
    optional json_pointer_present, optional no_error_field,
});
decode_members!(Verify<'a> { optional suite, optional sla, optional schedule });
decode_members!(Sla<'a> {
    optional p50_latency_ms, optional p95_latency_ms, optional error_rate_max
});
decode_members!(Schedule { optional cadence, optional on_install });

impl<'a> Decode<'a> for Suite<'a> {
    fn decode(node: Node<'a>) -> Option<Self> {
        let [reference, format, threshold, count] =
            members(node, &["ref", "format", "pass_threshold", "case_count"])?;
        Some(Self {
            reference: required(reference)?,
            format: required(format)?,
            pass_threshold: optional(threshold)?,
            case_count: optional(count)?,
        })
    }
}

impl KillSwitch<'_> {
    /// Returns the text of the kind.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::None {} => "none",
            Self::Url { .. } => "url",
            Self::Shell { .. } => "shell",
            Self::Manual { .. } => "manual",
        }
    }
}

impl<'a> Decode<'a> for KillSwitch<'a> {
    fn decode(node: Node<'a>) -> Option<Self> {
        Some(match node.get("kind")?.text()?.as_ref() {
            "none" => Self::None {},
            "url" => Self::Url { url: required(node.get("url"))? },
            "shell" => Self::Shell { command: required(node.get("command"))? },
            "manual" => Self::Manual {
                instructions_url: optional(node.get("instructions_url"))?,
                instructions: optional(node.get("instructions"))?,
            },
            _ => return None,
        })
    }
}
