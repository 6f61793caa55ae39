//! Actions of a tool.

use manifest_core::descriptor::{ErrorEnvelope, OutputFormat, SideEffects};
use manifest_core::json::{Node, Raw};
use manifest_core::{KeyedList, Text};
use serde::Serialize;

use super::decode::{Decode, decode_members, optional, required};
use crate::enums::Method;

/// One action of a tool (0.2).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Action<'a> {
    /// The name, unique in the manifest.
    pub name: Text<'a>,
    /// One sentence about the action.
    pub summary: Text<'a>,
    /// A longer text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Text<'a>>,
    /// Short texts for models (0.3).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs: Option<Docs<'a>>,
    /// How the action is called.
    pub invocation: Invocation<'a>,
    /// JSON Schema of the arguments. Absent means that the action takes no arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Raw<'a>>,
    /// Format and schema of the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Output<'a>>,
    /// The side effects of a call.
    pub side_effects: SideEffects,
    /// Whether calling twice is the same as calling once. Absent means `false`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// The resources of the manifest's scopes that the action uses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes_used: Vec<Text<'a>>,
    /// The format of errors. Absent means that the tool uses its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_envelope: Option<ErrorEnvelope>,
    /// Example calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example<'a>>,
    /// Measurements taken at run time, an object of any shape (0.3).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime_telemetry: Option<Raw<'a>>,
}

/// Short texts for models (0.3).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Docs<'a> {
    /// The purpose of the action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<Text<'a>>,
    /// The arguments in brief.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs_brief: Option<Text<'a>>,
    /// The result in brief.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outputs_brief: Option<Text<'a>>,
    /// The errors in brief.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors_brief: Option<Text<'a>>,
    /// An example call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<Text<'a>>,
}

/// How an action is called.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Invocation<'a> {
    /// Runs the entrypoint's command with arguments appended.
    Subcommand {
        /// The arguments, as templates.
        argv_template: Vec<Text<'a>>,
    },
    /// Runs the entrypoint's command with the input as JSON on standard input.
    StdinJson {
        /// Arguments to append to the command, as templates.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        argv_template: Vec<Text<'a>>,
    },
    /// Sends an HTTP request.
    Http {
        /// The method.
        method: Method,
        /// A template that is appended to the endpoint's URL.
        path: Text<'a>,
        /// Headers, as templates.
        #[serde(skip_serializing_if = "KeyedList::is_empty")]
        headers: KeyedList<'a, Text<'a>>,
    },
    /// Calls a tool of the MCP server.
    McpTool {
        /// The tool's name on the server.
        tool_name: Text<'a>,
    },
}

/// The result of an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Output<'a> {
    /// The format of the result.
    pub format: OutputFormat,
    /// JSON Schema of the result or, for a stream, of each record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Raw<'a>>,
}

/// An example call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Example<'a> {
    /// A description of the example.
    pub description: Text<'a>,
    /// The arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Raw<'a>>,
    /// The result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Raw<'a>>,
}

/// The texts of [`OutputFormat`].
pub(crate) const OUTPUT_FORMATS: &[&str] = &["json", "text", "binary", "ndjson-stream", "none"];
/// The texts of [`SideEffects`].
pub(crate) const SIDE_EFFECTS: &[&str] = &["none", "read", "write", "destructive"];
/// The texts of [`ErrorEnvelope`].
pub(crate) const ERROR_ENVELOPES: &[&str] = &["standard", "raw"];

decode_members!(Action<'a> {
    required name, required summary, optional description, optional docs, required invocation,
    object input, optional output, required side_effects, optional idempotent,
    optional scopes_used, optional error_envelope, optional examples, object runtime_telemetry,
});
decode_members!(Docs<'a> {
    optional goal, optional inputs_brief, optional outputs_brief, optional errors_brief,
    optional example
});
decode_members!(Output<'a> { required format, object schema });
decode_members!(Example<'a> { required description, optional input, optional output });

impl<'a> Decode<'a> for Invocation<'a> {
    fn decode(node: Node<'a>) -> Option<Self> {
        Some(match node.get("kind")?.text()?.as_ref() {
            "subcommand" => {
                Self::Subcommand { argv_template: required(node.get("argv_template"))? }
            }
            "stdin-json" => Self::StdinJson { argv_template: optional(node.get("argv_template"))? },
            "http" => Self::Http {
                method: required(node.get("method"))?,
                path: required(node.get("path"))?,
                headers: optional(node.get("headers"))?,
            },
            "mcp-tool" => Self::McpTool { tool_name: required(node.get("tool_name"))? },
            _ => return None,
        })
    }
}
