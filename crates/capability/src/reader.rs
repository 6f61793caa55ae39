//! Reading a manifest, and reporting what has the wrong shape.

use manifest_core::descriptor::{Filesystem, Network, Trust};
use manifest_core::json::{Document, Node, Raw};
use manifest_core::read::{self, Others};
use manifest_core::{Profile, Report, Text, did_you_mean, quoted};

use crate::manifest::{
    A2a, Channel, Command, Execution, Implementation, ImplementationKind, Interfaces, Manifest,
    Mcp, Origin, Permissions, Python, Resources, Runtime, Sandbox, Secret, Source, Type,
};
use crate::rules::{UNKNOWN_MEMBER, WORD};

const CLOSED: Others = Others::Refuse(&UNKNOWN_MEMBER);

const NAMES: [&str; 14] = [
    "id",
    "type",
    "version",
    "description",
    "origin",
    "interfaces",
    "permissions",
    "runtime",
    "trust_level",
    "enabled",
    "requires_oauth",
    "execution",
    "secrets",
    "implementation",
];

/// How many of the names are of members that must be there.
const REQUIRED: usize = 9;

/// Where the parts of a manifest stand that the checks go back to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Nodes<'a> {
    pub(crate) id: Option<Node<'a>>,
    /// The two interfaces, where they are objects.
    pub(crate) schemas: [Option<Node<'a>>; 2],
    /// The blocks of the implementation, in the order of [`BLOCKS`].
    pub(crate) blocks: [Option<Node<'a>>; 4],
}

/// The blocks of an implementation.
pub(crate) const BLOCKS: [ImplementationKind; 4] = [
    ImplementationKind::Command,
    ImplementationKind::Python,
    ImplementationKind::McpTool,
    ImplementationKind::A2aRpc,
];

impl<'a> Manifest<'a> {
    /// Reads a document. What is not as it should be is absent, or has its most
    /// cautious value: use [`validate`](crate::validate) to hear about it.
    pub fn read(document: &'a Document<'a>) -> Self {
        Self::read_node(document.root())
    }

    /// Reads one entry of a catalog.
    pub fn read_node(node: Node<'a>) -> Self {
        let mut unread = Report::new(Profile::Spec, 0);
        manifest(node, &mut unread).map(|(manifest, _)| manifest).unwrap_or_default()
    }
}

pub(crate) fn manifest<'a>(
    node: Node<'a>,
    report: &mut Report,
) -> Option<(Manifest<'a>, Nodes<'a>)> {
    let (found, _) = read::members(node, NAMES, CLOSED, report)?;
    for (name, found) in NAMES.iter().zip(&found).take(REQUIRED) {
        read::require(*found, node, name, report);
    }
    let [
        id,
        kind,
        version,
        description,
        origin_node,
        interfaces_node,
        permissions_node,
        runtime_node,
        trust_level,
        enabled,
        requires_oauth,
        execution_node,
        secrets,
        implementation_node,
    ] = found;
    let mut nodes = Nodes { id, ..Nodes::default() };
    let manifest = Manifest {
        id: text(id, report),
        kind: word(kind, TYPES, report).unwrap_or_default(),
        version: text(version, report),
        description: text(description, report),
        origin: origin_node.and_then(|node| origin(node, report)).unwrap_or_default(),
        interfaces: interfaces_node
            .and_then(|node| interfaces(node, &mut nodes, report))
            .unwrap_or_default(),
        permissions: permissions_node
            .and_then(|node| permissions(node, report))
            .unwrap_or_default(),
        runtime: runtime_node.and_then(|node| runtime(node, report)).unwrap_or_default(),
        trust_level: word(trust_level, TRUST_LEVELS, report).unwrap_or(Trust::Untrusted),
        enabled: read::boolean(enabled, report),
        requires_oauth: read::boolean(requires_oauth, report),
        execution: execution_node.and_then(|node| execution(node, report)),
        secrets: read::list(secrets, report, secret),
        implementation: implementation_node
            .and_then(|node| implementation(node, &mut nodes, report)),
    };
    Some((manifest, nodes))
}

const TYPES: &[(&str, Type)] = &[
    ("tool", Type::Tool),
    ("mcp_server", Type::McpServer),
    ("skill_pack", Type::SkillPack),
    ("a2a_peer", Type::A2aPeer),
    ("agent_workflow", Type::AgentWorkflow),
];
const SOURCES: &[(&str, Source)] = &[("url", Source::Url), ("local", Source::Local)];
const NETWORKS: &[(&str, Network)] = &[("deny", Network::Deny), ("allowlist", Network::Allowlist)];
const FILESYSTEMS: &[(&str, Filesystem)] =
    &[("read", Filesystem::Read), ("write", Filesystem::Write), ("none", Filesystem::None)];
pub(crate) const SANDBOXES: &[(&str, Sandbox)] =
    &[("process", Sandbox::Process), ("container", Sandbox::Container)];
const TRUST_LEVELS: &[(&str, Trust)] = &[
    ("local", Trust::Local),
    ("verified", Trust::Verified),
    ("community", Trust::Community),
    ("untrusted", Trust::Untrusted),
];
const CHANNELS: &[(&str, Channel)] =
    &[("programmatic", Channel::Programmatic), ("vdi_vpn", Channel::VdiVpn)];
const IMPLEMENTATIONS: &[(&str, ImplementationKind)] = &[
    ("command", ImplementationKind::Command),
    ("python", ImplementationKind::Python),
    ("mcp_tool", ImplementationKind::McpTool),
    ("a2a_rpc", ImplementationKind::A2aRpc),
];

/// One of the words that the specification lists.
fn word<T: Copy>(node: Option<Node<'_>>, words: &[(&str, T)], report: &mut Report) -> Option<T> {
    let node = node?;
    let found = read::text(Some(node), report)?;
    let known = words.iter().find(|(word, _)| *word == found);
    if known.is_none() {
        let listed: Vec<_> = words.iter().map(|(word, _)| *word).collect();
        let message = format!("{} is not one of: {}", quoted(&found), listed.join(", "));
        let mut diagnostic = WORD.at(node, message);
        if let Some(guess) = did_you_mean(&found, listed) {
            diagnostic = diagnostic.help(format!("did you mean {}?", quoted(guess)));
        }
        report.push(diagnostic);
    }
    known.map(|(_, value)| *value)
}

fn text<'a>(node: Option<Node<'a>>, report: &mut Report) -> Text<'a> {
    read::text(node, report).unwrap_or_default()
}

fn origin<'a>(node: Node<'a>, report: &mut Report) -> Option<Origin<'a>> {
    let names = ["source", "digest", "signature", "url", "path"];
    let ([source, digest, signature, url, path], _) = read::members(node, names, CLOSED, report)?;
    read::require(source, node, "source", report);
    read::require(digest, node, "digest", report);
    Some(Origin {
        source: word(source, SOURCES, report).unwrap_or_default(),
        digest: text(digest, report),
        signature: read::text(signature, report),
        url: read::text(url, report),
        path: read::text(path, report),
    })
}

fn interfaces<'a>(
    node: Node<'a>,
    nodes: &mut Nodes<'a>,
    report: &mut Report,
) -> Option<Interfaces<'a>> {
    let ([inputs, outputs], _) = read::members(node, ["inputs", "outputs"], CLOSED, report)?;
    let mut schema = |found: Option<Node<'a>>, name: &str| {
        read::require(found, node, name, report);
        if let Some(node) = found.filter(|node| !node.is_object()) {
            read::wrong_type(node, "an object", report);
        }
        found.filter(|node| node.is_object())
    };
    nodes.schemas = [schema(inputs, "inputs"), schema(outputs, "outputs")];
    let [inputs, outputs] =
        nodes.schemas.map(|schema| schema.map_or(Raw::constant("{}"), Raw::from_node));
    Some(Interfaces { inputs, outputs })
}

fn permissions<'a>(node: Node<'a>, report: &mut Report) -> Option<Permissions<'a>> {
    let names = ["network", "filesystem", "devices", "network_allowlist"];
    let ([network, filesystem, devices, allowlist], _) =
        read::members(node, names, CLOSED, report)?;
    read::require(network, node, "network", report);
    read::require(filesystem, node, "filesystem", report);
    read::require(devices, node, "devices", report);
    Some(Permissions {
        network: word(network, NETWORKS, report).unwrap_or(Network::Deny),
        filesystem: word(filesystem, FILESYSTEMS, report).unwrap_or(Filesystem::None),
        devices: read::texts(devices, report),
        network_allowlist: read::texts(allowlist, report),
    })
}

fn runtime<'a>(node: Node<'a>, report: &mut Report) -> Option<Runtime<'a>> {
    let names = ["sandbox", "resources", "timeout_seconds"];
    let ([sandbox, resources_node, timeout], _) = read::members(node, names, CLOSED, report)?;
    read::require(sandbox, node, "sandbox", report);
    read::require(resources_node, node, "resources", report);
    Some(Runtime {
        sandbox: word(sandbox, SANDBOXES, report).unwrap_or_default(),
        resources: resources_node.and_then(|node| resources(node, report)).unwrap_or_default(),
        timeout_seconds: read::number(timeout, report),
    })
}

fn resources<'a>(node: Node<'a>, report: &mut Report) -> Option<Resources<'a>> {
    let ([cpu, memory], _) = read::members(node, ["cpu", "memory"], CLOSED, report)?;
    read::require(cpu, node, "cpu", report);
    read::require(memory, node, "memory", report);
    Some(Resources { cpu: text(cpu, report), memory: text(memory, report) })
}

fn execution(node: Node<'_>, report: &mut Report) -> Option<Execution> {
    let ([channel], _) = read::members(node, ["channel"], CLOSED, report)?;
    Some(Execution { channel: word(channel, CHANNELS, report) })
}

fn secret<'a>(node: Node<'a>, report: &mut Report) -> Option<Secret<'a>> {
    let ([name, reference], _) = read::members(node, ["name", "ref"], CLOSED, report)?;
    read::require(name, node, "name", report);
    read::require(reference, node, "ref", report);
    Some(Secret { name: text(name, report), reference: text(reference, report) })
}

fn implementation<'a>(
    node: Node<'a>,
    nodes: &mut Nodes<'a>,
    report: &mut Report,
) -> Option<Implementation<'a>> {
    let names = ["kind", "command", "python", "mcp", "a2a"];
    let ([kind, command, python, mcp_node, a2a], _) = read::members(node, names, CLOSED, report)?;
    read::require(kind, node, "kind", report);
    nodes.blocks = [command, python, mcp_node, a2a];
    Some(Implementation {
        kind: word(kind, IMPLEMENTATIONS, report).unwrap_or_default(),
        command: command.and_then(|node| {
            let argv = one(node, "argv", report)?;
            Some(Command { argv: read::texts(Some(argv), report) })
        }),
        python: python.and_then(|node| {
            let callable = one(node, "callable", report)?;
            Some(Python { callable: text(Some(callable), report) })
        }),
        mcp: mcp_node.and_then(|node| mcp(node, report)),
        a2a: a2a.and_then(|node| {
            let endpoint = one(node, "endpoint", report)?;
            Some(A2a { endpoint: text(Some(endpoint), report) })
        }),
    })
}

/// The only member of an object, which must be there.
fn one<'a>(node: Node<'a>, name: &str, report: &mut Report) -> Option<Node<'a>> {
    let ([found], _) = read::members(node, [name], CLOSED, report)?;
    read::require(found, node, name, report)
}

fn mcp<'a>(node: Node<'a>, report: &mut Report) -> Option<Mcp<'a>> {
    let names = ["registry_url", "tool_name", "server_id"];
    let ([url, tool, server], _) = read::members(node, names, CLOSED, report)?;
    read::require(url, node, "registry_url", report);
    read::require(tool, node, "tool_name", report);
    Some(Mcp {
        registry_url: text(url, report),
        tool_name: text(tool, report),
        server_id: read::text(server, report),
    })
}
