//! What runs a tool.

use manifest_core::Text;
use manifest_core::json::Node;
use serde::Serialize;

use super::install::Install;
use super::take;
use crate::words::RuntimeKind;

/// How a tool gets there, and how it is called.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Runtime<'a> {
    /// What runs it.
    pub kind: RuntimeKind,
    /// How it gets there.
    pub install: Install<'a>,
    /// The program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entrypoint: Option<Entrypoint<'a>>,
    /// The server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoint_url: Option<Text<'a>>,
}

/// The program that an action's arguments are appended to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Entrypoint<'a> {
    /// The program and its first arguments.
    pub command: Vec<Text<'a>>,
    /// The working directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<Text<'a>>,
}

impl<'a> Runtime<'a> {
    pub(super) fn read(node: Node<'a>) -> Option<Self> {
        let [kind, install, entrypoint, endpoint_url] =
            take::members(node, &["kind", "install", "entrypoint", "endpoint_url"])?;
        Some(Self {
            kind: take::word(kind?, RuntimeKind::from_word)?,
            install: Install::read(install?)?,
            entrypoint: take::maybe(entrypoint, Entrypoint::read)?,
            endpoint_url: take::text(endpoint_url)?,
        })
    }
}

impl<'a> Entrypoint<'a> {
    pub(super) fn read(node: Node<'a>) -> Option<Self> {
        let [command, cwd] = take::members(node, &["command", "cwd"])?;
        Some(Self { command: take::texts(Some(command?))?, cwd: take::text(cwd)? })
    }
}
