//! One callable tool, normalised: the model between the formats.
//!
//! A descriptor says what a tool is in words that belong to no format. What a
//! source does not say is absent: nothing is guessed here. What the descriptor
//! has no word for is in [`ToolDescriptor::extras`], under the name of the
//! format that it came from, and no other format ever reads it there.
//!
//! Descriptors are built with full struct literals, and formats take them apart
//! without `..`: a new field does not compile until every format has decided
//! what it means there.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Pointer;
use crate::convert::Op;
use crate::json::{Number, Raw, present};
use crate::keyed::Keyed;
use crate::read::Text;

mod invocation;
mod parts;
mod risk;

pub use invocation::{Acquisition, CommandInput, Implementation, Invocation, Step};
pub use parts::{
    Auth, EnvVar, Example, Origin, Package, Permissions, Publisher, Sandbox, Scope, Support,
};
pub use risk::{
    Channel, ErrorEnvelope, Filesystem, Kind, Network, OutputFormat, SideEffects, Trust,
};

/// What a document lifts to: its tools, and what belongs to it as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::exhaustive_structs)]
pub struct Lifted<'a> {
    /// The tools, in the order of the document.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolDescriptor<'a>>,
    /// Whether the document is a list of manifests rather than one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub list: bool,
    /// What the descriptors cannot say and belongs to no single tool, under the
    /// name of its format.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub extras: BTreeMap<String, Vec<Op>>,
}

/// One callable tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::exhaustive_structs)]
pub struct ToolDescriptor<'a> {
    /// Where the tool stands in the document that it was lifted from.
    #[serde(skip)]
    pub source: Pointer,
    /// Identifies the tool among all tools of its kind.
    pub id: Text<'a>,
    /// What a caller calls it, where that is not the id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Text<'a>>,
    /// What a person calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Text<'a>>,
    /// The installable unit that the tool is part of, where that is not the
    /// tool itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<Package<'a>>,
    /// What sort of resource the tool is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The version, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Text<'a>>,
    /// One sentence for people and models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Text<'a>>,
    /// The longer text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Text<'a>>,
    /// Words to find the tool by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Text<'a>>,
    /// A second list of words, where a format keeps two.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Text<'a>>,
    /// Who publishes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publisher: Option<Publisher<'a>>,
    /// Where people read about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<Text<'a>>,
    /// The licence, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<Text<'a>>,
    /// Where people get help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub support: Option<Support<'a>>,
    /// JSON Schema of the arguments, as written.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub input_schema: Option<Raw<'a>>,
    /// JSON Schema of the result, as written.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub output_schema: Option<Raw<'a>>,
    /// What the result is written in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_format: Option<OutputFormat>,
    /// What errors look like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_envelope: Option<ErrorEnvelope>,
    /// Calls to learn from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example<'a>>,
    /// Files with examples, beside the manifest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub example_files: Vec<Text<'a>>,
    /// Files with tests, beside the manifest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub test_files: Vec<Text<'a>>,
    /// How the tool is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invocation: Option<Invocation<'a>>,
    /// Ways to call it that depend on the host.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub implementations: Vec<Implementation<'a>>,
    /// The tools that it calls in turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<Step<'a>>,
    /// How its program is installed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acquisition: Option<Acquisition<'a>>,
    /// How long a call may take, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<Number<'a>>,
    /// Environment variables and secrets that it is given.
    #[serde(skip_serializing_if = "Keyed::is_empty")]
    pub env: Keyed<'a, EnvVar<'a>>,
    /// How calls are authenticated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth: Option<Auth<'a>>,
    /// What it may reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permissions: Option<Permissions<'a>>,
    /// What it does on the user's behalf, by resource.
    #[serde(skip_serializing_if = "Keyed::is_empty")]
    pub scopes: Keyed<'a, Scope<'a>>,
    /// What it runs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Sandbox<'a>>,
    /// What it changes. Absent means unknown, which is the worst.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side_effects: Option<SideEffects>,
    /// Whether calling twice is the same as calling once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// Whether a person must approve each call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires_approval: Option<bool>,
    /// Where the manifest came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin<'a>>,
    /// How far it is trusted. Absent means not at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
    /// Whether it may run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// How it is driven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    /// How to check an installation, as written.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub smoke: Option<Raw<'a>>,
    /// How to check the tool over time, as written.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub verify: Option<Raw<'a>>,
    /// How to revoke it, as written.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub revocation: Option<Raw<'a>>,
    /// What it costs, as written.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub cost: Option<Raw<'a>>,
    /// Where data goes, as written.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub data_boundary: Option<Raw<'a>>,
    /// What the descriptor has no word for, under the name of its format.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub extras: BTreeMap<String, Vec<Op>>,
}
