//! The nodes of a manifest that the semantic checks need.
//!
//! A typed document has no places, but a check must report one. So `ManifestNodes` keeps nodes, and
//! the few small values that all checks read.

use manifest_core::Text;
use manifest_core::json::Node;

use super::{EnvVar, KillSwitch, Runtime, Smoke, decode};
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

impl<'n, T> NodeValue<'n, T> {
    fn read(node: Node<'n>, read: impl FnOnce(Node<'n>) -> Option<T>) -> Option<Self> {
        read(node).map(|value| Self { value, node })
    }
}

impl<'n> ManifestNodes<'n> {
    /// Collects the nodes of a manifest. Returns `None` if a value that it reads is missing
    /// or has the wrong type; it does not read all of the manifest.
    pub(crate) fn from_node(node: Node<'n>, version: Version) -> Option<Self> {
        let [tool, runtime, env, scopes, actions, verify, data_boundary, smoke, kill_switch] =
            decode::members(
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
        let resource = |scope: Node<'n>| NodeValue::read(scope.get("resource")?, Node::text);
        Some(Self {
            node,
            version,
            tool: tool?,
            runtime: NodeValue::read(runtime?, Runtime::read)?,
            env: decode::list(env, |variable| NodeValue::read(variable, EnvVar::read))?,
            scopes: decode::list(scopes, resource)?,
            actions: decode::list(actions, ActionNodes::from_node)?,
            verify,
            data_boundary,
            smoke: NodeValue::read(smoke?, Smoke::read)?,
            kill_switch: NodeValue::read(kill_switch?, KillSwitch::read)?,
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
    fn from_node(node: Node<'n>) -> Option<Self> {
        let [name, docs, invocation, input, output, scopes_used] = decode::members(
            node,
            &["name", "docs", "invocation", "input", "output", "scopes_used"],
        )?;
        Some(Self {
            node,
            name: NodeValue::read(name?, Node::text)?,
            docs,
            invocation: NodeValue::read(invocation?, InvocationNodes::from_node)?,
            input,
            output,
            scopes_used,
        })
    }

    /// Returns the resources that the action declares in `scopes_used`.
    pub(crate) fn scopes_used(&self) -> impl Iterator<Item = Node<'n>> {
        self.scopes_used.into_iter().flat_map(Node::elements)
    }
}

impl<'n> InvocationNodes<'n> {
    fn from_node(node: Node<'n>) -> Option<Self> {
        Some(match node.get("kind")?.text()?.as_ref() {
            "subcommand" | "stdin-json" => {
                Self::Program { argv_template: node.get("argv_template") }
            }
            "http" => Self::Http {
                path: NodeValue::read(node.get("path")?, Node::text)?,
                headers: node.get("headers"),
            },
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
