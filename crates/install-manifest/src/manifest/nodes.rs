//! The nodes of a manifest that the semantic checks need.
//!
//! A typed document has no places, but a check must report one. So `ManifestNodes` keeps nodes, and
//! the few small values that all checks read.

use manifest_core::Text;
use manifest_core::json::Node;

use super::decode::{Decode, members, optional, required};
use super::{EnvVar, KillSwitch, Runtime, Smoke};
use crate::enums::Version;

/// A value and the node that it was read from.
pub(crate) struct NodeValue<'n, T> {
    pub(crate) value: T,
    pub(crate) node: Node<'n>,
}

/// A manifest with all required members, each of the right type.
pub(crate) struct ManifestNodes<'n> {
    pub(crate) node: Node<'n>,
    pub(crate) version: Version,
    pub(crate) tool: Node<'n>,
    pub(crate) runtime: NodeValue<'n, Runtime<'n>>,
    pub(crate) env: Vec<NodeValue<'n, EnvVar<'n>>>,
    /// The resource of each scope.
    pub(crate) scopes: Vec<NodeValue<'n, Text<'n>>>,
    pub(crate) actions: Vec<ActionNodes<'n>>,
    pub(crate) verify: Option<Node<'n>>,
    pub(crate) data_boundary: Option<Node<'n>>,
    pub(crate) smoke: NodeValue<'n, Smoke<'n>>,
    pub(crate) kill_switch: NodeValue<'n, KillSwitch<'n>>,
}

/// An action of a tool.
pub(crate) struct ActionNodes<'n> {
    pub(crate) node: Node<'n>,
    pub(crate) name: NodeValue<'n, Text<'n>>,
    pub(crate) docs: Option<Node<'n>>,
    pub(crate) invocation: NodeValue<'n, InvocationNodes<'n>>,
    pub(crate) input: Option<Node<'n>>,
    pub(crate) output: Option<Node<'n>>,
    scopes_used: Option<Node<'n>>,
}

/// The invocation of an action.
pub(crate) enum InvocationNodes<'n> {
    /// A program with these arguments.
    Program { argv_template: Option<Node<'n>> },
    /// An HTTP request.
    Http { path: NodeValue<'n, Text<'n>>, headers: Option<Node<'n>> },
    /// A tool of the MCP server.
    McpTool,
}

impl<'n, T: Decode<'n>> Decode<'n> for NodeValue<'n, T> {
    fn decode(node: Node<'n>) -> Option<Self> {
        Some(Self { value: T::decode(node)?, node })
    }
}

impl<'n> ManifestNodes<'n> {
    /// Collects the nodes of a manifest. Returns `None` if a value that it reads is missing
    /// or has the wrong type; it does not read all of the manifest.
    pub(crate) fn from_node(node: Node<'n>, version: Version) -> Option<Self> {
        let [tool, runtime, env, scopes, actions, verify, data_boundary, smoke, kill_switch] =
            members(
                node,
                &[
                    "tool",
                    "runtime",
                    "env",
                    "scopes",
                    "actions",
                    "verify",
                    "data_boundary",
                    "smoke",
                    "kill_switch",
                ],
            )?;
        let mut resources = Vec::new();
        for scope in optional::<Vec<Node<'n>>>(scopes)? {
            resources.push(required(scope.get("resource"))?);
        }
        Some(Self {
            node,
            version,
            tool: tool?,
            runtime: required(runtime)?,
            env: optional(env)?,
            scopes: resources,
            actions: optional(actions)?,
            verify,
            data_boundary,
            smoke: required(smoke)?,
            kill_switch: required(kill_switch)?,
        })
    }

    /// Returns the action with this name.
    pub(crate) fn action(&self, name: &str) -> Option<&ActionNodes<'n>> {
        self.actions.iter().find(|action| action.name.value == name)
    }

    /// Returns the environment variable with this name.
    pub(crate) fn env_var(&self, name: &str) -> Option<&EnvVar<'n>> {
        self.env.iter().map(|variable| &variable.value).find(|variable| variable.name == name)
    }
}

impl<'n> ActionNodes<'n> {
    /// Returns the resources that the action declares in `scopes_used`.
    pub(crate) fn scopes_used(&self) -> impl Iterator<Item = Node<'n>> {
        self.scopes_used.into_iter().flat_map(Node::elements)
    }
}

impl<'n> Decode<'n> for ActionNodes<'n> {
    fn decode(node: Node<'n>) -> Option<Self> {
        let names = ["name", "docs", "invocation", "input", "output", "scopes_used"];
        let [name, docs, invocation, input, output, scopes_used] = members(node, &names)?;
        let (name, invocation) = (required(name)?, required(invocation)?);
        Some(Self { node, name, docs, invocation, input, output, scopes_used })
    }
}

impl<'n> Decode<'n> for InvocationNodes<'n> {
    fn decode(node: Node<'n>) -> Option<Self> {
        Some(match node.get("kind")?.text()?.as_ref() {
            "subcommand" | "stdin-json" => {
                Self::Program { argv_template: node.get("argv_template") }
            }
            "http" => {
                Self::Http { path: required(node.get("path"))?, headers: node.get("headers") }
            }
            "mcp-tool" => Self::McpTool,
            _ => return None,
        })
    }
}

/// Returns the value at a path below a node, or its nearest ancestor that exists.
pub(crate) fn nearest_node<'n>(node: Node<'n>, path: &[&str]) -> Node<'n> {
    let mut found = node;
    for name in path {
        match found.get(name) {
            Some(inside) => found = inside,
            None => break,
        }
    }
    found
}
