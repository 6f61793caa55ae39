//! Steps: the actions of a host.
//!
//! A step is exact, and contains no values of variables. The same steps serve calls,
//! checks, installation and revocation.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt;

use manifest_core::url;
use serde::{Deserialize, Serialize};

use crate::http::FRAMING;
use crate::template::{FillError, Template};

/// An action for a host.
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
    /// Call an export of a Node module, in a separate process.
    Node(ModuleCall),
    /// Call a Python function, in a separate process.
    Python(ModuleCall),
    /// Call another tool, by its id, with these arguments.
    Call(NestedCall),
    /// Fetch a file, and store it as a program if its digest matches.
    Fetch(Download),
    /// Look for a program or a server that must exist already.
    Find(FindTarget),
    /// Show instructions to a person, who follows them.
    Ask(Instructions),
}

/// A program to run, without a shell.
///
/// The [inherited](Self::inherit) and the [collected](Self::variables) variables are its
/// whole environment. The host writes `stdin` to its standard input and then closes the
/// input. If there is nothing to write, the host closes the input at once.
///
/// The `Debug` output shows only the length of `stdin`, because a model wrote the text.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Program {
    /// The program and its arguments.
    pub argv: Vec<Template>,
    /// The place to search for a program whose path is not absolute.
    pub base: ProgramSearch,
    /// The working directory, if it is not that of the host. A relative path is below the
    /// manifest's folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Variables of the host's own environment that are passed on if they are set.
    pub inherit: Vec<String>,
    /// Variables that were collected for the tool, and are passed under their own names.
    pub variables: Vec<String>,
    /// The text for its standard input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
}

pub use manifest_core::format::ProgramSearch;

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
    /// Returns the program and its arguments with their values, which only the program should
    /// see. Fails if a value is missing or not allowed.
    pub fn fill_argv<'v>(
        &self,
        value: &dyn Fn(&str) -> Option<&'v str>,
    ) -> Result<Vec<String>, FillError> {
        let mut words = Vec::with_capacity(self.argv.len());
        for word in &self.argv {
            let filled = word.fill(value)?;
            if filled.contains('\0') {
                return Err(FillError::Nul);
            }
            words.push(filled);
        }
        Ok(words)
    }

    /// Returns the whole environment: inherited variables unless they are empty, and
    /// collected variables that have a value. A collected variable replaces an inherited
    /// one of the same name.
    pub fn environment<V: AsRef<OsStr>>(
        &self,
        inherited: &dyn Fn(&str) -> Option<V>,
        collected: &dyn Fn(&str) -> Option<V>,
    ) -> BTreeMap<&str, V> {
        let mut environment = BTreeMap::new();
        for name in valid_names(&self.inherit) {
            if let Some(value) = inherited(name)
                && !value.as_ref().is_empty()
            {
                environment.insert(name, value);
            }
        }
        for name in valid_names(&self.variables) {
            if let Some(value) = collected(name) {
                environment.insert(name, value);
            }
        }
        environment
    }
}

/// An HTTP request to send.
///
/// The sender must not follow redirects to another host, because headers may contain
/// secrets: see [`http::stays_on_host`](crate::http::stays_on_host).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The method, in upper case.
    pub method: String,
    /// The URL.
    pub url: Template,
    /// The names and values of the headers, in order.
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
    /// Start this program, and communicate over its standard input and output.
    Stdio(Program),
    /// Communicate over HTTP.
    Http {
        /// The URL of the server.
        url: String,
    },
}

/// A function in a module of another language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ModuleCall {
    /// The file below the manifest's folder, or the name to import.
    pub module: String,
    /// The possible names of the function, best first.
    pub exports: Vec<String>,
    /// The arguments: a JSON object.
    pub arguments: String,
    /// The name of the tool, which is passed to the function.
    pub tool: String,
    /// Variables whose values are passed to the function.
    pub variables: Vec<String>,
}

impl ModuleCall {
    /// Variables of the host's own environment that the runtime of a module inherits if they
    /// are set. It gets no others. Variables of the tool are passed to the function instead.
    pub const INHERITED: &'static [&'static str] =
        &["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR"];
}

/// A call of another tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NestedCall {
    /// The id of the tool.
    pub tool: String,
    /// The arguments: a JSON object.
    pub arguments: String,
}

/// A file to fetch.
///
/// The file is stored only if its SHA-256 matches, and becomes executable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Download {
    /// The URL of the file.
    pub url: String,
    /// Its SHA-256, in lower-case hexadecimal.
    pub sha256: String,
    /// The path to store it at. A relative path is below the tool's folder.
    pub path: String,
}

impl Download {
    /// Returns true if these bytes are the file.
    ///
    /// ```
    /// let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    /// let (url, path) = ("https://example.com/tool".to_owned(), "tool".to_owned());
    /// let file = toolglot_call::Download { url, sha256: sha256.to_owned(), path };
    /// assert!(file.matches(b"abc") && !file.matches(b"abd"));
    /// ```
    pub fn matches(&self, bytes: &[u8]) -> bool {
        manifest_core::sha256_hex(bytes) == self.sha256
    }
}

/// A program or a server that must exist already.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FindTarget {
    /// The kind of thing to look for.
    pub what: FindKind,
    /// Its name.
    pub name: String,
}

/// A kind of thing to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FindKind {
    /// A program on the search path.
    Program,
    /// An MCP server that is registered with the host.
    Server,
}

/// Instructions for a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Instructions {
    /// The URL of the instructions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The instructions as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Request {
    /// Returns the URL with its values, which only the server should see. Fails if a value
    /// is missing or not allowed, or if no request can be sent to the result.
    pub fn fill_url<'v>(
        &self,
        value: &dyn Fn(&str) -> Option<&'v str>,
    ) -> Result<String, FillError> {
        let url = self.url.fill(value)?;
        check_url(&url).map_err(FillError::Url)?;
        Ok(url)
    }

    /// Returns the headers with their values, which only the server should see, in order.
    /// Fails if a value is missing or not allowed, or if the client sets a header of that
    /// name itself.
    pub fn fill_headers<'v>(
        &self,
        value: &dyn Fn(&str) -> Option<&'v str>,
    ) -> Result<Vec<(&str, String)>, FillError> {
        let mut filled = Vec::with_capacity(self.headers.len());
        for (name, template) in &self.headers {
            if FRAMING.contains(&name.to_ascii_lowercase().as_str()) {
                return Err(FillError::Header(name.clone()));
            }
            filled.push((name.as_str(), template.fill(value)?));
        }
        Ok(filled)
    }
}

/// Checks that a request can be sent to a URL, and that servers and clients read the URL
/// alike.
pub(crate) fn check_url(text: &str) -> Result<(), String> {
    let url = url::check_http(text).map_err(|error| error.message_for(text))?;
    let path = match url.path.split_once(['?', '#']) {
        Some((path, _)) => path,
        None => url.path,
    };
    for segment in path.split('/') {
        // Encoding does not help, because `%2e` means the same as `.`.
        if matches!(segment.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..") {
            return Err("a segment of the path is \".\" or \"..\"".to_owned());
        }
    }
    if text.contains(['#', '\\']) {
        return Err("a URL that is sent to has no fragment and no backslash".to_owned());
    }
    Ok(())
}

impl Step {
    /// Returns the variables whose values the step needs, each once, in order.
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
        let mut names = self.placeholders();
        names.extend(passed.iter().map(String::as_str));
        deduplicate(names)
    }

    /// Returns the variables with a placeholder in one of its texts, each once, in order.
    pub fn placeholders(&self) -> Vec<&str> {
        let mut names = Vec::new();
        match self {
            Self::Run(program)
            | Self::CallTool(ToolCall { server: Server::Stdio(program), .. }) => {
                for word in &program.argv {
                    names.extend(word.variables());
                }
            }
            Self::Send(Request { method: _, url, headers, body }) => {
                names.extend(url.variables());
                for (_, value) in headers {
                    names.extend(value.variables());
                }
                if let Some(body) = body {
                    names.extend(body.variables());
                }
            }
            Self::CallTool(_)
            | Self::Node(_)
            | Self::Python(_)
            | Self::Call(_)
            | Self::Fetch(_)
            | Self::Find(_)
            | Self::Ask(_) => {}
        }
        deduplicate(names)
    }
}

/// Returns the names that an environment can contain.
fn valid_names(names: &[String]) -> impl Iterator<Item = &str> {
    let names = names.iter().map(String::as_str);
    names.filter(|name| !name.is_empty() && !name.contains(['=', '\0']))
}

fn deduplicate(mut names: Vec<&str>) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(*name));
    names
}
