//! The runtime of a tool.

use manifest_core::Text;
use manifest_core::json::Node;
use serde::Serialize;

use super::decode;
use super::install::Install;
use crate::enums::RuntimeKind;

/// How a tool is installed and started.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Runtime<'a> {
    /// The kind of runtime.
    pub kind: RuntimeKind,
    /// How the tool is installed.
    pub install: Install<'a>,
    /// The program to start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entrypoint: Option<Entrypoint<'a>>,
    /// The URL of the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoint_url: Option<Text<'a>>,
}

/// The program that the arguments of an action are appended to.
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
            decode::members(node, &["kind", "install", "entrypoint", "endpoint_url"])?;
        Some(Self {
            kind: decode::word(kind?, RuntimeKind::from_word)?,
            install: Install::read(install?)?,
            entrypoint: decode::optional(entrypoint, Entrypoint::read)?,
            endpoint_url: decode::text(endpoint_url)?,
        })
    }
}

impl<'a> Entrypoint<'a> {
    pub(super) fn read(node: Node<'a>) -> Option<Self> {
        let [command, cwd] = decode::members(node, &["command", "cwd"])?;
        Some(Self { command: decode::texts(Some(command?))?, cwd: decode::text(cwd)? })
    }
}
