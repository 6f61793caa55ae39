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

/// The name that steps find the tool's own input by.
pub(crate) const INPUT: &str = "input";

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
        Self::read_node(document.root()).unwrap_or_default()
    }

    /// Whether the manifest uses what 0.2 added.
    pub fn is_0_2(&self) -> bool {
        !self.implementations.is_empty() || !self.chain.is_empty()
    }
}

/// The members of an object with these names, and the rest. Whether they are what they
/// should be, the table tells.
fn members<'a, const N: usize>(
    node: Node<'a>,
    names: [&str; N],
) -> Option<([Option<Node<'a>>; N], Extras<'a>)> {
    read::members(node, names, Others::Allow, &mut Report::new(Profile::Spec, 0))
}

fn text(node: Option<Node<'_>>) -> Option<Text<'_>> {
    node.and_then(Node::text)
}

fn texts(node: Option<Node<'_>>) -> Vec<Text<'_>> {
    list(node, Node::text)
}

/// What the elements of a list are read as. Where one cannot be read, there are none:
/// positions are those in the document.
fn list<'a, T>(node: Option<Node<'a>>, read: impl Fn(Node<'a>) -> Option<T>) -> Vec<T> {
    let elements = node.into_iter().flat_map(Node::elements);
    elements.map(read).collect::<Option<_>>().unwrap_or_default()
}

impl<'a> Manifest<'a> {
    fn read_node(node: Node<'a>) -> Option<Self> {
        let (found, extras) = members(
            node,
            [
                "toolId",
                "name",
                "version",
                "description",
                "capabilities",
                "endpoint",
                "implementations",
                "chain",
                "input_schema",
                "output_schema",
                "auth",
                "tests",
                "examples",
                "meta",
            ],
        )?;
        let [
            tool_id,
            name,
            version,
            description,
            capabilities,
            endpoint,
            implementations,
            chain,
            input,
            output,
            auth,
            tests,
            examples,
            meta,
        ] = found;
        Some(Self {
            tool_id: text(tool_id).unwrap_or_default(),
            name: text(name).unwrap_or_default(),
            version: text(version).unwrap_or_default(),
            description: text(description).unwrap_or_default(),
            capabilities: texts(capabilities),
            endpoint: endpoint.and_then(Endpoint::read),
            implementations: list(implementations, Implementation::read),
            chain: list(chain, Step::read),
            input_schema: input.map(Raw::from_node),
            output_schema: output.map(Raw::from_node),
            auth: auth.and_then(Auth::read),
            tests: texts(tests),
            examples: texts(examples),
            meta: meta.and_then(Meta::read),
            extras,
        })
    }
}

impl<'a> Endpoint<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let ([kind, method, url, command, timeout], extras) =
            members(node, ["type", "method", "url", "command", "timeoutMs"])?;
        Some(Self {
            kind: text(kind).unwrap_or_default(),
            method: text(method),
            url: text(url),
            command: text(command),
            timeout_ms: timeout.and_then(Node::number),
            extras,
        })
    }
}

impl<'a> Implementation<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let ([id, language, runtime, platforms, endpoint, requirements], extras) =
            members(node, ["id", "language", "runtime", "platforms", "endpoint", "requirements"])?;
        Some(Self {
            id: text(id),
            language: text(language),
            runtime: text(runtime),
            platforms: texts(platforms),
            endpoint: endpoint.and_then(Endpoint::read),
            requirements: requirements.map(Raw::from_node),
            extras,
        })
    }
}

impl<'a> Step<'a> {
    pub(crate) fn read(node: Node<'a>) -> Option<Self> {
        let ([step, tool, mapping, output_key], extras) =
            members(node, ["step", "tool", "inputMapping", "outputKey"])?;
        let mapping = mapping.into_iter().flat_map(Node::members);
        Some(Self {
            step: text(step),
            tool: text(tool).unwrap_or_default(),
            input_mapping: mapping
                .filter_map(|member| Some((member.name(), member.value.text()?)))
                .collect(),
            output_key: text(output_key),
            extras,
        })
    }
}

impl<'a> Auth<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let ([kind, scopes, hints], extras) = members(node, ["type", "scopes", "configHints"])?;
        Some(Self {
            kind: text(kind),
            scopes: texts(scopes),
            config_hints: hints.and_then(ConfigHints::read),
            extras,
        })
    }
}

impl<'a> ConfigHints<'a> {
    /// Hints are free in form: one that is not as expected is one of the others.
    fn read(node: Node<'a>) -> Option<Self> {
        let ([env, docs_url], mut extras) = members(node, ["env", "docsUrl"])?;
        let is_list =
            |node: &Node<'_>| node.is_array() && node.elements().all(|e| e.text().is_some());
        for (name, odd) in [
            ("env", env.filter(|node| !is_list(node))),
            ("docsUrl", docs_url.filter(|node| node.text().is_none())),
        ] {
            extras.0.extend(odd.map(|node| (Text::Borrowed(name), Raw::from_node(node))));
        }
        Some(Self { env: texts(env.filter(is_list)), docs_url: text(docs_url), extras })
    }
}

impl<'a> Meta<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let ([publisher, license, homepage, tags], extras) =
            members(node, ["publisher", "license", "homepage", "tags"])?;
        Some(Self {
            publisher: publisher.and_then(Publisher::read),
            license: text(license),
            homepage: text(homepage),
            tags: texts(tags),
            extras,
        })
    }
}

impl<'a> Publisher<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let ([id, name, website], extras) = members(node, ["id", "name", "website"])?;
        Some(Self { id: text(id), name: text(name), website: text(website), extras })
    }
}
