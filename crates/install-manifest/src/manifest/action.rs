//! Actions of a tool.

use manifest_core::descriptor::{ErrorEnvelope, OutputFormat, SideEffects};
use manifest_core::json::{Node, Raw};
use manifest_core::{KeyedList, Text};
use serde::Serialize;

use super::decode;
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

fn output_format(word: &str) -> Option<OutputFormat> {
    Some(match word {
        "json" => OutputFormat::Json,
        "text" => OutputFormat::Text,
        "binary" => OutputFormat::Binary,
        "ndjson-stream" => OutputFormat::NdjsonStream,
        "none" => OutputFormat::None,
        _ => return None,
    })
}

/// Returns the side effects with this text.
pub(crate) fn side_effects(word: &str) -> Option<SideEffects> {
    Some(match word {
        "none" => SideEffects::None,
        "read" => SideEffects::Read,
        "write" => SideEffects::Write,
        "destructive" => SideEffects::Destructive,
        _ => return None,
    })
}

fn error_envelope(word: &str) -> Option<ErrorEnvelope> {
    Some(match word {
        "standard" => ErrorEnvelope::Standard,
        "raw" => ErrorEnvelope::Raw,
        _ => return None,
    })
}

impl<'a> Action<'a> {
    pub(super) fn read(node: Node<'a>) -> Option<Self> {
        let [
            name,
            summary,
            description,
            docs,
            invocation,
            input,
            output,
            effects,
            idempotent,
            scopes_used,
            envelope,
            examples,
            telemetry,
        ] = decode::members(
            node,
            &[
                "name",
                "summary",
                "description",
                "docs",
                "invocation",
                "input",
                "output",
                "side_effects",
                "idempotent",
                "scopes_used",
                "error_envelope",
                "examples",
                "runtime_telemetry",
            ],
        )?;
        Some(Self {
            name: name?.text()?,
            summary: summary?.text()?,
            description: decode::text(description)?,
            docs: decode::optional(docs, Docs::read)?,
            invocation: Invocation::read(invocation?)?,
            input: decode::object(input)?,
            output: decode::optional(output, Output::read)?,
            side_effects: decode::word(effects?, side_effects)?,
            idempotent: decode::optional(idempotent, Node::bool)?,
            scopes_used: decode::texts(scopes_used)?,
            error_envelope: decode::optional(envelope, |node| decode::word(node, error_envelope))?,
            examples: decode::list(examples, Example::read)?,
            runtime_telemetry: decode::object(telemetry)?,
        })
    }
}

impl<'a> Docs<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let names = ["goal", "inputs_brief", "outputs_brief", "errors_brief", "example"];
        let [goal, inputs, outputs, errors, example] = decode::members(node, &names)?;
        Some(Self {
            goal: decode::text(goal)?,
            inputs_brief: decode::text(inputs)?,
            outputs_brief: decode::text(outputs)?,
            errors_brief: decode::text(errors)?,
            example: decode::text(example)?,
        })
    }
}

impl<'a> Invocation<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let text = |name| node.get(name)?.text();
        Some(match text("kind")?.as_ref() {
            "subcommand" => {
                Self::Subcommand { argv_template: decode::texts(Some(node.get("argv_template")?))? }
            }
            "stdin-json" => {
                Self::StdinJson { argv_template: decode::texts(node.get("argv_template"))? }
            }
            "http" => Self::Http {
                method: decode::word(node.get("method")?, Method::from_word)?,
                path: text("path")?,
                headers: decode::map(node.get("headers"), Node::text)?,
            },
            "mcp-tool" => Self::McpTool { tool_name: text("tool_name")? },
            _ => return None,
        })
    }
}

impl<'a> Output<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let [format, schema] = decode::members(node, &["format", "schema"])?;
        Some(Self {
            format: decode::word(format?, output_format)?,
            schema: decode::object(schema)?,
        })
    }
}

impl<'a> Example<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let [description, input, output] =
            decode::members(node, &["description", "input", "output"])?;
        Some(Self {
            description: description?.text()?,
            input: input.map(Raw::from_node),
            output: output.map(Raw::from_node),
        })
    }
}
