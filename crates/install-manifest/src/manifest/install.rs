//! Installation of a tool.

use manifest_core::Text;
use manifest_core::json::Node;
use serde::Serialize;

use super::decode;
use crate::enums::Layout;

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

impl<'a> Install<'a> {
    pub(super) fn read(node: Node<'a>) -> Option<Self> {
        let text = |name| node.get(name)?.text();
        let maybe = |name| decode::text(node.get(name));
        Some(match text("method")?.as_ref() {
            "pip" => Self::Pip { package: text("package")?, version_spec: maybe("version_spec")? },
            "npm" => Self::Npm { package: text("package")?, version_spec: maybe("version_spec")? },
            "git" => Self::Git {
                url: text("url")?,
                reference: text("ref")?,
                subpath: maybe("subpath")?,
                layout: decode::optional(node.get("layout"), |node| {
                    decode::word(node, Layout::from_word)
                })?,
            },
            "container" => Self::Container { image: text("image")? },
            "url" => Self::Url { url: text("url")?, sha256: text("sha256")? },
            "preinstalled" => Self::Preinstalled { locator: Locator::read(node.get("locator")?)? },
            _ => return None,
        })
    }
}

impl<'a> Locator<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let text = |name| node.get(name)?.text();
        Some(match text("kind")?.as_ref() {
            "python-module" => Self::PythonModule { module: text("module")? },
            "binary-on-path" => Self::BinaryOnPath { binary: text("binary")? },
            "mcp-server-id" => Self::McpServerId { server_id: text("server_id")? },
            _ => return None,
        })
    }
}
