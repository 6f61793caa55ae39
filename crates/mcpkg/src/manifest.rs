//! The typed document: MCPKG 0.1, and the implementations and chains of 0.2.

use manifest_core::json::{Number, Raw};
use manifest_core::read::Extras;
use manifest_core::{Keyed, Text};
use serde::Serialize;

mod read;

/// The name of a tool's own input, in a chain.
pub(crate) const INPUT: &str = "input";

/// A `manifest.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
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

impl Manifest<'_> {
    /// Whether the manifest uses what 0.2 added.
    pub fn is_0_2(&self) -> bool {
        !self.implementations.is_empty() || !self.chain.is_empty()
    }
}
