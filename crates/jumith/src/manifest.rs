//! The typed tool manifest: what `describe` answers with, and what a bundle holds.

use manifest_core::json::{Document, Node, Raw};
use manifest_core::read::{Extras, strings};
use manifest_core::{Text, table};
use serde::Serialize;

use crate::table::{ENTRY, MANIFEST, SCHEMAS};

/// A tool manifest.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest<'a> {
    /// Identifies the tool in the registry: `tool:email.send`.
    pub id: Text<'a>,
    /// What people and secrets call it: `email.send`.
    pub name: Text<'a>,
    /// `SemVer`.
    pub version: Text<'a>,
    /// One sentence.
    pub summary: Text<'a>,
    /// The longer text.
    pub description: Text<'a>,
    /// Words to find it by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Text<'a>>,
    /// Who publishes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<Text<'a>>,
    /// What is run.
    pub entry: EntryPoint<'a>,
    /// What goes in and comes out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Schemas<'a>>,
    /// Whether a call costs money. The published hub adds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses_payment: Option<bool>,
    /// Whether a person must approve each call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires_approval: Option<bool>,
    /// The secrets that the tool is given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required_secrets: Vec<Text<'a>>,
    /// Digest of the bundle's files: see [`digest`](crate::bundle::digest).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Text<'a>>,
    /// What the specification does not know.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// What is run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct EntryPoint<'a> {
    /// `node`.
    pub runtime: Text<'a>,
    /// The module, as a path in the bundle.
    pub main: Text<'a>,
    /// The export; without it, `tool` and then `default`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub export: Option<Text<'a>>,
    /// What the specification does not know.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// What goes into a tool and comes out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Schemas<'a> {
    /// JSON Schema of the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Raw<'a>>,
    /// JSON Schema of the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Raw<'a>>,
    /// What the specification does not know.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

impl<'a> Manifest<'a> {
    /// Reads a document. What is not as it should be is absent: use
    /// [`validate`](crate::validate) to hear about it.
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
        ] = table::entries(node, &MANIFEST);
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
            extras: table::rest(node, &MANIFEST),
        }
    }
}

impl<'a> EntryPoint<'a> {
    fn read(node: Node<'a>) -> Self {
        let [runtime, main, export] = table::entries(node, &ENTRY);
        Self {
            runtime: text(runtime),
            main: text(main),
            export: export.and_then(Node::text),
            extras: table::rest(node, &ENTRY),
        }
    }
}

impl<'a> Schemas<'a> {
    fn read(node: Node<'a>) -> Self {
        let [input, output] = table::entries(node, &SCHEMAS).map(|node| node.map(Raw::from_node));
        Self { input, output, extras: table::rest(node, &SCHEMAS) }
    }
}

fn text(node: Option<Node<'_>>) -> Text<'_> {
    node.and_then(Node::text).unwrap_or_default()
}

fn texts(node: Option<Node<'_>>) -> Vec<Text<'_>> {
    strings(node).filter_map(Node::text).collect()
}
