//! The typed document: the members that the engines of this crate use. A descriptor has all of
//! them: see [`FORMAT`](crate::FORMAT).

use manifest_core::json::{Document, Node, Number, Raw};
use manifest_core::read::string_elements;
use manifest_core::{KeyedList, Text, table};
use serde::Serialize;

use crate::table::{IMPLEMENTATION, MANIFEST, STEP};

/// The name of a tool's own input in a chain.
pub(crate) const INPUT: &str = "input";

/// A `manifest.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest<'a> {
    /// The id of the tool: `publisher.domain.capability.name`.
    pub tool_id: Text<'a>,
    /// The display name.
    pub name: Text<'a>,
    /// The version, as SemVer.
    pub version: Text<'a>,
    /// The description of the tool.
    pub description: Text<'a>,
    /// The capabilities: terms to search by.
    pub capabilities: Vec<Text<'a>>,
    /// The endpoint to call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<Endpoint<'a>>,
    /// Alternative ways to call the tool, for different hosts (0.2).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub implementations: Vec<Implementation<'a>>,
    /// The steps of a chain, each of which calls another tool (0.2).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<Step<'a>>,
    /// JSON Schema of the arguments.
    #[serde(rename = "input_schema")]
    pub input_schema: Option<Raw<'a>>,
    /// JSON Schema of the result.
    #[serde(rename = "output_schema")]
    pub output_schema: Option<Raw<'a>>,
    /// Test files in the package.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<Text<'a>>,
    /// Example files in the package.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Text<'a>>,
}

/// An endpoint: an HTTP request or a local program.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Endpoint<'a> {
    /// `http` or `local`.
    #[serde(rename = "type")]
    pub kind: Text<'a>,
    /// The HTTP method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<Text<'a>>,
    /// The URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<Text<'a>>,
    /// The command line of a local program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Text<'a>>,
    /// The time-out of a call, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<Number<'a>>,
}

/// One way to call a tool, for the hosts that it supports.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Implementation<'a> {
    /// The id, unique within the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Text<'a>>,
    /// The programming language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Text<'a>>,
    /// The runtime, for example `node`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<Text<'a>>,
    /// The supported platforms, as `<os>-<architecture>`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub platforms: Vec<Text<'a>>,
    /// The endpoint to call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<Endpoint<'a>>,
    /// The requirements that a host must meet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requirements: Option<Raw<'a>>,
}

/// One step of a chain.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Step<'a> {
    /// The name of the step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Text<'a>>,
    /// The id of the tool to call.
    pub tool: Text<'a>,
    /// The JSONPath of each argument's value.
    #[serde(skip_serializing_if = "KeyedList::is_empty")]
    pub input_mapping: KeyedList<'a, Text<'a>>,
    /// The name of the output, for later steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_key: Option<Text<'a>>,
}

impl Step<'_> {
    /// Returns the name of the output for later steps: `outputKey`, or `step` if that is
    /// missing.
    pub fn key(&self) -> Option<&str> {
        self.output_key.as_deref().or(self.step.as_deref())
    }

    /// Returns the name for people: `step`, or `outputKey` if that is missing.
    pub(crate) fn display_name(&self) -> &str {
        // A valid step has one of them.
        self.step.as_deref().or(self.output_key.as_deref()).unwrap_or("")
    }
}

impl<'a> Manifest<'a> {
    /// Reads a document. Invalid values are absent from the result;
    /// [`validate`](crate::validate) reports them.
    pub fn read(document: &'a Document<'a>) -> Self {
        Self::read_node(document.root())
    }

    /// Reads a manifest, which may be inside of another document.
    pub(crate) fn read_node(node: Node<'a>) -> Self {
        let [
            tool_id,
            name,
            version,
            description,
            capabilities,
            endpoint,
            // The same member in 0.2.
            _,
            implementations,
            chain,
            input,
            output,
            _auth,
            tests,
            examples,
            _meta,
        ] = table::member_values(node, &MANIFEST);
        Self {
            tool_id: text(tool_id),
            name: text(name),
            version: text(version),
            description: text(description),
            capabilities: texts(capabilities),
            endpoint: Endpoint::read(endpoint),
            implementations: object_elements(implementations).map(Implementation::read).collect(),
            chain: object_elements(chain).map(Step::read).collect(),
            input_schema: input.map(Raw::from_node),
            output_schema: output.map(Raw::from_node),
            tests: texts(tests),
            examples: texts(examples),
        }
    }
}

impl<'a> Endpoint<'a> {
    /// Reads the members of all kinds of endpoint. Returns `None` if the value is not an object.
    fn read(node: Option<Node<'a>>) -> Option<Self> {
        let node = node?;
        if !node.is_object() {
            return None;
        }
        Some(Self {
            kind: text(node.get("type")),
            method: optional_text(node.get("method")),
            url: optional_text(node.get("url")),
            command: optional_text(node.get("command")),
            timeout_ms: node.get("timeoutMs").and_then(Node::number),
        })
    }
}

impl<'a> Implementation<'a> {
    fn read(node: Node<'a>) -> Self {
        let [id, language, runtime, platforms, endpoint, requirements] =
            table::member_values(node, &IMPLEMENTATION);
        Self {
            id: optional_text(id),
            language: optional_text(language),
            runtime: optional_text(runtime),
            platforms: texts(platforms),
            endpoint: Endpoint::read(endpoint),
            requirements: requirements.map(Raw::from_node),
        }
    }
}

impl<'a> Step<'a> {
    pub(crate) fn read(node: Node<'a>) -> Self {
        let [step, tool, mapping, output_key] = table::member_values(node, &STEP);
        let mut input_mapping = Vec::new();
        for member in mapping.into_iter().flat_map(Node::members) {
            if let Some(path) = member.value.text() {
                input_mapping.push((member.name(), path));
            }
        }
        Self {
            step: optional_text(step),
            tool: text(tool),
            input_mapping: input_mapping.into_iter().collect(),
            output_key: optional_text(output_key),
        }
    }
}

/// Returns the text of a member that is required. It is empty in a document without it, which
/// is invalid.
fn text(node: Option<Node<'_>>) -> Text<'_> {
    optional_text(node).unwrap_or(Text::Borrowed(""))
}

fn optional_text(node: Option<Node<'_>>) -> Option<Text<'_>> {
    node?.text()
}

fn texts(node: Option<Node<'_>>) -> Vec<Text<'_>> {
    string_elements(node).filter_map(Node::text).collect()
}

/// Returns the elements of a list of objects. Returns no elements if one of them is not an
/// object, so that positions match those in the document.
pub(crate) fn object_elements(list: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    let list = list.filter(|list| list.elements().all(Node::is_object));
    list.into_iter().flat_map(Node::elements)
}
