//! What a host is asked to do, and what came of it: the words that calls, smoke
//! tests and revocations share.
//!
//! A plan is exact. A program is a list of arguments and never a line for a
//! shell; a request has its URL, headers and body as they go out. Printing a plan
//! masks the secrets in it.

use install_manifest::{EnvVar, Manifest, Method, RuntimeKind};
use manifest_core::Pointer;
use serde::Serialize;

use crate::http;

pub mod rules;

pub use crate::values::{Sensitive, Values};

/// Something for the host to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
#[allow(clippy::exhaustive_enums)] // hosts must handle every one
pub enum Step {
    /// Run a program.
    Run(Program),
    /// Send an HTTP request.
    Send(Request),
    /// Call a tool of an MCP server.
    CallTool(ToolCall),
}

/// A program to run, without a shell.
///
/// Give it `env` on top of what every program gets. Write `stdin` to it and close
/// that; with nothing to write, close it at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Program {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// Where to run it, if not where the host is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The variables that were collected for the tool.
    #[serde(skip_serializing_if = "Values::is_empty")]
    pub env: Values,
    /// What to write to its standard input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
}

/// An HTTP request to send.
///
/// Headers may carry secrets: do not follow a redirect to another host with them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Request {
    /// The method.
    pub method: Method,
    /// Where to.
    pub url: String,
    /// Names and values, in order.
    pub headers: Vec<(String, Sensitive)>,
    /// The body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<Sensitive>,
}

/// A call of a tool of an MCP server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ToolCall {
    /// The server.
    pub server: Server,
    /// The tool.
    pub tool_name: String,
    /// The arguments: a JSON object.
    pub arguments: String,
}

/// How to reach an MCP server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "transport", rename_all = "kebab-case")]
#[allow(clippy::exhaustive_enums)] // the two transports of the format
pub enum Server {
    /// Start this program, and speak over its standard input and output.
    Stdio(Program),
    /// Speak over HTTP.
    Http {
        /// Where to.
        url: String,
    },
}

/// What came of a [`Step`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums)] // hosts write them; there is no other way to end
pub enum Outcome<'o> {
    /// The program ended.
    Exited {
        /// Its exit code, unless a signal ended it.
        code: Option<i32>,
        /// What it wrote to its standard output.
        stdout: &'o [u8],
        /// What it wrote to its standard error.
        stderr: &'o [u8],
    },
    /// The server answered.
    Responded {
        /// The status.
        status: u16,
        /// The body.
        body: &'o [u8],
    },
    /// The MCP server answered.
    Returned {
        /// Its `CallToolResult`, as JSON.
        result: &'o str,
    },
    /// Nothing came in time.
    TimedOut,
    /// It could not be done at all, for this reason: there is no such program, or
    /// no connection.
    NotDone(&'o str),
}

impl Program {
    pub(crate) fn new(argv: Vec<String>, env: Values) -> Self {
        Self { argv, cwd: None, env, stdin: None }
    }
}

/// The program that a manifest starts, or the reason why there is none.
pub(crate) fn entrypoint(
    manifest: &Manifest<'_>,
    values: &Values,
) -> Result<Program, manifest_core::Diagnostic> {
    let at = |place: &str| Pointer::parse(place).unwrap_or_default();
    let Some(entrypoint) = &manifest.runtime.entrypoint else {
        let message = "there is no \"entrypoint\" to run";
        return Err(install_manifest::rules::ACTION_RUNTIME.at_pointer(at("/runtime"), message));
    };
    let texts = entrypoint.command.iter().chain(&entrypoint.cwd);
    let place = at("/runtime/entrypoint/command");
    if entrypoint.command.is_empty() || entrypoint.command.iter().any(|part| part.contains('\0')) {
        let message = "a command must name a program, and must not hold a NUL";
        return Err(install_manifest::rules::CONTROL_CHARACTER.at_pointer(place, message));
    }
    // Nothing is put in here, and a program would get the reference as text.
    if texts.clone().any(|text| text.contains("${")) {
        let message = "there are no templates in the entrypoint";
        return Err(install_manifest::rules::TEMPLATE.at_pointer(place, message));
    }
    let argv = entrypoint.command.iter().map(|part| part.clone().into_owned()).collect();
    let cwd = entrypoint.cwd.as_ref().map(|cwd| cwd.clone().into_owned());
    Ok(Program { cwd, ..Program::new(argv, declared(&manifest.env, values)) })
}

/// The MCP server of a manifest, or the reason why there is none.
pub(crate) fn server(
    manifest: &Manifest<'_>,
    values: &Values,
) -> Result<Server, manifest_core::Diagnostic> {
    let at = |place: &str| Pointer::parse(place).unwrap_or_default();
    match manifest.runtime.kind {
        RuntimeKind::McpStdio => entrypoint(manifest, values).map(Server::Stdio),
        RuntimeKind::McpHttp => {
            let Some(url) = &manifest.runtime.endpoint_url else {
                let message = "there is no \"endpoint_url\" to call";
                return Err(
                    install_manifest::rules::ACTION_RUNTIME.at_pointer(at("/runtime"), message)
                );
            };
            http::check(url).map_err(|error| {
                install_manifest::rules::URL.at_pointer(at("/runtime/endpoint_url"), error)
            })?;
            Ok(Server::Http { url: url.clone().into_owned() })
        }
        _ => {
            let message = "only an MCP runtime has tools to call";
            Err(install_manifest::rules::ACTION_RUNTIME.at_pointer(at("/runtime/kind"), message))
        }
    }
}

/// The values that the manifest declares: a tool gets no others.
pub(crate) fn declared(env: &[EnvVar<'_>], values: &Values) -> Values {
    let mut declared = Values::default();
    for variable in env {
        if let Some(value) = values.get(&variable.name) {
            let secret = variable.secret && !value.is_secret();
            let value = if secret { Sensitive::secret(value.expose()) } else { value.clone() };
            declared.insert(variable.name.as_ref(), value);
        }
    }
    declared
}
