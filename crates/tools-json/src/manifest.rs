//! The typed document.

use manifest_core::json::{Document, Node, Raw};
use manifest_core::read::{Extras, string_elements};
use manifest_core::{Text, table};
use serde::Serialize;

use crate::table::{MANIFEST, TOOL};

/// A `tools.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Manifest<'a> {
    /// The tools, in order.
    pub tools: Vec<Tool<'a>>,
    /// Members that the specification does not define.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// One tool, as written. Paths and names of environment variables are not normalised.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool<'a> {
    /// The name, unique in the manifest.
    pub name: Text<'a>,
    /// A description of the tool for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Text<'a>>,
    /// JSON Schema of the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Raw<'a>>,
    /// The program and its fixed arguments.
    pub command: Vec<Text<'a>>,
    /// The time limit of a call in seconds. Zero and negative values mean the caller's
    /// default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_sec: Option<i64>,
    /// The environment variables that the tool gets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env_passthrough: Vec<Text<'a>>,
    /// Members that the specification does not define.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

impl<'a> Manifest<'a> {
    /// Reads a document. Values of the wrong type are left out:
    /// [`validate`](crate::validate) reports them.
    pub fn read(document: &'a Document<'a>) -> Self {
        let root = document.root();
        let [tools] = table::member_values(root, &MANIFEST);
        let tools = tools.into_iter().flat_map(Node::elements).map(Tool::read).collect();
        Self { tools, extras: table::unknown_members(root, &MANIFEST) }
    }
}

impl<'a> Tool<'a> {
    fn read(node: Node<'a>) -> Self {
        let [name, description, schema, command, timeout, env] = table::member_values(node, &TOOL);
        Self {
            name: name.and_then(Node::text).unwrap_or_default(),
            description: description.and_then(Node::text),
            schema: schema.map(Raw::from_node),
            command: string_elements(command).filter_map(Node::text).collect(),
            timeout_sec: timeout.and_then(seconds),
            env_passthrough: string_elements(env).filter_map(Node::text).collect(),
            extras: table::unknown_members(node, &TOOL),
        }
    }
}

/// Returns a number that is spelled as an integer and fits 64 bits. Returns `None` for
/// `5.0` and `1e1`.
pub(crate) fn seconds(node: Node<'_>) -> Option<i64> {
    node.number().and_then(|number| number.as_str().parse().ok())
}
