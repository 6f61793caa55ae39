//! How a tool gets there.

use manifest_core::Text;
use manifest_core::json::Node;
use serde::Serialize;

use super::take;
use crate::words::Layout;

/// How a tool gets there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "method", rename_all = "kebab-case")]
pub enum Install<'a> {
    /// With pip.
    Pip {
        /// The package.
        package: Text<'a>,
        /// The version specifier, such as `>=1.2,<2`.
        #[serde(skip_serializing_if = "Option::is_none")]
        version_spec: Option<Text<'a>>,
    },
    /// With npm.
    Npm {
        /// The package.
        package: Text<'a>,
        /// The version range, such as `^1.2.3`.
        #[serde(skip_serializing_if = "Option::is_none")]
        version_spec: Option<Text<'a>>,
    },
    /// From a git repository.
    Git {
        /// The repository.
        url: Text<'a>,
        /// Tag, branch or commit.
        #[serde(rename = "ref")]
        reference: Text<'a>,
        /// A folder inside.
        #[serde(skip_serializing_if = "Option::is_none")]
        subpath: Option<Text<'a>>,
        /// What the repository holds (0.3.1).
        #[serde(skip_serializing_if = "Option::is_none")]
        layout: Option<Layout>,
    },
    /// As a container image.
    Container {
        /// The image reference.
        image: Text<'a>,
    },
    /// As one file.
    Url {
        /// Where from.
        url: Text<'a>,
        /// Its SHA-256, in lower-case hexadecimal.
        sha256: Text<'a>,
    },
    /// It is there already (0.4).
    Preinstalled {
        /// How to find it.
        locator: Locator<'a>,
    },
}

/// How to find a tool that is there already.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Locator<'a> {
    /// A Python module that can be imported.
    PythonModule {
        /// Its name.
        module: Text<'a>,
    },
    /// A program on the search path.
    BinaryOnPath {
        /// Its name.
        binary: Text<'a>,
    },
    /// An MCP server that the host knows.
    McpServerId {
        /// Its id there.
        server_id: Text<'a>,
    },
}

impl<'a> Install<'a> {
    pub(super) fn read(node: Node<'a>) -> Option<Self> {
        let text = |name| node.get(name)?.text();
        let maybe = |name| take::text(node.get(name));
        Some(match text("method")?.as_ref() {
            "pip" => Self::Pip { package: text("package")?, version_spec: maybe("version_spec")? },
            "npm" => Self::Npm { package: text("package")?, version_spec: maybe("version_spec")? },
            "git" => Self::Git {
                url: text("url")?,
                reference: text("ref")?,
                subpath: maybe("subpath")?,
                layout: take::maybe(node.get("layout"), |node| {
                    take::word(node, Layout::from_word)
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
