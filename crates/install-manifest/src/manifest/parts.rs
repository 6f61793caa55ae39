//! A manifest taken apart: what the checks of meaning look at, and where it stands.
//!
//! A typed document holds everything and no places. The checks look at a part of it,
//! and have to say where. So this is what stays where it is: nodes, and the few small
//! values that all of the checks ask for.

use manifest_core::Text;
use manifest_core::json::Node;

use super::{EnvVar, KillSwitch, Runtime, Smoke, take};
use crate::words::Version;

/// A value that was read, and where it stands.
pub(crate) struct Placed<'n, T> {
    pub(crate) value: T,
    pub(crate) node: Node<'n>,
}

/// A manifest that has all it must have, with the right types.
pub(crate) struct Parts<'n> {
    pub(crate) node: Node<'n>,
    pub(crate) version: Version,
    pub(crate) tool: Node<'n>,
    pub(crate) runtime: Placed<'n, Runtime<'n>>,
    pub(crate) env: Vec<Placed<'n, EnvVar<'n>>>,
    /// The resources of scopes.
    pub(crate) scopes: Vec<Placed<'n, Text<'n>>>,
    pub(crate) actions: Vec<ActionParts<'n>>,
    pub(crate) verify: Option<Node<'n>>,
    pub(crate) data_boundary: Option<Node<'n>>,
    pub(crate) smoke: Placed<'n, Smoke<'n>>,
    pub(crate) kill_switch: Placed<'n, KillSwitch<'n>>,
}

/// Something that a tool can be asked to do.
pub(crate) struct ActionParts<'n> {
    pub(crate) node: Node<'n>,
    pub(crate) name: Placed<'n, Text<'n>>,
    pub(crate) docs: Option<Node<'n>>,
    pub(crate) invocation: Placed<'n, Call<'n>>,
    pub(crate) input: Option<Node<'n>>,
    pub(crate) output: Option<Node<'n>>,
    scopes_used: Option<Node<'n>>,
}

/// How an action is called.
pub(crate) enum Call<'n> {
    /// As a program, with these arguments.
    Program { argv_template: Option<Node<'n>> },
    /// With an HTTP request.
    Http { path: Placed<'n, Text<'n>>, headers: Option<Node<'n>> },
    /// As a tool of the MCP server.
    McpTool,
}

impl<'n, T> Placed<'n, T> {
    fn read(node: Node<'n>, read: impl FnOnce(Node<'n>) -> Option<T>) -> Option<Self> {
        read(node).map(|value| Self { value, node })
    }
}

impl<'n> Parts<'n> {
    /// Takes a manifest of a version apart. Gives nothing where something is missing
    /// or of the wrong type, and need not look at all of it.
    pub(crate) fn of(node: Node<'n>, version: Version) -> Option<Self> {
        let [tool, runtime, env, scopes, actions, verify, data_boundary, smoke, kill_switch] =
            take::members(
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
        let resource = |scope: Node<'n>| Placed::read(scope.get("resource")?, Node::text);
        Some(Self {
            node,
            version,
            tool: tool?,
            runtime: Placed::read(runtime?, Runtime::read)?,
            env: take::list(env, |variable| Placed::read(variable, EnvVar::read))?,
            scopes: take::list(scopes, resource)?,
            actions: take::list(actions, ActionParts::of)?,
            verify,
            data_boundary,
            smoke: Placed::read(smoke?, Smoke::read)?,
            kill_switch: Placed::read(kill_switch?, KillSwitch::read)?,
        })
    }

    /// The action of that name.
    pub(crate) fn action(&self, name: &str) -> Option<&ActionParts<'n>> {
        self.actions.iter().find(|action| action.name.value == name)
    }

    /// The environment variable of that name.
    pub(crate) fn env_var(&self, name: &str) -> Option<&EnvVar<'n>> {
        self.env.iter().map(|variable| &variable.value).find(|variable| variable.name == name)
    }
}

impl<'n> ActionParts<'n> {
    fn of(node: Node<'n>) -> Option<Self> {
        let [name, docs, invocation, input, output, scopes_used] =
            take::members(node, &["name", "docs", "invocation", "input", "output", "scopes_used"])?;
        Some(Self {
            node,
            name: Placed::read(name?, Node::text)?,
            docs,
            invocation: Placed::read(invocation?, Call::of)?,
            input,
            output,
            scopes_used,
        })
    }

    /// The resources that it says it uses.
    pub(crate) fn scopes_used(&self) -> impl Iterator<Item = Node<'n>> {
        self.scopes_used.into_iter().flat_map(Node::elements)
    }
}

impl<'n> Call<'n> {
    fn of(node: Node<'n>) -> Option<Self> {
        Some(match node.get("kind")?.text()?.as_ref() {
            "subcommand" | "stdin-json" => {
                Self::Program { argv_template: node.get("argv_template") }
            }
            "http" => Self::Http {
                path: Placed::read(node.get("path")?, Node::text)?,
                headers: node.get("headers"),
            },
            "mcp-tool" => Self::McpTool,
            _ => return None,
        })
    }
}

/// The value at a path below a node, or the nearest one around it.
pub(crate) fn nearest<'n>(node: Node<'n>, path: &[&str]) -> Node<'n> {
    let mut found = node;
    for name in path {
        match found.get(name) {
            Some(inside) => found = inside,
            None => break,
        }
    }
    found
}
