//! The typed tool manifest: the answer of `describe`, and a member of a bundle.

use manifest_core::json::{Document, Node, Raw};
use manifest_core::read::{Extras, string_elements};
use manifest_core::{Text, table};
use serde::Serialize;

use crate::structure;
use crate::table::{ENTRY, Key, MANIFEST, Nodes, SCHEMAS};

/// A tool manifest.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest<'a> {
    /// Identifies the tool in the registry: `tool:email.send`.
    pub id: Text<'a>,
    /// The name for people, and the beginning of the keys of secrets: `email.send`.
    pub name: Text<'a>,
    /// A `SemVer` version.
    pub version: Text<'a>,
    /// One sentence.
    pub summary: Text<'a>,
    /// The longer text.
    pub description: Text<'a>,
    /// Tags for search and filters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Text<'a>>,
    /// The publisher.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<Text<'a>>,
    /// The module to run.
    pub entry: EntryPoint<'a>,
    /// The schemas of arguments and result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Schemas<'a>>,
    /// True if a call costs money. Not in the specification; the published hub adds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses_payment: Option<bool>,
    /// True if a person must approve each call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires_approval: Option<bool>,
    /// The names of the secrets that the tool is given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required_secrets: Vec<Text<'a>>,
    /// The digest of the bundle's files: see [`digest`](crate::bundle::digest).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Text<'a>>,
    /// Members that the specification does not define.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// The module to run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct EntryPoint<'a> {
    /// The runtime. Only `node` is supported.
    pub runtime: Text<'a>,
    /// The path of the module in the bundle.
    pub main: Text<'a>,
    /// The export to call. If missing, `tool` and then `default` are tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub export: Option<Text<'a>>,
    /// Members that the specification does not define.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// The schemas of arguments and result.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Schemas<'a> {
    /// The JSON Schema of the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Raw<'a>>,
    /// The JSON Schema of the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Raw<'a>>,
    /// Members that the specification does not define.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

impl<'a> Manifest<'a> {
    /// Reads a document. Invalid members are read as missing: [`validate`](crate::validate)
    /// reports them.
    pub fn read(document: &'a Document<'a>) -> Self {
        Self::read_node(document.root())
    }

    /// Reads the manifest of a bundle.
    pub(crate) fn read_node(node: Node<'a>) -> Self {
        Self::from_nodes(node, &structure::capture(node))
    }

    /// Builds the manifest of a node from the nodes of its members.
    pub(crate) fn from_nodes(node: Node<'a>, nodes: &Nodes<'a>) -> Self {
        Self {
            id: text(nodes, Key::Id),
            name: text(nodes, Key::Name),
            version: text(nodes, Key::Version),
            summary: text(nodes, Key::Summary),
            description: text(nodes, Key::Description),
            tags: texts(nodes, Key::Tags),
            provider: text_if_any(nodes, Key::Provider),
            entry: entry_point(nodes),
            schema: schemas(nodes),
            uses_payment: boolean(nodes, Key::UsesPayment),
            requires_approval: boolean(nodes, Key::RequiresApproval),
            required_secrets: texts(nodes, Key::RequiredSecrets),
            sha256: text_if_any(nodes, Key::Sha256),
            extras: table::unknown_members(node, &MANIFEST),
        }
    }
}

fn entry_point<'a>(nodes: &Nodes<'a>) -> EntryPoint<'a> {
    let Some(node) = nodes.get(Key::Entry) else { return EntryPoint::default() };
    EntryPoint {
        runtime: text(nodes, Key::Runtime),
        main: text(nodes, Key::Main),
        export: text_if_any(nodes, Key::Export),
        extras: table::unknown_members(node, &ENTRY),
    }
}

fn schemas<'a>(nodes: &Nodes<'a>) -> Option<Schemas<'a>> {
    let node = nodes.get(Key::Schema)?;
    if !node.is_object() {
        return None;
    }
    Some(Schemas {
        input: nodes.get(Key::Input).map(Raw::from_node),
        output: nodes.get(Key::Output).map(Raw::from_node),
        extras: table::unknown_members(node, &SCHEMAS),
    })
}

fn text_if_any<'a>(nodes: &Nodes<'a>, key: Key) -> Option<Text<'a>> {
    nodes.get(key)?.text()
}

/// Returns the text of a member that is required. It is empty in a document without it, which
/// is invalid.
fn text<'a>(nodes: &Nodes<'a>, key: Key) -> Text<'a> {
    text_if_any(nodes, key).unwrap_or(Text::Borrowed(""))
}

fn texts<'a>(nodes: &Nodes<'a>, key: Key) -> Vec<Text<'a>> {
    string_elements(nodes.get(key)).filter_map(Node::text).collect()
}

fn boolean(nodes: &Nodes<'_>, key: Key) -> Option<bool> {
    nodes.get(key)?.bool()
}
