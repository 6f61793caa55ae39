//! The smaller parts of a descriptor.

use serde::{Deserialize, Serialize};

use super::risk::{Filesystem, Network};
use crate::json::{Raw, present};
use crate::read::Text;

/// The installable unit that several tools share.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::exhaustive_structs)]
pub struct Package<'a> {
    /// Identifies the package.
    pub id: Text<'a>,
    /// Who the id belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<Text<'a>>,
    /// What a person calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Text<'a>>,
    /// One sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Text<'a>>,
    /// The longer text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Text<'a>>,
    /// How the commands of its tools begin.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub argv: Vec<Text<'a>>,
    /// How the URLs of its tools begin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<Text<'a>>,
    /// Where the command runs, if the tool's own invocation does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<Text<'a>>,
}

/// Who publishes a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
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
    pub url: Option<Text<'a>>,
    /// Their address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<Text<'a>>,
}

/// Where people get help.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::exhaustive_structs)]
pub struct Support<'a> {
    /// Where to file bugs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issues_url: Option<Text<'a>>,
    /// Where to report security problems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub security_email: Option<Text<'a>>,
    /// Where to read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs_url: Option<Text<'a>>,
}

/// A call to learn from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::exhaustive_structs)]
pub struct Example<'a> {
    /// What it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Text<'a>>,
    /// The arguments.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub input: Option<Raw<'a>>,
    /// The result.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub output: Option<Raw<'a>>,
}

/// An environment variable that a tool is given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::exhaustive_structs)]
pub struct EnvVar<'a> {
    /// What to ask the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Text<'a>>,
    /// Whether the value is secret. Absent means unknown, so treat it as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<bool>,
    /// Whether the tool needs it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// ECMAScript pattern of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<Text<'a>>,
    /// The value when the user gives none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Text<'a>>,
    /// Where to get a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obtain_url: Option<Text<'a>>,
    /// Where the value is stored, never the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Text<'a>>,
}

/// How calls are authenticated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::exhaustive_structs)]
pub struct Auth<'a> {
    /// The scheme, as the format names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme: Option<Text<'a>>,
    /// What the credentials must grant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Text<'a>>,
    /// Where to read how to get credentials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs_url: Option<Text<'a>>,
}

/// What a tool may reach.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::exhaustive_structs)]
pub struct Permissions<'a> {
    /// The network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<Network>,
    /// The hosts, when the network is limited to a list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<Text<'a>>,
    /// Files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filesystem: Option<Filesystem>,
    /// Devices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<Text<'a>>,
}

/// What a tool does with one resource.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::exhaustive_structs)]
pub struct Scope<'a> {
    /// The verbs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Text<'a>>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<Text<'a>>,
    /// The provider's own name for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_scope: Option<Text<'a>>,
    /// Whether this tool of the package uses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used: Option<bool>,
}

/// What a tool runs in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::exhaustive_structs)]
pub struct Sandbox<'a> {
    /// The kind of sandbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Text<'a>>,
    /// CPU limit, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<Text<'a>>,
    /// Memory limit, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Text<'a>>,
}

/// Where a manifest came from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::exhaustive_structs)]
pub struct Origin<'a> {
    /// The kind of source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Text<'a>>,
    /// The URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<Text<'a>>,
    /// The path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Text<'a>>,
    /// SHA-256, lower-case hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<Text<'a>>,
    /// The signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<Text<'a>>,
}
