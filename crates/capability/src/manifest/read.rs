//! Reads a manifest without checking it.

use manifest_core::descriptor::{Filesystem, Network, Trust};
use manifest_core::json::{Document, Node, Raw};
use manifest_core::{Text, table};

use super::{
    A2a, Channel, Command, Execution, Implementation, ImplementationKind, Interfaces, Manifest,
    Mcp, Origin, Permissions, Python, Resources, Runtime, Sandbox, Secret, Source, Type,
};
use crate::table::{
    A2A, COMMAND, EXECUTION, IMPLEMENTATION, INTERFACES, MANIFEST, MCP, ORIGIN, PERMISSIONS,
    PYTHON, RESOURCES, RUNTIME, SECRET,
};

impl<'a> Manifest<'a> {
    /// Reads a document. A missing or invalid value becomes `None` or its most cautious
    /// value. Use [`validate`](crate::validate) to find errors.
    pub fn read(document: &'a Document<'a>) -> Self {
        Self::read_node(document.root())
    }

    /// Reads one entry of a catalog.
    pub fn read_node(node: Node<'a>) -> Self {
        object(Some(node)).map(manifest).unwrap_or_default()
    }
}

fn manifest(node: Node<'_>) -> Manifest<'_> {
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
        execution,
        secrets,
        implementation_node,
    ] = table::member_values(node, &MANIFEST);
    Manifest {
        id: text(id),
        kind: word(kind, TYPES).unwrap_or_default(),
        version: text(version),
        description: text(description),
        origin: object(origin_node).map(origin).unwrap_or_default(),
        interfaces: object(interfaces_node).map(interfaces).unwrap_or_default(),
        permissions: object(permissions_node).map(permissions).unwrap_or_default(),
        runtime: object(runtime_node).map(runtime).unwrap_or_default(),
        trust_level: word(trust_level, TRUST_LEVELS).unwrap_or(Trust::Untrusted),
        enabled: enabled.and_then(Node::bool),
        requires_oauth: requires_oauth.and_then(Node::bool),
        execution: object(execution).map(|node| {
            let [channel] = table::member_values(node, &EXECUTION);
            Execution { channel: word(channel, CHANNELS) }
        }),
        secrets: list(secrets, |node| object(Some(node)).map(secret)),
        implementation: object(implementation_node).map(implementation),
    }
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
const SANDBOXES: &[(&str, Sandbox)] =
    &[("process", Sandbox::Process), ("container", Sandbox::Container)];
const TRUST_LEVELS: &[(&str, Trust)] = &[
    ("local", Trust::Local),
    ("verified", Trust::Verified),
    ("community", Trust::Community),
    ("untrusted", Trust::Untrusted),
];
const CHANNELS: &[(&str, Channel)] =
    &[("programmatic", Channel::Programmatic), ("vdi_vpn", Channel::VdiVpn)];

fn object(node: Option<Node<'_>>) -> Option<Node<'_>> {
    node.filter(|node| node.is_object())
}

fn word<T: Copy>(node: Option<Node<'_>>, words: &[(&str, T)]) -> Option<T> {
    let found = node?.text()?;
    words.iter().find(|(word, _)| *word == found).map(|(_, value)| *value)
}

fn text(node: Option<Node<'_>>) -> Text<'_> {
    node.and_then(Node::text).unwrap_or_default()
}

/// Reads the elements of an array. Returns an empty list if one of them is invalid, so that
/// positions in the list are always those in the document.
fn list<'a, T>(node: Option<Node<'a>>, read: impl Fn(Node<'a>) -> Option<T>) -> Vec<T> {
    let elements = node.into_iter().flat_map(Node::elements);
    elements.map(read).collect::<Option<_>>().unwrap_or_default()
}

fn texts(node: Option<Node<'_>>) -> Vec<Text<'_>> {
    list(node, Node::text)
}

fn origin(node: Node<'_>) -> Origin<'_> {
    let [source, digest, signature, url, path] = table::member_values(node, &ORIGIN);
    Origin {
        source: word(source, SOURCES).unwrap_or_default(),
        digest: text(digest),
        signature: signature.and_then(Node::text),
        url: url.and_then(Node::text),
        path: path.and_then(Node::text),
    }
}

fn interfaces(node: Node<'_>) -> Interfaces<'_> {
    let schemas = table::member_values(node, &INTERFACES);
    let [inputs, outputs] =
        schemas.map(|schema| object(schema).map_or(Raw::from_static("{}"), Raw::from_node));
    Interfaces { inputs, outputs }
}

fn permissions(node: Node<'_>) -> Permissions<'_> {
    let [network, filesystem, devices, allowlist] = table::member_values(node, &PERMISSIONS);
    Permissions {
        network: word(network, NETWORKS).unwrap_or(Network::Deny),
        filesystem: word(filesystem, FILESYSTEMS).unwrap_or(Filesystem::None),
        devices: texts(devices),
        network_allowlist: texts(allowlist),
    }
}

fn runtime(node: Node<'_>) -> Runtime<'_> {
    let [sandbox, resources, timeout] = table::member_values(node, &RUNTIME);
    let resources = object(resources).map(|node| {
        let [cpu, memory] = table::member_values(node, &RESOURCES);
        Resources { cpu: text(cpu), memory: text(memory) }
    });
    Runtime {
        sandbox: word(sandbox, SANDBOXES).unwrap_or_default(),
        resources: resources.unwrap_or_default(),
        timeout_seconds: timeout.and_then(Node::number),
    }
}

fn secret(node: Node<'_>) -> Secret<'_> {
    let [name, reference] = table::member_values(node, &SECRET);
    Secret { name: text(name), reference: text(reference) }
}

fn implementation(node: Node<'_>) -> Implementation<'_> {
    let [kind, command, python, mcp, a2a] = table::member_values(node, &IMPLEMENTATION);
    Implementation {
        kind: kind
            .and_then(Node::text)
            .and_then(|word| ImplementationKind::from_word(&word))
            .unwrap_or_default(),
        command: command.and_then(|node| {
            let [argv] = table::member_values(node, &COMMAND);
            Some(Command { argv: texts(Some(argv?)) })
        }),
        python: python.and_then(|node| {
            let [callable] = table::member_values(node, &PYTHON);
            Some(Python { callable: text(Some(callable?)) })
        }),
        mcp: object(mcp).map(|node| {
            let [url, tool, server] = table::member_values(node, &MCP);
            let server_id = server.and_then(Node::text);
            Mcp { registry_url: text(url), tool_name: text(tool), server_id }
        }),
        a2a: a2a.and_then(|node| {
            let [endpoint] = table::member_values(node, &A2A);
            Some(A2a { endpoint: text(Some(endpoint?)) })
        }),
    }
}
