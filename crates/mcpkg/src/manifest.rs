//! The typed document: MCPKG 0.1, and the implementations and chains of 0.2.

use manifest_core::json::{Number, Raw};
use manifest_core::read::Extras;
use manifest_core::{KeyedList, Text};
use serde::Serialize;

mod read;

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
    /// The authentication of calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth: Option<Auth<'a>>,
    /// Test files in the package.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<Text<'a>>,
    /// Example files in the package.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Text<'a>>,
    /// Publisher, licence, homepage and tags.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta<'a>>,
    /// Members that the specification does not define.
    #[serde(flatten)]
    pub extras: Extras<'a>,
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
    /// Members that the specification does not define.
    #[serde(flatten)]
    pub extras: Extras<'a>,
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
    /// Members that the specification does not define.
    #[serde(flatten)]
    pub extras: Extras<'a>,
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
    /// Members that the specification does not define.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

impl Step<'_> {
    /// Returns the name of the output for later steps: `outputKey`, or `step` if that is
    /// missing.
    pub fn key(&self) -> Option<&str> {
        self.output_key.as_deref().or(self.step.as_deref())
    }
}

/// The authentication of calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Auth<'a> {
    /// `none`, `bearer`, `api_key` or `oauth2`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<Text<'a>>,
    /// The scopes that the credentials must grant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Text<'a>>,
    /// Hints for setting up the credentials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config_hints: Option<ConfigHints<'a>>,
    /// Members that the specification does not define.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// Hints for setting up the credentials. They are free in form; two are known.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConfigHints<'a> {
    /// Environment variables to set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<Text<'a>>,
    /// The URL of the documentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs_url: Option<Text<'a>>,
    /// All other hints.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// Publisher, licence, homepage and tags.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Meta<'a> {
    /// The publisher of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publisher: Option<Publisher<'a>>,
    /// The licence, as an SPDX identifier or in free form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<Text<'a>>,
    /// The URL of the homepage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<Text<'a>>,
    /// More search terms.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Text<'a>>,
    /// Members that the specification does not define.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// The publisher of a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Publisher<'a> {
    /// The publisher's id in a registry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Text<'a>>,
    /// The publisher's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Text<'a>>,
    /// The publisher's website.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub website: Option<Text<'a>>,
    /// Members that the specification does not define.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

impl Manifest<'_> {
    /// Returns true if the manifest has implementations or a chain, which 0.2 added.
    pub fn is_0_2(&self) -> bool {
        !self.implementations.is_empty() || !self.chain.is_empty()
    }
}
