//! The runtime of a tool, its installation, and its variables.

use manifest_core::Text;
use manifest_core::json::Node;
use serde::Serialize;

use super::decode::{Decode, decode_members, optional, required};
use crate::enums::{Layout, RuntimeKind};

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

/// How a tool is installed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "method", rename_all = "kebab-case")]
pub enum Install<'a> {
    /// With pip.
    Pip {
        /// The package.
        package: Text<'a>,
        /// The version specifier, for example `>=1.2,<2`.
        #[serde(skip_serializing_if = "Option::is_none")]
        version_spec: Option<Text<'a>>,
    },
    /// With npm.
    Npm {
        /// The package.
        package: Text<'a>,
        /// The version range, for example `^1.2.3`.
        #[serde(skip_serializing_if = "Option::is_none")]
        version_spec: Option<Text<'a>>,
    },
    /// From a git repository.
    Git {
        /// The URL of the repository.
        url: Text<'a>,
        /// A tag, branch or commit.
        #[serde(rename = "ref")]
        reference: Text<'a>,
        /// A folder in the repository.
        #[serde(skip_serializing_if = "Option::is_none")]
        subpath: Option<Text<'a>>,
        /// The layout of the repository (0.3.1).
        #[serde(skip_serializing_if = "Option::is_none")]
        layout: Option<Layout>,
    },
    /// As a container image.
    Container {
        /// The image reference.
        image: Text<'a>,
    },
    /// As one downloaded file.
    Url {
        /// The URL of the file.
        url: Text<'a>,
        /// The SHA-256 of the file, in lower-case hexadecimal.
        sha256: Text<'a>,
    },
    /// Already installed (0.4).
    Preinstalled {
        /// How to find the tool.
        locator: Locator<'a>,
    },
}

/// How to find a preinstalled tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Locator<'a> {
    /// A Python module that can be imported.
    PythonModule {
        /// The name of the module.
        module: Text<'a>,
    },
    /// A program on the search path.
    BinaryOnPath {
        /// The name of the program.
        binary: Text<'a>,
    },
    /// An MCP server that the host knows.
    McpServerId {
        /// The id of the server on the host.
        server_id: Text<'a>,
    },
}

/// An environment variable to collect.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EnvVar<'a> {
    /// Its name.
    pub name: Text<'a>,
    /// The text that asks the user for the value.
    pub prompt: Text<'a>,
    /// True if the value is secret.
    pub secret: bool,
    /// Whether the tool needs the variable. Absent means `true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// ECMAScript pattern that the value must match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validation_regex: Option<Text<'a>>,
    /// The value if the user gives none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Text<'a>>,
    /// The URL where a user gets a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obtain_url: Option<Text<'a>>,
}

impl EnvVar<'_> {
    /// Returns true if the tool needs the variable.
    pub fn is_required(&self) -> bool {
        self.required.unwrap_or(true)
    }
}

decode_members!(Runtime<'a> {
    required kind, required install, optional entrypoint, optional endpoint_url
});
decode_members!(Entrypoint<'a> { required command, optional cwd });
decode_members!(EnvVar<'a> {
    required name, required prompt, required secret, optional required, optional validation_regex,
    optional default, optional obtain_url
});

impl<'a> Decode<'a> for Install<'a> {
    fn decode(node: Node<'a>) -> Option<Self> {
        Some(match node.get("method")?.text()?.as_ref() {
            "pip" => Self::Pip {
                package: required(node.get("package"))?,
                version_spec: optional(node.get("version_spec"))?,
            },
            "npm" => Self::Npm {
                package: required(node.get("package"))?,
                version_spec: optional(node.get("version_spec"))?,
            },
            "git" => Self::Git {
                url: required(node.get("url"))?,
                reference: required(node.get("ref"))?,
                subpath: optional(node.get("subpath"))?,
                layout: optional(node.get("layout"))?,
            },
            "container" => Self::Container { image: required(node.get("image"))? },
            "url" => {
                Self::Url { url: required(node.get("url"))?, sha256: required(node.get("sha256"))? }
            }
            "preinstalled" => Self::Preinstalled { locator: required(node.get("locator"))? },
            _ => return None,
        })
    }
}

impl<'a> Decode<'a> for Locator<'a> {
    fn decode(node: Node<'a>) -> Option<Self> {
        Some(match node.get("kind")?.text()?.as_ref() {
            "python-module" => Self::PythonModule { module: required(node.get("module"))? },
            "binary-on-path" => Self::BinaryOnPath { binary: required(node.get("binary"))? },
            "mcp-server-id" => Self::McpServerId { server_id: required(node.get("server_id"))? },
            _ => return None,
        })
    }
}
