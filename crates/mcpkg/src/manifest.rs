//! The typed document: MCPKG 0.1, and the implementations and chains of 0.2.

use manifest_core::json::{Document, Node, Number, Raw};
use manifest_core::read::{self, Extras, Others};
use manifest_core::{Keyed, Profile, Report, Text};
use serde::Serialize;

/// A `manifest.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::exhaustive_structs)] // lowering fills it in full
pub struct Manifest<'a> {
    /// Identifies the tool: `publisher.domain.capability.name`.
    pub tool_id: Text<'a>,
    /// What people call it.
    pub name: Text<'a>,
    /// `SemVer`.
    pub version: Text<'a>,
    /// What it does.
    pub description: Text<'a>,
    /// Words to find it by.
    pub capabilities: Vec<Text<'a>>,
    /// How it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<Endpoint<'a>>,
    /// Ways to call it that depend on the host (0.2).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub implementations: Vec<Implementation<'a>>,
    /// The tools that it calls in turn (0.2).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<Step<'a>>,
    /// JSON Schema of the arguments.
    #[serde(rename = "input_schema")]
    pub input_schema: Option<Raw<'a>>,
    /// JSON Schema of the result.
    #[serde(rename = "output_schema")]
    pub output_schema: Option<Raw<'a>>,
    /// How calls are authenticated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth: Option<Auth<'a>>,
    /// Test files in the package.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<Text<'a>>,
    /// Example files in the package.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Text<'a>>,
    /// Who and where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta<'a>>,
    /// What the specification does not know.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// How a tool is called.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::exhaustive_structs)]
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
    /// How long a call may take, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<Number<'a>>,
    /// What the specification does not know.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// One way to call a tool, for the hosts that it fits.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(clippy::exhaustive_structs)]
pub struct Implementation<'a> {
    /// Identifies it within the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Text<'a>>,
    /// The programming language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Text<'a>>,
    /// What it runs on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<Text<'a>>,
    /// The platforms that it fits, as `<os>-<architecture>`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub platforms: Vec<Text<'a>>,
    /// How it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<Endpoint<'a>>,
    /// What the host must have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requirements: Option<Raw<'a>>,
    /// What the specification does not know.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// One step of a chain.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::exhaustive_structs)]
pub struct Step<'a> {
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Text<'a>>,
    /// The tool that it calls.
    pub tool: Text<'a>,
    /// For each argument, the JSONPath of its value.
    #[serde(skip_serializing_if = "Keyed::is_empty")]
    pub input_mapping: Keyed<'a, Text<'a>>,
    /// The name that its output goes by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_key: Option<Text<'a>>,
    /// What the specification does not know.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

impl Step<'_> {
    /// The name that later steps find the output by.
    pub fn key(&self) -> Option<&str> {
        self.output_key.as_deref().or(self.step.as_deref())
    }
}

/// How calls are authenticated.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::exhaustive_structs)]
pub struct Auth<'a> {
    /// `none`, `bearer`, `api_key` or `oauth2`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<Text<'a>>,
    /// What the credentials must grant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Text<'a>>,
    /// Hints for setting up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config_hints: Option<ConfigHints<'a>>,
    /// What the specification does not know.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// Hints for setting up. They are free in form; two are known.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::exhaustive_structs)]
pub struct ConfigHints<'a> {
    /// Environment variables to set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<Text<'a>>,
    /// Where to read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs_url: Option<Text<'a>>,
    /// All other hints.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// Who and where.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(clippy::exhaustive_structs)]
pub struct Meta<'a> {
    /// Who publishes the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publisher: Option<Publisher<'a>>,
    /// The licence, as an SPDX identifier or in free form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<Text<'a>>,
    /// Where people read about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<Text<'a>>,
    /// More words to find it by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Text<'a>>,
    /// What the specification does not know.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// Who publishes a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(clippy::exhaustive_structs)]
pub struct Publisher<'a> {
    /// A registry's name for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Text<'a>>,
    /// Their name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Text<'a>>,
    /// Their page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub website: Option<Text<'a>>,
    /// What the specification does not know.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

impl<'a> Manifest<'a> {
    /// Reads a document. What is not as it should be is absent: use
    /// [`validate`](crate::validate) to hear about it.
    pub fn read(document: &'a Document<'a>) -> Self {
        let mut unread = Report::new(Profile::Spec, 0);
        manifest(document.root(), &mut unread).unwrap_or_default().0
    }

    /// Whether the manifest uses what 0.2 added.
    pub fn is_0_2(&self) -> bool {
        !self.implementations.is_empty() || !self.chain.is_empty()
    }
}

/// Where the schemas of a manifest stand.
#[derive(Clone, Copy, Default)]
pub(crate) struct SchemaNodes<'a> {
    pub(crate) input: Option<Node<'a>>,
    pub(crate) output: Option<Node<'a>>,
}

/// The members of a manifest.
const NAMES: [&str; 14] = [
    "toolId",
    "name",
    "version",
    "description",
    "capabilities",
    "endpoint",
    "input_schema",
    "output_schema",
    "auth",
    "tests",
    "examples",
    "meta",
    "implementations",
    "chain",
];

/// A manifest, and where its schemas stand.
pub(crate) fn manifest<'a>(
    node: Node<'a>,
    report: &mut Report,
) -> Option<(Manifest<'a>, SchemaNodes<'a>)> {
    let (found, extras) = read::members(node, NAMES, Others::Warn, report)?;
    let [
        tool_id,
        name,
        version,
        description,
        capabilities,
        endpoint_node,
        input,
        output,
        auth_node,
        tests,
        examples,
        meta_node,
        implementations,
        chain,
    ] = found;
    for (found, name) in [
        (tool_id, "toolId"),
        (name, "name"),
        (version, "version"),
        (description, "description"),
        (capabilities, "capabilities"),
        (input, "input_schema"),
        (output, "output_schema"),
    ] {
        read::require(found, node, name, report);
    }
    let manifest = Manifest {
        tool_id: read::text(tool_id, report).unwrap_or_default(),
        name: read::text(name, report).unwrap_or_default(),
        version: read::text(version, report).unwrap_or_default(),
        description: read::text(description, report).unwrap_or_default(),
        capabilities: read::texts(capabilities, report),
        endpoint: endpoint_node.and_then(|node| endpoint(node, report)),
        implementations: read::list(implementations, report, implementation),
        chain: read::list(chain, report, step),
        input_schema: input.map(Raw::from_node),
        output_schema: output.map(Raw::from_node),
        auth: auth_node.and_then(|node| auth(node, report)),
        tests: read::texts(tests, report),
        examples: read::texts(examples, report),
        meta: meta_node.and_then(|node| meta(node, report)),
        extras,
    };
    Some((manifest, SchemaNodes { input, output }))
}

fn endpoint<'a>(node: Node<'a>, report: &mut Report) -> Option<Endpoint<'a>> {
    let names = ["type", "method", "url", "command", "timeoutMs"];
    let ([kind, method, url, command, timeout], extras) =
        read::members(node, names, Others::Warn, report)?;
    read::require(kind, node, "type", report);
    Some(Endpoint {
        kind: read::text(kind, report).unwrap_or_default(),
        method: read::text(method, report),
        url: read::text(url, report),
        command: read::text(command, report),
        timeout_ms: read::number(timeout, report),
        extras,
    })
}

fn implementation<'a>(node: Node<'a>, report: &mut Report) -> Option<Implementation<'a>> {
    let names = ["id", "language", "runtime", "platforms", "endpoint", "requirements"];
    let ([id, language, runtime, platforms, endpoint_node, requirements], extras) =
        read::members(node, names, Others::Warn, report)?;
    read::require(endpoint_node, node, "endpoint", report);
    if let Some(node) = requirements.filter(|node| !node.is_object()) {
        read::wrong_type(node, "an object", report);
    }
    Some(Implementation {
        id: read::text(id, report),
        language: read::text(language, report),
        runtime: read::text(runtime, report),
        platforms: read::texts(platforms, report),
        endpoint: endpoint_node.and_then(|node| endpoint(node, report)),
        requirements: requirements.map(Raw::from_node),
        extras,
    })
}

fn step<'a>(node: Node<'a>, report: &mut Report) -> Option<Step<'a>> {
    let names = ["step", "tool", "inputMapping", "outputKey"];
    let ([step, tool, mapping, output_key], extras) =
        read::members(node, names, Others::Warn, report)?;
    read::require(tool, node, "tool", report);
    if let Some(node) = mapping.filter(|node| !node.is_object()) {
        read::wrong_type(node, "an object", report);
    }
    let members = mapping.into_iter().flat_map(Node::members);
    let input_mapping = members
        .filter_map(|member| Some((member.name(), read::text(Some(member.value), report)?)))
        .collect();
    Some(Step {
        step: read::text(step, report),
        tool: read::text(tool, report).unwrap_or_default(),
        input_mapping,
        output_key: read::text(output_key, report),
        extras,
    })
}

fn auth<'a>(node: Node<'a>, report: &mut Report) -> Option<Auth<'a>> {
    let names = ["type", "scopes", "configHints"];
    let ([kind, scopes, hints], extras) = read::members(node, names, Others::Warn, report)?;
    read::require(kind, node, "type", report);
    Some(Auth {
        kind: read::text(kind, report),
        scopes: read::texts(scopes, report),
        config_hints: hints.and_then(|node| config_hints(node, report)),
        extras,
    })
}

/// Hints are free in form: one that is not as expected is one of the others.
fn config_hints<'a>(node: Node<'a>, report: &mut Report) -> Option<ConfigHints<'a>> {
    let ([env, docs_url], mut extras) =
        read::members(node, ["env", "docsUrl"], Others::Allow, report)?;
    let is_list = |node: &Node<'_>| node.is_array() && node.elements().all(|e| e.text().is_some());
    for (name, odd) in [
        ("env", env.filter(|node| !is_list(node))),
        ("docsUrl", docs_url.filter(|node| node.text().is_none())),
    ] {
        extras.0.extend(odd.map(|node| (Text::Borrowed(name), Raw::from_node(node))));
    }
    Some(ConfigHints {
        env: read::texts(env.filter(is_list), report),
        docs_url: docs_url.and_then(Node::text),
        extras,
    })
}

fn meta<'a>(node: Node<'a>, report: &mut Report) -> Option<Meta<'a>> {
    let names = ["publisher", "license", "homepage", "tags"];
    let ([publisher_node, license, homepage, tags], extras) =
        read::members(node, names, Others::Warn, report)?;
    Some(Meta {
        publisher: publisher_node.and_then(|node| publisher(node, report)),
        license: read::text(license, report),
        homepage: read::text(homepage, report),
        tags: read::texts(tags, report),
        extras,
    })
}

fn publisher<'a>(node: Node<'a>, report: &mut Report) -> Option<Publisher<'a>> {
    let names = ["id", "name", "website"];
    let ([id, name, website], extras) = read::members(node, names, Others::Warn, report)?;
    Some(Publisher {
        id: read::text(id, report),
        name: read::text(name, report),
        website: read::text(website, report),
        extras,
    })
}
