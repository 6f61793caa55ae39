//! What a host is asked to do.
//!
//! A step is exact, and holds no value of a variable. One kind of step serves calls, checks,
//! installation and revocation.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt;

use manifest_core::url;
use serde::{Deserialize, Serialize};

use crate::text::{FillError, Template};

/// Something for a host to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
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
    /// Fetch a file, and keep it as a program when it is what it should be.
    Fetch(Download),
    /// Look for something that must be there already.
    Find(Sought),
    /// Show this to a person, who does it.
    Ask(Instructions),
}

/// A program to run, without a shell.
///
/// Its whole environment is what it [inherits](Self::inherit) and its
/// [variables](Self::variables). Write `stdin` to it and close that; with nothing to write,
/// close it at once.
///
/// Debugging shows how much is written, and not what: it is what a model said.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Program {
    /// The program and its arguments.
    pub argv: Vec<Template>,
    /// Where a program is looked for whose name is not absolute.
    pub base: Base,
    /// Where to run it, if not where the host is. A relative folder is below that of the
    /// manifest.
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

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { argv, base, cwd, inherit, variables, stdin } = self;
        let argv: Vec<String> = argv.iter().map(ToString::to_string).collect();
        let stdin = stdin.as_ref().map_or(0, String::len);
        f.debug_struct("Program")
            .field("argv", &argv)
            .field("base", base)
            .field("cwd", cwd)
            .field("inherit", inherit)
            .field("variables", variables)
            .field("stdin", &format_args!("{stdin} bytes"))
            .finish()
    }
}

impl Program {
    /// Its whole environment: what it inherits, unless that is empty, and the variables that
    /// have a value.
    pub fn environment<V: AsRef<OsStr>>(
        &self,
        inherited: &dyn Fn(&str) -> Option<V>,
        collected: &dyn Fn(&str) -> Option<V>,
    ) -> BTreeMap<&str, V> {
        let inherited = names(&self.inherit).filter_map(|name| {
            let value = inherited(name).filter(|value| !value.as_ref().is_empty());
            Some((name, value?))
        });
        let collected = names(&self.variables).filter_map(|name| Some((name, collected(name)?)));
        inherited.chain(collected).collect()
    }
}

/// An HTTP request to send.
///
/// Headers may carry secrets: a redirect to another host is not followed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
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
    pub body: Option<Template>,
}

/// A call of a tool of an MCP server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Nested {
    /// Its id.
    pub tool: String,
    /// The arguments: a JSON object.
    pub arguments: String,
}

/// A file to fetch.
///
/// It is kept where it is to go only if its SHA-256 is right, and can be run from then on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Download {
    /// Where from.
    pub url: String,
    /// Its SHA-256, in lower-case hexadecimal.
    pub sha256: String,
    /// Where to. A relative path is below the tool's folder.
    pub path: String,
}

impl Download {
    /// Whether these bytes are the file.
    ///
    /// ```
    /// let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    /// let (url, path) = ("https://example.com/tool".to_owned(), "tool".to_owned());
    /// let file = call::Download { url, sha256: sha256.to_owned(), path };
    /// assert!(file.is(b"abc") && !file.is(b"abd"));
    /// ```
    pub fn is(&self, bytes: &[u8]) -> bool {
        manifest_core::sha256_hex(bytes) == self.sha256
    }
}

/// Something that must be there already.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sought {
    /// What it is.
    pub what: What,
    /// What it is called.
    pub name: String,
}

/// What can be looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// A program on the search path.
    Program,
    /// An MCP server that the host knows.
    Server,
}

/// What a person is asked to do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Instructions {
    /// Where to read how.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// How.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
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
            Self::Send(_)
            | Self::CallTool(_)
            | Self::Call(_)
            | Self::Fetch(_)
            | Self::Find(_)
            | Self::Ask(_) => &[],
        };
        let passed = passed.iter().map(String::as_str);
        each_once(self.holes().into_iter().chain(passed))
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
                [&request.url].into_iter().chain(headers).chain(&request.body).collect()
            }
            Self::CallTool(_)
            | Self::Node(_)
            | Self::Python(_)
            | Self::Call(_)
            | Self::Fetch(_)
            | Self::Find(_)
            | Self::Ask(_) => Vec::new(),
        };
        each_once(texts.into_iter().flat_map(Template::variables))
    }
}

/// The names that an environment can have.
fn names(names: &[String]) -> impl Iterator<Item = &str> {
    let is_one = |name: &&str| !name.is_empty() && !name.contains(['=', '\0']);
    names.iter().map(String::as_str).filter(is_one)
}

/// Each name once, in order.
fn each_once<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut seen = BTreeSet::new();
    names.filter(|name| seen.insert(*name)).collect()
}
