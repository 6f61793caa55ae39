//! The typed manifest: what a host decides by. The lens reads schemas, calls and time-outs.

use manifest_core::descriptor::{self, Filesystem, Network, Trust};
use manifest_core::json::{Document, Node};
use manifest_core::table;

use crate::table::{Key, Nodes, SECRET};
use crate::{grammar, structure};

/// A capability: one executable resource.
///
/// The default of each part is the most cautious one.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// The id, unique in the catalog.
    pub id: String,
    /// The type of resource, for example `tool` or `mcp_server`.
    pub kind: String,
    /// The exact version.
    pub version: String,
    /// The description.
    pub description: String,
    /// The origin of the capability.
    pub origin: Origin,
    /// The network, files and devices that it may use.
    pub permissions: Permissions,
    /// The sandbox and its limits.
    pub runtime: Runtime,
    /// The level of trust.
    pub trust_level: Trust,
    /// True if it may run. Default: true.
    pub enabled: Option<bool>,
    /// True if the user must sign in first. Default: false.
    pub requires_oauth: Option<bool>,
    /// The channel over which it is driven.
    pub channel: Channel,
    /// References to the secrets that it receives.
    pub secrets: Vec<Secret>,
}

impl Default for Manifest {
    fn default() -> Self {
        Self::from_nodes(&Nodes::default())
    }
}

/// The origin of a capability.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// The kind of origin.
    pub source: Source,
    /// SHA-256 in hexadecimal, with an optional prefix `sha256:`.
    pub digest: String,
    /// A signature, in a form that the host understands.
    pub signature: Option<String>,
    /// The URL, if the source is a URL.
    pub url: Option<String>,
    /// The path on this machine, if the source is local.
    pub path: Option<String>,
}

/// A kind of origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// A URL.
    Url,
    /// This machine.
    #[default]
    Local,
}

/// The network, files and devices that a capability may use.
#[derive(Clone, Debug, PartialEq)]
pub struct Permissions {
    /// The access to the network.
    pub network: Network,
    /// The access to files.
    pub filesystem: Filesystem,
    /// The names of the devices.
    pub devices: Vec<String>,
    /// The allowed hosts and URLs, if the network is limited to them.
    pub network_allowlist: Vec<String>,
}

/// The sandbox of a capability, and its limits, in the notation of the host: `default`,
/// `500m`, `128Mi`.
#[derive(Clone, Debug, PartialEq)]
pub struct Runtime {
    /// The kind of sandbox.
    pub sandbox: Sandbox,
    /// The CPU limit.
    pub cpu: String,
    /// The memory limit.
    pub memory: String,
}

/// A kind of sandbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sandbox {
    /// A separate process.
    #[default]
    Process,
    /// A container.
    Container,
}

/// A channel over which a capability is driven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Channel {
    /// By a program.
    #[default]
    Programmatic,
    /// Through a virtual desktop or private network.
    VdiVpn,
}

impl Channel {
    pub(crate) fn word(self) -> &'static str {
        descriptor::Channel::from(self).word()
    }
}

impl From<Channel> for descriptor::Channel {
    fn from(channel: Channel) -> Self {
        match channel {
            Channel::Programmatic => Self::Programmatic,
            Channel::VdiVpn => Self::VdiVpn,
        }
    }
}

/// A reference to a secret, never its value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Secret {
    /// The name by which the capability receives it.
    pub name: String,
    /// The location of the value, for example `vault://kv/unison/github#token`.
    pub reference: String,
}

impl Manifest {
    /// Reads a document. A missing or invalid value becomes `None` or its most cautious
    /// value. Use [`validate`](crate::validate) to find errors.
    pub fn read(document: &Document<'_>) -> Self {
        Self::from_nodes(&structure::capture(document.root()))
    }

    /// Builds the manifest from the nodes of its members.
    pub(crate) fn from_nodes(nodes: &Nodes<'_>) -> Self {
        Self {
            id: text(nodes, Key::Id),
            kind: text(nodes, Key::Type),
            version: text(nodes, Key::Version),
            description: text(nodes, Key::Description),
            origin: Origin {
                source: match text(nodes, Key::Source).as_str() {
                    "url" => Source::Url,
                    _ => Source::Local,
                },
                digest: text(nodes, Key::Digest),
                signature: text_if_any(nodes, Key::Signature),
                url: text_if_any(nodes, Key::Url),
                path: text_if_any(nodes, Key::Path),
            },
            permissions: permissions(nodes),
            runtime: Runtime {
                sandbox: match text(nodes, Key::Sandbox).as_str() {
                    "container" => Sandbox::Container,
                    _ => Sandbox::Process,
                },
                cpu: text_if_any(nodes, Key::Cpu).unwrap_or_else(|| "default".to_owned()),
                memory: text_if_any(nodes, Key::Memory).unwrap_or_else(|| "default".to_owned()),
            },
            trust_level: Trust::from_word(&text(nodes, Key::Trust)).unwrap_or(Trust::Untrusted),
            enabled: nodes.get(Key::Enabled).and_then(Node::bool),
            requires_oauth: nodes.get(Key::RequiresOauth).and_then(Node::bool),
            channel: match text(nodes, Key::Channel).as_str() {
                "vdi_vpn" => Channel::VdiVpn,
                _ => Channel::Programmatic,
            },
            secrets: secrets(nodes),
        }
    }

    /// Returns true unless the manifest switches the capability off.
    pub fn is_enabled(&self) -> bool {
        self.enabled != Some(false)
    }

    /// Returns true if the manifest refers to a secret of a sign-in.
    pub(crate) fn has_oauth_secret(&self) -> bool {
        self.secrets.iter().any(|secret| grammar::is_oauth_secret(&secret.name))
    }
}

fn permissions(nodes: &Nodes<'_>) -> Permissions {
    let network = Network::from_word(&text(nodes, Key::Network));
    let filesystem = Filesystem::from_word(&text(nodes, Key::Filesystem));
    Permissions {
        network: network.unwrap_or(Network::Deny),
        filesystem: filesystem.unwrap_or(Filesystem::None),
        devices: texts(nodes, Key::Devices),
        network_allowlist: texts(nodes, Key::Allowlist),
    }
}

/// Returns the secrets. Returns none if one of them is not an object.
fn secrets(nodes: &Nodes<'_>) -> Vec<Secret> {
    let Some(list) = nodes.get(Key::Secrets) else { return Vec::new() };
    let mut secrets = Vec::new();
    for element in list.elements() {
        if !element.is_object() {
            return Vec::new();
        }
        let [name, reference] = table::member_values(element, &SECRET);
        let [name, reference] = [name, reference].map(required_text);
        secrets.push(Secret { name, reference });
    }
    secrets
}

fn text_if_any(nodes: &Nodes<'_>, key: Key) -> Option<String> {
    let (_, text) = nodes.text(key)?;
    Some(text.into_owned())
}

fn text(nodes: &Nodes<'_>, key: Key) -> String {
    required_text(nodes.get(key))
}

/// Returns the text of a member that is required. It is empty in a document without it, which
/// is invalid.
fn required_text(node: Option<Node<'_>>) -> String {
    match node.and_then(Node::text) {
        Some(text) => text.into_owned(),
        None => String::new(),
    }
}

/// Returns the strings of a list. Returns none if one of the elements is not a string, so
/// that positions in the list are always those in the document.
fn texts(nodes: &Nodes<'_>, key: Key) -> Vec<String> {
    let Some(list) = nodes.get(key) else { return Vec::new() };
    let mut texts = Vec::new();
    for element in list.elements() {
        let Some(text) = element.text() else { return Vec::new() };
        texts.push(text.into_owned());
    }
    texts
}
