//! The calls of a tool, and the installation of its program.
//!
//! The way that arguments travel is part of the call, even if a format only implies it. A
//! program that reads arguments from standard input is a different call than the same
//! program without them.

use serde::{Deserialize, Serialize};

use super::shared_argv::SharedArgv;
use crate::provenance::Sourced;
use json_text::{KeyedList, Number, Raw, Text, deserialize_present};

/// A way to call a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Invocation<'a> {
    /// A program, without a shell.
    Command(Command<'a>),
    /// A program given as one line, which a shell would have to split. The arguments of a
    /// call are appended as JSON, in one argument.
    CommandLine(Sourced<Text<'a>>),
    /// An HTTP request.
    Http(Http<'a>),
    /// A tool of an MCP server.
    McpTool(McpTool<'a>),
    /// A tool whose server a registry knows: a GET to the registry, then a POST to the
    /// server. This is not MCP.
    RegistryTool(RegistryTool<'a>),
    /// A Python function, `module:function`.
    Python(Sourced<Text<'a>>),
    /// An export of a Node module.
    Node(Node<'a>),
    /// An agent that speaks A2A, at a URL.
    A2a(Sourced<Text<'a>>),
}

/// A program, without a shell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Command<'a> {
    /// The program and its fixed arguments.
    pub argv: SharedArgv<'a>,
    /// The working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<Sourced<Text<'a>>>,
    /// The way that the arguments of a call reach the program.
    pub input: CommandInput<'a>,
}

/// The way that the arguments of a call reach a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CommandInput<'a> {
    /// Not at all, except that a list of strings named `argv_extra` is appended.
    /// Standard input is empty.
    Extra,
    /// As JSON on standard input.
    Stdin,
    /// As JSON, in one more argument.
    Argument,
    /// In arguments built from these templates.
    Templates(Vec<Sourced<Text<'a>>>),
    /// In arguments built from these templates, and as JSON on standard input.
    TemplatesAndStdin(Vec<Sourced<Text<'a>>>),
}

impl<'a> CommandInput<'a> {
    /// Returns the argument templates, if there are any.
    pub fn templates(&self) -> &[Sourced<Text<'a>>] {
        match self {
            Self::Templates(words) | Self::TemplatesAndStdin(words) => words,
            Self::Extra | Self::Stdin | Self::Argument => &[],
        }
    }
}

/// An HTTP request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Http<'a> {
    /// The method.
    pub method: Sourced<Text<'a>>,
    /// The URL or, if there is a path, its beginning.
    pub url: Sourced<Text<'a>>,
    /// The rest of the URL, which may be a template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Sourced<Text<'a>>>,
    /// Headers, as templates.
    #[serde(default, skip_serializing_if = "KeyedList::is_empty")]
    pub headers: KeyedList<'a, Sourced<Text<'a>>>,
    /// The body.
    pub body: Body,
}

impl Http<'_> {
    /// Returns the URL followed by the path.
    pub fn full_url(&self) -> String {
        match &self.path {
            Some(path) => format!("{}{}", self.url.value, path.value),
            None => self.url.to_string(),
        }
    }
}

/// The body of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// All arguments as JSON, for every method.
    Whole,
    /// The arguments that are not in the path, as JSON. GET, DELETE and HEAD have no body.
    Rest,
}

fn is_empty_argv(words: &SharedArgv<'_>) -> bool {
    words.is_empty()
}

/// A tool of an MCP server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct McpTool<'a> {
    /// The tool's name on the server.
    pub tool: Sourced<Text<'a>>,
    /// The command that starts the server.
    #[serde(default, skip_serializing_if = "is_empty_argv")]
    pub argv: SharedArgv<'a>,
    /// The working directory of the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<Sourced<Text<'a>>>,
    /// The server's URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<Sourced<Text<'a>>>,
}

/// A tool whose server a registry knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RegistryTool<'a> {
    /// The URL of the registry.
    pub registry: Sourced<Text<'a>>,
    /// The name of the tool.
    pub tool: Sourced<Text<'a>>,
    /// The server's name in the registry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<Sourced<Text<'a>>>,
}

/// An export of a Node module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Node<'a> {
    /// The file in the bundle.
    pub main: Sourced<Text<'a>>,
    /// The export.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub export: Option<Sourced<Text<'a>>>,
}

/// The header that authenticates a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Credential<'t, 'a> {
    /// The name of the header.
    pub header: &'static str,
    /// The text before the secret.
    pub prefix: &'static str,
    /// The variables that may contain the secret. The first one with a value is used.
    pub variables: Vec<&'t Sourced<Text<'a>>>,
}

/// One way to call a tool, on the platforms that it supports.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Implementation<'a> {
    /// The id, unique within the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Sourced<Text<'a>>>,
    /// The programming language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Sourced<Text<'a>>>,
    /// The runtime that it requires.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<Sourced<Text<'a>>>,
    /// The platforms that it supports.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub platforms: Vec<Sourced<Text<'a>>>,
    /// The requirements on the host, as written.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "deserialize_present")]
    pub requirements: Option<Sourced<Raw<'a>>>,
    /// The call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invocation: Option<Sourced<Invocation<'a>>>,
    /// The time-out of a call, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<Sourced<Number<'a>>>,
}

/// One step of a chain.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Step<'a> {
    /// The name of the step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Sourced<Text<'a>>>,
    /// The tool that it calls.
    pub tool: Sourced<Text<'a>>,
    /// The JSONPath of the value of each argument.
    #[serde(skip_serializing_if = "KeyedList::is_empty")]
    pub input_mapping: KeyedList<'a, Sourced<Text<'a>>>,
    /// The name under which later steps find its output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_key: Option<Sourced<Text<'a>>>,
}

/// The installation of a tool's program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Acquisition<'a> {
    /// With pip.
    Pip {
        /// The package.
        package: Sourced<Text<'a>>,
        /// The version specifier.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version_spec: Option<Sourced<Text<'a>>>,
    },
    /// With npm.
    Npm {
        /// The package.
        package: Sourced<Text<'a>>,
        /// The version range.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version_spec: Option<Sourced<Text<'a>>>,
    },
    /// From a git repository.
    Git {
        /// The repository.
        url: Sourced<Text<'a>>,
        /// Tag, branch or commit.
        reference: Sourced<Text<'a>>,
        /// A folder inside.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        subpath: Option<Sourced<Text<'a>>>,
        /// The layout of the repository.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        layout: Option<Sourced<Text<'a>>>,
    },
    /// As a container image.
    Container {
        /// The image reference.
        image: Sourced<Text<'a>>,
    },
    /// As one file.
    Download {
        /// The URL.
        url: Sourced<Text<'a>>,
        /// The SHA-256 digest of the file.
        sha256: Sourced<Text<'a>>,
    },
    /// Not at all: the program is on the machine already.
    Preinstalled {
        /// The way to find it, as written.
        locator: Sourced<Raw<'a>>,
    },
}

impl Acquisition<'_> {
    /// Returns a short description of the installation, or `None` if the program is on the
    /// machine already.
    pub fn summary(&self) -> Option<String> {
        let (installer, package, version) = match self {
            Self::Pip { package, version_spec } => ("pip", package, version_spec),
            Self::Npm { package, version_spec } => ("npm", package, version_spec),
            Self::Git { url, reference, subpath: _, layout: _ } => {
                return Some(format!("git: {} at {}", url.value, reference.value));
            }
            Self::Container { image } => ("container", image, &None),
            Self::Download { url, sha256: _ } => ("download", url, &None),
            Self::Preinstalled { locator: _ } => return None,
        };
        Some(match version {
            Some(version) => format!("{installer}: {} {}", package.value, version.value),
            None => format!("{installer}: {}", package.value),
        })
    }
}
