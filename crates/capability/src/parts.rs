//! A manifest taken apart: where its values stand.
//!
//! The checks look at values where they stand, so that a problem needs no search for its
//! place. What is missing or of the wrong type is skipped: the structure says so.

use manifest_core::json::Node;
use manifest_core::table::{self, Member};

use crate::table::{
    A2A, COMMAND, IMPLEMENTATION, INTERFACES, MANIFEST, MCP, ORIGIN, PERMISSIONS, PYTHON,
    RESOURCES, RUNTIME, SECRET,
};

/// The values of a manifest that more is to be said of than their shape.
pub(crate) struct Parts<'a> {
    pub(crate) id: Option<Node<'a>>,
    pub(crate) version: Option<Node<'a>>,
    pub(crate) origin: Origin<'a>,
    pub(crate) schemas: [Option<Node<'a>>; 2],
    pub(crate) permissions: Permissions<'a>,
    pub(crate) timeout: Option<Node<'a>>,
    pub(crate) resources: [Option<Node<'a>>; 2],
    pub(crate) requires_oauth: Option<Node<'a>>,
    secrets: Option<Node<'a>>,
    pub(crate) implementation: Implementation<'a>,
}

pub(crate) struct Origin<'a> {
    pub(crate) whole: Option<Node<'a>>,
    pub(crate) source: Option<Node<'a>>,
    pub(crate) digest: Option<Node<'a>>,
    pub(crate) url: Option<Node<'a>>,
    pub(crate) path: Option<Node<'a>>,
}

pub(crate) struct Permissions<'a> {
    pub(crate) whole: Option<Node<'a>>,
    pub(crate) network: Option<Node<'a>>,
    pub(crate) devices: Option<Node<'a>>,
    pub(crate) allowlist: Option<Node<'a>>,
}

/// How it is called.
pub(crate) struct Implementation<'a> {
    pub(crate) whole: Option<Node<'a>>,
    pub(crate) kind: Option<Node<'a>>,
    /// The blocks: `command`, `python`, `mcp` and `a2a`.
    pub(crate) blocks: [Option<Node<'a>>; 4],
    pub(crate) argv: Option<Node<'a>>,
    pub(crate) callable: Option<Node<'a>>,
    pub(crate) registry_url: Option<Node<'a>>,
    pub(crate) tool_name: Option<Node<'a>>,
    pub(crate) server_id: Option<Node<'a>>,
    pub(crate) endpoint: Option<Node<'a>>,
}

impl<'a> Parts<'a> {
    pub(crate) fn of(node: Node<'a>) -> Self {
        let [
            id,
            _kind,
            version,
            _description,
            origin,
            interfaces,
            permissions,
            runtime,
            _trust_level,
            _enabled,
            requires_oauth,
            _execution,
            secrets,
            implementation,
        ] = table::entries(node, &MANIFEST);
        let [_sandbox, resources, timeout] = members(runtime, &RUNTIME);
        Self {
            id,
            version,
            origin: Origin::of(origin),
            schemas: members(interfaces, &INTERFACES),
            permissions: Permissions::of(permissions),
            timeout,
            resources: members(resources, &RESOURCES),
            requires_oauth,
            secrets,
            implementation: Implementation::of(implementation),
        }
    }

    /// The names and the references of its secrets, where all of them are objects.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = [Option<Node<'a>>; 2]> {
        let whole = self.secrets.filter(|list| list.elements().all(Node::is_object));
        let secrets = whole.into_iter().flat_map(Node::elements);
        secrets.map(|secret| table::entries(secret, &SECRET))
    }
}

impl<'a> Origin<'a> {
    fn of(whole: Option<Node<'a>>) -> Self {
        let [source, digest, _signature, url, path] = members(whole, &ORIGIN);
        Self { whole, source, digest, url, path }
    }
}

impl<'a> Permissions<'a> {
    fn of(whole: Option<Node<'a>>) -> Self {
        let [network, _filesystem, devices, allowlist] = members(whole, &PERMISSIONS);
        Self { whole, network, devices, allowlist }
    }
}

impl<'a> Implementation<'a> {
    fn of(whole: Option<Node<'a>>) -> Self {
        let [kind, command, python, mcp, a2a] = members(whole, &IMPLEMENTATION);
        let [argv] = members(command, &COMMAND);
        let [callable] = members(python, &PYTHON);
        let [registry_url, tool_name, server_id] = members(mcp, &MCP);
        let [endpoint] = members(a2a, &A2A);
        let blocks = [command, python, mcp, a2a];
        Self { whole, kind, blocks, argv, callable, registry_url, tool_name, server_id, endpoint }
    }
}

/// The members of an object that may not be there.
fn members<'a, const N: usize>(
    node: Option<Node<'a>>,
    table: &'static [Member; N],
) -> [Option<Node<'a>>; N] {
    node.map_or([None; N], |node| table::entries(node, table))
}
