//! The typed tool manifest: what `describe` answers with, and what a bundle holds.

use manifest_core::json::{Document, Node, Raw};
use manifest_core::read::{self, Extras, Others};
use manifest_core::{Profile, Report, Text};
use serde::Serialize;

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
    pub entry: Entry<'a>,
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
pub struct Entry<'a> {
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
        let read = manifest(document.root(), &mut Report::new(Profile::Spec, 0));
        read.map(|(manifest, _)| manifest).unwrap_or_default()
    }
}

/// Where the parts of a manifest stand that the checks go back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nodes<'a> {
    pub(crate) id: Option<Node<'a>>,
    pub(crate) entry: Option<Node<'a>>,
    pub(crate) schema: Option<Node<'a>>,
    pub(crate) input: Option<Node<'a>>,
    pub(crate) output: Option<Node<'a>>,
    pub(crate) requires_approval: Option<Node<'a>>,
}

/// Reads a manifest and reports what has the wrong shape.
pub(crate) fn manifest<'a>(
    node: Node<'a>,
    report: &mut Report,
) -> Option<(Manifest<'a>, Nodes<'a>)> {
    const NAMES: [&str; 13] = [
        "id",
        "name",
        "version",
        "summary",
        "description",
        "tags",
        "provider",
        "entry",
        "schema",
        "usesPayment",
        "requiresApproval",
        "requiredSecrets",
        "sha256",
    ];
    let (found, extras) = read::members(node, NAMES, Others::Warn, report)?;
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
    ] = found;
    let mut required = |value: Option<Node<'a>>, name: &str| {
        let value = read::require(value, node, name, report);
        read::text(value, report).unwrap_or_default()
    };
    let mut nodes = Nodes { id, entry, schema, input: None, output: None, requires_approval };
    let manifest = Manifest {
        id: required(id, "id"),
        name: required(name, "name"),
        version: required(version, "version"),
        summary: required(summary, "summary"),
        description: required(description, "description"),
        tags: read::texts(tags, report),
        provider: read::text(provider, report),
        entry: read::require(entry, node, "entry", report)
            .and_then(|entry| self::entry(entry, report))
            .unwrap_or_default(),
        schema: schema.and_then(|schema| schemas(schema, &mut nodes, report)),
        uses_payment: boolean(uses_payment, report),
        requires_approval: boolean(requires_approval, report),
        required_secrets: read::texts(required_secrets, report),
        sha256: read::text(sha256, report),
        extras,
    };
    Some((manifest, nodes))
}

fn entry<'a>(node: Node<'a>, report: &mut Report) -> Option<Entry<'a>> {
    let names = ["runtime", "main", "export"];
    let ([runtime, main, export], extras) = read::members(node, names, Others::Warn, report)?;
    // A missing runtime is an unsupported one: the checks say so.
    let main = read::require(main, node, "main", report);
    Some(Entry {
        runtime: read::text(runtime, report).unwrap_or_default(),
        main: read::text(main, report).unwrap_or_default(),
        export: read::text(export, report),
        extras,
    })
}

fn schemas<'a>(node: Node<'a>, nodes: &mut Nodes<'a>, report: &mut Report) -> Option<Schemas<'a>> {
    let ([input, output], extras) = read::members(node, ["input", "output"], Others::Warn, report)?;
    (nodes.input, nodes.output) = (input, output);
    Some(Schemas { input: input.map(Raw::from_node), output: output.map(Raw::from_node), extras })
}

/// The value of a boolean, or a report that it is none.
pub(crate) fn boolean(node: Option<Node<'_>>, report: &mut Report) -> Option<bool> {
    let node = node?;
    if node.bool().is_none() {
        read::wrong_type(node, "a boolean", report);
    }
    node.bool()
}
