//! The typed manifest. Every object is closed: a member that is not here is an
//! error, so there is nothing else to keep.

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
    /// Identifies the capability in its catalog.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub id: Text<'a>,
    /// What sort of resource it is.
    #[serde(rename = "type")]
    pub kind: Type,
    /// One exact version.
    #[cfg_attr(feature = "schemars", schemars(regex(pattern = VERSION)))]
    pub version: Text<'a>,
    /// What it does.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub description: Text<'a>,
    /// Where it comes from.
    pub origin: Origin<'a>,
    /// What goes in and out.
    pub interfaces: Interfaces<'a>,
    /// What it may reach.
    pub permissions: Permissions<'a>,
    /// What it runs in.
    pub runtime: Runtime<'a>,
    /// How far it is trusted.
    pub trust_level: Trust,
    /// Whether it may run. Absent means yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "bool"))]
    pub enabled: Option<bool>,
    /// Whether the user must sign in first. Absent means no.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "bool"))]
    pub requires_oauth: Option<bool>,
    /// How it is driven.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "Execution"))]
    pub execution: Option<Execution>,
    /// References to the secrets that it is given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<Secret<'a>>,
    /// How it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "Implementation<'a>"))]
    pub implementation: Option<Implementation<'a>>,
}

/// What sort of resource a capability is.
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

/// Where a capability comes from.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Origin<'a> {
    /// A URL, or this machine.
    pub source: Source,
    /// SHA-256 in hexadecimal, with or without `sha256:` before it.
    #[cfg_attr(feature = "schemars", schemars(regex(pattern = DIGEST)))]
    pub digest: Text<'a>,
    /// A signature, in a form that the host knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "String"))]
    pub signature: Option<Text<'a>>,
    /// The URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "String"))]
    pub url: Option<Text<'a>>,
    /// The path on this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "String"))]
    pub path: Option<Text<'a>>,
}

/// The kind of place that a capability comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Somewhere on the network.
    Url,
    /// This machine.
    #[default]
    Local,
}

/// What goes in and out, as JSON Schemas.
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
        Self { inputs: Raw::constant("{}"), outputs: Raw::constant("{}") }
    }
}

/// What a capability may reach.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Permissions<'a> {
    /// The network.
    pub network: Network,
    /// Files.
    pub filesystem: Filesystem,
    /// Devices.
    pub devices: Vec<Text<'a>>,
    /// Hosts and URLs, when the network is limited to them.
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

/// What a capability runs in.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Runtime<'a> {
    /// The kind of sandbox.
    pub sandbox: Sandbox,
    /// How much it may use.
    pub resources: Resources<'a>,
    /// Seconds that a call may take. Zero means the host's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "f64", range(min = 0)))]
    pub timeout_seconds: Option<Number<'a>>,
}

/// A kind of sandbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Sandbox {
    /// A process of its own.
    #[default]
    Process,
    /// A container.
    Container,
}

/// How much a capability may use, in words of the host: `default`, `500m`, `128Mi`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Resources<'a> {
    /// CPU.
    pub cpu: Text<'a>,
    /// Memory.
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
    /// By program, or through a desktop. Absent means by program.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "Channel"))]
    pub channel: Option<Channel>,
}

/// A way to drive a capability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// By program.
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
    /// The name that the capability knows it by.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub name: Text<'a>,
    /// Where the value is kept, such as `vault://kv/unison/github#token`.
    #[serde(rename = "ref")]
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub reference: Text<'a>,
}

/// How a capability is called: a kind, and the block that belongs to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Implementation<'a> {
    /// Which of the blocks counts.
    pub kind: ImplementationKind,
    /// For `command`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "Command<'a>"))]
    pub command: Option<Command<'a>>,
    /// For `python`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "Python<'a>"))]
    pub python: Option<Python<'a>>,
    /// For `mcp_tool`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "Mcp<'a>"))]
    pub mcp: Option<Mcp<'a>>,
    /// For `a2a_rpc`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "A2a<'a>"))]
    pub a2a: Option<A2a<'a>>,
}

/// A way to call a capability.
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
    /// The kind that is written like this.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        match word {
            "command" => Some(Self::Command),
            "python" => Some(Self::Python),
            "mcp_tool" => Some(Self::McpTool),
            "a2a_rpc" => Some(Self::A2aRpc),
            _ => None,
        }
    }

    /// The name of the block that belongs to it.
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
    /// The program first.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub argv: Vec<Text<'a>>,
}

/// A Python function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Python<'a> {
    /// `module:function`
    #[cfg_attr(feature = "schemars", schemars(regex(pattern = CALLABLE)))]
    pub callable: Text<'a>,
}

/// A tool of an MCP server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Mcp<'a> {
    /// The registry that knows the server.
    pub registry_url: Text<'a>,
    /// The tool's name there.
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
    /// Its URL.
    pub endpoint: Text<'a>,
}

// What the grammars of `grammar.rs` say, for people who read schemas.
#[cfg(feature = "schemars")]
const VERSION: &str = r"^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$";
#[cfg(feature = "schemars")]
const DIGEST: &str = "^(sha256:)?[0-9a-fA-F]{64}$";
#[cfg(feature = "schemars")]
const CALLABLE: &str = r"^[A-Za-z_][A-Za-z0-9_.]*:[A-Za-z_][A-Za-z0-9_]*$";

impl Manifest<'_> {
    /// Whether it may run, as far as the manifest says.
    pub fn is_enabled(&self) -> bool {
        self.enabled != Some(false)
    }

    /// Whether the user has signed in, as far as the manifest shows.
    pub(crate) fn has_oauth_secret(&self) -> bool {
        self.secrets.iter().any(|secret| grammar::is_oauth_secret(&secret.name))
    }

    /// How it is driven.
    pub fn channel(&self) -> Channel {
        self.execution.and_then(|execution| execution.channel).unwrap_or_default()
    }
}
