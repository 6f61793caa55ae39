//! The typed tool manifest: the answer of `describe`, and a member of a bundle.

use manifest_core::json::{Document, Node, Raw};
use manifest_core::read::{Extras, string_elements};
use manifest_core::{Text, table};
use serde::Serialize;

use crate::table::{ENTRY, MANIFEST, SCHEMAS};

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
        let [
            id,
            name,
            version,
            summary,
            description,
            tags,
            provider,
            entry,
            schema,
            uses_payment,
            requires_approval,
            required_secrets,
            sha256,
        ] = table::member_values(node, &MANIFEST);
        Self {
            id: text(id),
            name: text(name),
            version: text(version),
            summary: text(summary),
            description: text(description),
            tags: texts(tags),
            provider: provider.and_then(Node::text),
            entry: entry.map(EntryPoint::read).unwrap_or_default(),
            schema: schema.filter(|schema| schema.is_object()).map(Schemas::read),
            uses_payment: uses_payment.and_then(Node::bool),
            requires_approval: requires_approval.and_then(Node::bool),
            required_secrets: texts(required_secrets),
            sha256: sha256.and_then(Node::text),
            extras: table::unknown_members(node, &MANIFEST),
        }
    }
}

impl<'a> EntryPoint<'a> {
    fn read(node: Node<'a>) -> Self {
        let [runtime, main, export] = table::member_values(node, &ENTRY);
        Self {
            runtime: text(runtime),
            main: text(main),
            export: export.and_then(Node::text),
            extras: table::unknown_members(node, &ENTRY),
        }
    }
}

impl<'a> Schemas<'a> {
    fn read(node: Node<'a>) -> Self {
        let [input, output] =
            table::member_values(node, &SCHEMAS).map(|node| node.map(Raw::from_node));
        Self { input, output, extras: table::unknown_members(node, &SCHEMAS) }
    }
}

fn text(node: Option<Node<'_>>) -> Text<'_> {
    node.and_then(Node::text).unwrap_or_default()
}

fn texts(node: Option<Node<'_>>) -> Vec<Text<'_>> {
    string_elements(node).filter_map(Node::text).collect()
}
