//! The typed manifest. Every object is closed, so an unknown member is an error and need
//! not be stored.

use manifest_core::Text;
use manifest_core::descriptor::{Filesystem, Network, Trust};
use manifest_core::json::{Number, Raw};
use serde::Serialize;

use crate::grammar;

mod read;

/// A capability: one executable resource.
///
/// The default of each part is the most cautious one.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Manifest<'a> {
    /// The id, unique in the catalog.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub id: Text<'a>,
    /// The type of resource.
    #[serde(rename = "type")]
    pub kind: Type,
    /// The exact version.
    #[cfg_attr(feature = "schemars", schemars(regex(pattern = VERSION)))]
    pub version: Text<'a>,
    /// The description.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub description: Text<'a>,
    /// The origin of the capability.
    pub origin: Origin<'a>,
    /// The schemas of its input and output.
    pub interfaces: Interfaces<'a>,
    /// The network, files and devices that it may use.
    pub permissions: Permissions<'a>,
    /// The sandbox and its limits.
    pub runtime: Runtime<'a>,
    /// The level of trust.
    pub trust_level: Trust,
    /// True if it may run. Default: true.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "bool"))]
    pub enabled: Option<bool>,
    /// True if the user must sign in first. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "bool"))]
    pub requires_oauth: Option<bool>,
    /// The channel over which it is driven.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "Execution"))]
    pub execution: Option<Execution>,
    /// References to the secrets that it receives.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<Secret<'a>>,
    /// How it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "Implementation<'a>"))]
    pub implementation: Option<Implementation<'a>>,
}

/// A type of resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Type {
    /// A tool.
    #[default]
    Tool,
    /// An MCP server.
    McpServer,
    /// A pack of skills.
    SkillPack,
    /// A peer agent.
    A2aPeer,
    /// A workflow.
    AgentWorkflow,
}

/// The origin of a capability.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Origin<'a> {
    /// The kind of origin.
    pub source: Source,
    /// SHA-256 in hexadecimal, with an optional prefix `sha256:`.
    #[cfg_attr(feature = "schemars", schemars(regex(pattern = DIGEST)))]
    pub digest: Text<'a>,
    /// A signature, in a form that the host understands.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "String"))]
    pub signature: Option<Text<'a>>,
    /// The URL, if the source is a URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "String"))]
    pub url: Option<Text<'a>>,
    /// The path on this machine, if the source is local.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "String"))]
    pub path: Option<Text<'a>>,
}

/// A kind of origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A URL.
    Url,
    /// This machine.
    #[default]
    Local,
}

/// The JSON Schemas of input and output.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Interfaces<'a> {
    /// The arguments.
    #[cfg_attr(
        feature = "schemars",
        schemars(with = "serde_json::Map<String, serde_json::Value>")
    )]
    pub inputs: Raw<'a>,
    /// The result.
    #[cfg_attr(
        feature = "schemars",
        schemars(with = "serde_json::Map<String, serde_json::Value>")
    )]
    pub outputs: Raw<'a>,
}

impl Default for Interfaces<'_> {
    fn default() -> Self {
        Self { inputs: Raw::from_static("{}"), outputs: Raw::from_static("{}") }
    }
}

/// The network, files and devices that a capability may use.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Permissions<'a> {
    /// The access to the network.
    pub network: Network,
    /// The access to files.
    pub filesystem: Filesystem,
    /// The names of the devices.
    pub devices: Vec<Text<'a>>,
    /// The allowed hosts and URLs, if the network is limited to them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub network_allowlist: Vec<Text<'a>>,
}

impl Default for Permissions<'_> {
    fn default() -> Self {
        Self {
            network: Network::Deny,
            filesystem: Filesystem::None,
            devices: Vec::new(),
            network_allowlist: Vec::new(),
        }
    }
}

/// The sandbox of a capability, and its limits.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Runtime<'a> {
    /// The kind of sandbox.
    pub sandbox: Sandbox,
    /// The limits of resources.
    pub resources: Resources<'a>,
    /// The time limit of a call in seconds. Zero means the host's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "f64", range(min = 0)))]
    pub timeout_seconds: Option<Number<'a>>,
}

/// A kind of sandbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Sandbox {
    /// A separate process.
    #[default]
    Process,
    /// A container.
    Container,
}

/// The limits of resources, in the notation of the host: `default`, `500m`, `128Mi`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Resources<'a> {
    /// The CPU limit.
    pub cpu: Text<'a>,
    /// The memory limit.
    pub memory: Text<'a>,
}

impl Default for Resources<'_> {
    fn default() -> Self {
        Self { cpu: Text::Borrowed("default"), memory: Text::Borrowed("default") }
    }
}

/// How a capability is driven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Execution {
    /// The channel. Default: programmatic.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "Channel"))]
    pub channel: Option<Channel>,
}

/// A channel over which a capability is driven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// By a program.
    #[default]
    Programmatic,
    /// Through a virtual desktop or private network.
    VdiVpn,
}

impl From<Channel> for manifest_core::descriptor::Channel {
    fn from(channel: Channel) -> Self {
        match channel {
            Channel::Programmatic => Self::Programmatic,
            Channel::VdiVpn => Self::VdiVpn,
        }
    }
}

/// A reference to a secret, never its value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Secret<'a> {
    /// The name by which the capability receives it.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub name: Text<'a>,
    /// The location of the value, for example `vault://kv/unison/github#token`.
    #[serde(rename = "ref")]
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub reference: Text<'a>,
}

/// The call of a capability: a kind, and the block for this kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Implementation<'a> {
    /// The kind, which selects the block.
    pub kind: ImplementationKind,
    /// The block for `command`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "Command<'a>"))]
    pub command: Option<Command<'a>>,
    /// The block for `python`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "Python<'a>"))]
    pub python: Option<Python<'a>>,
    /// The block for `mcp_tool`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "Mcp<'a>"))]
    pub mcp: Option<Mcp<'a>>,
    /// The block for `a2a_rpc`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "A2a<'a>"))]
    pub a2a: Option<A2a<'a>>,
}

/// A kind of call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ImplementationKind {
    /// A program.
    #[default]
    Command,
    /// A Python function.
    Python,
    /// A tool of an MCP server.
    McpTool,
    /// An agent that speaks A2A.
    A2aRpc,
}

impl ImplementationKind {
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        match word {
            "command" => Some(Self::Command),
            "python" => Some(Self::Python),
            "mcp_tool" => Some(Self::McpTool),
            "a2a_rpc" => Some(Self::A2aRpc),
            _ => None,
        }
    }

    /// Returns the name of the block for this kind.
    pub(crate) const fn block(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::Python => "python",
            Self::McpTool => "mcp",
            Self::A2aRpc => "a2a",
        }
    }
}

/// A program and its first arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Command<'a> {
    /// The program, followed by its arguments.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub argv: Vec<Text<'a>>,
}

/// A Python function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Python<'a> {
    /// The function, as `module:function`.
    #[cfg_attr(feature = "schemars", schemars(regex(pattern = CALLABLE)))]
    pub callable: Text<'a>,
}

/// A tool of an MCP server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Mcp<'a> {
    /// The URL of the registry that lists the server.
    pub registry_url: Text<'a>,
    /// The tool's name on the server.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub tool_name: Text<'a>,
    /// The server's name in the registry.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "String"))]
    pub server_id: Option<Text<'a>>,
}

/// An agent that speaks A2A.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct A2a<'a> {
    /// The URL of the agent.
    pub endpoint: Text<'a>,
}

// The grammars of `grammar.rs` as patterns, for the JSON Schema.
#[cfg(feature = "schemars")]
const VERSION: &str = r"^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$";
#[cfg(feature = "schemars")]
const DIGEST: &str = "^(sha256:)?[0-9a-fA-F]{64}$";
#[cfg(feature = "schemars")]
const CALLABLE: &str = r"^[A-Za-z_][A-Za-z0-9_.]*:[A-Za-z_][A-Za-z0-9_]*$";

impl Manifest<'_> {
    /// Returns true unless the manifest switches the capability off.
    pub fn is_enabled(&self) -> bool {
        self.enabled != Some(false)
    }

    /// Returns true if the manifest refers to a secret of a sign-in.
    pub(crate) fn has_oauth_secret(&self) -> bool {
        self.secrets.iter().any(|secret| grammar::is_oauth_secret(&secret.name))
    }

    /// Returns the channel.
    pub fn channel(&self) -> Channel {
        self.execution.and_then(|execution| execution.channel).unwrap_or_default()
    }
}
