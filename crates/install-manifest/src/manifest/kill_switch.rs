//! Revocation of a tool.

use manifest_core::Text;
use manifest_core::json::Node;
use serde::Serialize;

use super::decode;

/// How a tool is revoked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum KillSwitch<'a> {
    /// The tool has no access that could be revoked (0.3.1).
    None {},
    /// Send a DELETE request.
    Url {
        /// The URL of the request.
        url: Text<'a>,
    },
    /// Run a program.
    Shell {
        /// The program and its arguments.
        command: Vec<Text<'a>>,
    },
    /// Revoke by hand. A valid document has one of the two members.
    Manual {
        /// The URL of the instructions.
        #[serde(skip_serializing_if = "Option::is_none")]
        instructions_url: Option<Text<'a>>,
        /// The instructions (0.3.1).
        #[serde(skip_serializing_if = "Option::is_none")]
        instructions: Option<Text<'a>>,
    },
}

impl<'a> KillSwitch<'a> {
    pub(super) fn read(node: Node<'a>) -> Option<Self> {
        let text = |name| node.get(name)?.text();
        Some(match text("kind")?.as_ref() {
            "none" => Self::None {},
            "url" => Self::Url { url: text("url")? },
            "shell" => Self::Shell { command: decode::texts(Some(node.get("command")?))? },
            "manual" => Self::Manual {
                instructions_url: decode::text(node.get("instructions_url"))?,
                instructions: decode::text(node.get("instructions"))?,
            },
            _ => return None,
        })
    }

    /// Returns the text of the kind.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::None {} => "none",
            Self::Url { .. } => "url",
            Self::Shell { .. } => "shell",
            Self::Manual { .. } => "manual",
        }
    }
}
