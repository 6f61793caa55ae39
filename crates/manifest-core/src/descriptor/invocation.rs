//! How a tool is called, and how its program gets there.

use serde::{Deserialize, Serialize};

use crate::json::{Number, Raw, present};
use crate::keyed::Keyed;
use crate::read::Text;

/// How a tool is called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(clippy::exhaustive_enums)]
pub enum Invocation<'a> {
    /// A program, without a shell.
    Command {
        /// The program and its fixed arguments.
        argv: Vec<Text<'a>>,
        /// The working directory.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cwd: Option<Text<'a>>,
        /// How the arguments of a call reach it.
        input: CommandInput<'a>,
    },
    /// A program given as one line, which a shell would have to split.
    CommandLine {
        /// The line.
        line: Text<'a>,
    },
    /// An HTTP request.
    Http {
        /// The method.
        method: Text<'a>,
        /// The URL, or the base URL when there is a path.
        url: Text<'a>,
        /// A template to append to the URL.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<Text<'a>>,
        /// Headers, as templates.
        #[serde(default, skip_serializing_if = "Keyed::is_empty")]
        headers: Keyed<'a, Text<'a>>,
    },
    /// A tool of an MCP server.
    McpTool {
        /// Its name there.
        tool: Text<'a>,
        /// The command that starts the server.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        argv: Vec<Text<'a>>,
        /// The server's URL, or that of the registry that knows it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        url: Option<Text<'a>>,
        /// The server's name in the registry.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server: Option<Text<'a>>,
    },
    /// A Python function.
    Python {
        /// `module:function`
        callable: Text<'a>,
    },
    /// An export of a Node module.
    Node {
        /// The file in the bundle.
        main: Text<'a>,
        /// The export.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        export: Option<Text<'a>>,
    },
    /// An agent that speaks A2A.
    A2a {
        /// Its URL.
        endpoint: Text<'a>,
    },
}

/// How the arguments of a call reach a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(clippy::exhaustive_enums)]
pub enum CommandInput<'a> {
    /// As JSON on standard input.
    Stdin,
    /// As JSON, in one more argument.
    Argument,
    /// In arguments built from these templates.
    Templates(Vec<Text<'a>>),
    /// The format does not say.
    Unstated,
}

/// One way to call a tool, for the hosts that it fits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::exhaustive_structs)]
pub struct Implementation<'a> {
    /// Identifies it within the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Text<'a>>,
    /// The programming language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Text<'a>>,
    /// What it runs on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<Text<'a>>,
    /// The platforms that it fits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub platforms: Vec<Text<'a>>,
    /// What the host must have, as written.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub requirements: Option<Raw<'a>>,
    /// How it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invocation: Option<Invocation<'a>>,
    /// How long a call may take, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<Number<'a>>,
}

/// One step of a chain.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::exhaustive_structs)]
pub struct Step<'a> {
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Text<'a>>,
    /// The tool that it calls.
    pub tool: Text<'a>,
    /// For each argument, the JSONPath of its value.
    #[serde(skip_serializing_if = "Keyed::is_empty")]
    pub input_mapping: Keyed<'a, Text<'a>>,
    /// The name that its output goes by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_key: Option<Text<'a>>,
}

/// How a tool's program is installed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(clippy::exhaustive_enums)]
pub enum Acquisition<'a> {
    /// With pip.
    Pip {
        /// The package.
        package: Text<'a>,
        /// The version specifier.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version_spec: Option<Text<'a>>,
    },
    /// With npm.
    Npm {
        /// The package.
        package: Text<'a>,
        /// The version range.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version_spec: Option<Text<'a>>,
    },
    /// From a git repository.
    Git {
        /// The repository.
        url: Text<'a>,
        /// Tag, branch or commit.
        reference: Text<'a>,
        /// A folder inside.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        subpath: Option<Text<'a>>,
        /// What the repository holds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        layout: Option<Text<'a>>,
    },
    /// As a container image.
    Container {
        /// The image reference.
        image: Text<'a>,
    },
    /// As one file.
    Download {
        /// Where from.
        url: Text<'a>,
        /// Its SHA-256.
        sha256: Text<'a>,
    },
    /// It is there already.
    Preinstalled {
        /// How to find it, as written.
        locator: Raw<'a>,
    },
}
