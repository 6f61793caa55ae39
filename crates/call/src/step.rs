//! What a host is asked to do.
//!
//! A step is exact, and holds no value of a variable. One kind of step serves calls, checks,
//! installation and revocation.

use manifest_core::url;
use serde::{Deserialize, Serialize};

use crate::text::{FillError, Template};

/// Something for a host to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Step {
    /// Run a program, without a shell.
    Run(Program),
    /// Send an HTTP request.
    Send(Request),
    /// Call a tool of an MCP server.
    CallTool(ToolCall),
    /// Call an export of a Node module, in a process of its own.
    Node(Module),
    /// Call a Python function, in a process of its own.
    Python(Module),
    /// Call another tool, by its id, with these arguments.
    Call(Nested),
}

/// A program to run, without a shell.
///
/// Its whole environment is what it [inherits](Self::inherit) and its
/// [variables](Self::variables). Write `stdin` to it and close that; with nothing to write,
/// close it at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Program {
    /// The program and its arguments.
    pub argv: Vec<Template>,
    /// Where a program is looked for whose name is not absolute.
    pub base: Base,
    /// Where to run it, if not where the host is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Variables of the host's own environment that are passed on, where they are set.
    pub inherit: Vec<String>,
    /// Variables that were collected for the tool, and are passed by their names.
    pub variables: Vec<String>,
    /// What to write to its standard input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
}

pub use manifest_core::format::Base;

/// An HTTP request to send.
///
/// Headers may carry secrets: a redirect to another host is not followed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The method, in upper case.
    pub method: String,
    /// Where to.
    pub url: Template,
    /// Names and values, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, Template)>,
    /// The body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

/// A call of a tool of an MCP server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolCall {
    /// The server.
    pub server: Server,
    /// The tool.
    pub tool: String,
    /// The arguments: a JSON object.
    pub arguments: String,
}

/// How to reach an MCP server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "transport", rename_all = "kebab-case")]
pub enum Server {
    /// Start this program, and speak over its standard input and output.
    Stdio(Program),
    /// Speak over HTTP.
    Http {
        /// Where to.
        url: String,
    },
}

/// A function in a module of another language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Module {
    /// The file below the manifest's folder, or the name that is imported.
    pub module: String,
    /// The functions that are looked for, best first.
    pub exports: Vec<String>,
    /// The arguments: a JSON object.
    pub arguments: String,
    /// The name that the function is told it has.
    pub tool: String,
    /// Variables that the function is given by their names.
    pub variables: Vec<String>,
}

/// A call of another tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nested {
    /// Its id.
    pub tool: String,
    /// The arguments: a JSON object.
    pub arguments: String,
}

impl Request {
    /// Where it goes, with values: for the one who sends it, and nobody else.
    pub fn filled_url<'v>(
        &self,
        value: &dyn Fn(&str) -> Option<&'v str>,
    ) -> Result<String, FillError> {
        let url = self.url.fill(value)?;
        check_url(&url).map_err(FillError::Url)?;
        Ok(url)
    }
}

/// Whether a request can be sent to a URL, and stays where it was meant to go.
pub(crate) fn check_url(text: &str) -> Result<(), String> {
    let url = url::check_http(text).map_err(|error| error.about(text))?;
    let path = url.path.split(['?', '#']).next().unwrap_or_default();
    let plain = |segment: &str| segment.replace("%2e", ".").replace("%2E", ".");
    // Encoding cannot save these: they mean the same when encoded.
    if path.split('/').any(|segment| matches!(plain(segment).as_str(), "." | "..")) {
        return Err("a segment of the path is \".\" or \"..\"".to_owned());
    }
    if text.contains(['#', '\\']) {
        return Err("a URL that is sent to has no fragment and no backslash".to_owned());
    }
    Ok(())
}

impl Step {
    /// The variables whose values it needs, each once, in order.
    pub fn variables(&self) -> Vec<&str> {
        let passed: &[String] = match self {
            Self::Run(program)
            | Self::CallTool(ToolCall { server: Server::Stdio(program), .. }) => &program.variables,
            Self::Node(module) | Self::Python(module) => &module.variables,
            Self::Send(_) | Self::CallTool(_) | Self::Call(_) => &[],
        };
        let mut found = self.holes();
        for name in passed {
            if !found.contains(&name.as_str()) {
                found.push(name);
            }
        }
        found
    }

    /// The variables that its texts have holes for, each once, in order.
    pub fn holes(&self) -> Vec<&str> {
        let texts: Vec<&Template> = match self {
            Self::Run(program)
            | Self::CallTool(ToolCall { server: Server::Stdio(program), .. }) => {
                program.argv.iter().collect()
            }
            Self::Send(request) => {
                let headers = request.headers.iter().map(|(_, value)| value);
                [&request.url].into_iter().chain(headers).collect()
            }
            Self::CallTool(_) | Self::Node(_) | Self::Python(_) | Self::Call(_) => Vec::new(),
        };
        let mut found: Vec<&str> = Vec::new();
        for name in texts.into_iter().flat_map(Template::variables) {
            if !found.contains(&name) {
                found.push(name);
            }
        }
        found
    }
}
