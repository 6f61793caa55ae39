//! Writes configurations for programs with MCP servers.

use std::collections::BTreeSet;

use diagnostic::{Diagnostic, Pointer, quoted, secret};
use manifest_core::ToolDescriptor;
use manifest_core::descriptor::{Invocation, McpTool, RiskProfile};

use crate::catalog::{Source, name_clash};
use crate::json::{ObjectText, write_strings};
use crate::names::{Names, OPENAI_NAME};
use crate::rules;

/// A program that starts MCP servers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigHost {
    /// Claude: `mcpServers`, and `${NAME}` for a variable.
    #[default]
    Claude,
    /// Cursor: `mcpServers`, and `${env:NAME}` for a variable.
    Cursor,
    /// VS Code: `servers`, each with its `type`, and `${env:NAME}` for a variable.
    VsCode,
}

impl ConfigHost {
    /// All hosts by name.
    pub const ALL: &'static [(&'static str, Self)] =
        &[("claude", Self::Claude), ("cursor", Self::Cursor), ("vscode", Self::VsCode)];

    /// Returns the host with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        let (_, host) = Self::ALL.iter().find(|(own, _)| *own == name)?;
        Some(*host)
    }

    fn key(self) -> &'static str {
        if self == Self::VsCode { "servers" } else { "mcpServers" }
    }

    fn variable(self, name: &str) -> String {
        if self == Self::Claude { format!("${{{name}}}") } else { format!("${{env:{name}}}") }
    }
}

/// A configuration and its servers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// The text of the configuration.
    pub json: String,
    /// The servers in the configuration.
    pub entries: Vec<ServerEntry>,
    /// The indexes of the sources that were left out, with the reasons.
    pub skipped: Vec<(usize, Diagnostic)>,
}

/// One server of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerEntry {
    /// The index of its source.
    pub source: usize,
    /// Its name.
    pub name: String,
    /// Whether it is the manifest's own server, and not `toolglot mcp`.
    pub is_native: bool,
    /// The variables that must be set where it is started.
    pub variables: Vec<String>,
}

/// Writes a configuration with one server for each manifest.
///
/// If all tools of a manifest belong to one MCP server, the entry starts or reaches that
/// server. Otherwise it starts `toolglot mcp`. Only the names of variables are written,
/// never their values.
///
/// `toolglot mcp` also serves a server that needs more than a configuration can express: a
/// working directory, a program beside the manifest, a URL that requires a credential, a
/// disabled tool, or a text that the host would replace or that looks like a secret.
pub fn mcp_config(sources: &[Source<'_, '_>], host: ConfigHost) -> Config {
    let wanted: Vec<String> = sources.iter().map(Source::short_name).collect();
    let names = Names::fit(wanted.iter().map(String::as_str), &OPENAI_NAME);
    let mut config = Config { json: String::new(), entries: Vec::new(), skipped: Vec::new() };
    let mut servers = ObjectText::default();
    for (index, source) in sources.iter().enumerate() {
        let Some(name) = names.name(index) else {
            let clash = name_clash(&names, index, Pointer::root(), |other| {
                Some(quoted(sources.get(other)?.label))
            });
            config.skipped.push((index, clash));
            continue;
        };
        let variables = required_variables(source.tools);
        let native = native_server(source.tools);
        let server = match native {
            Some(server) => Ok(write_native(server, &variables, host)),
            None => write_bridge(source, &variables, host),
        };
        match server {
            Ok(json) => {
                servers.json(name, &json);
                config.entries.push(ServerEntry {
                    source: index,
                    name: name.to_owned(),
                    is_native: native.is_some(),
                    variables: variables.into_iter().collect(),
                });
            }
            Err(why) => config.skipped.push((index, why)),
        }
    }
    let mut root = ObjectText::default();
    root.json(host.key(), &servers.finish());
    config.json = root.finish();
    config
}

/// Writes the server that all tools belong to.
fn write_native(server: &McpTool<'_>, variables: &BTreeSet<String>, host: ConfigHost) -> String {
    let argv: Vec<&str> = server.argv.iter().map(|text| text.value.as_ref()).collect();
    if let Some((program, args)) = argv.split_first() {
        return write_command(program, args, variables, host);
    }
    let mut fields = ObjectText::default();
    // Claude rejects a URL without a type.
    if host != ConfigHost::Cursor {
        fields.text("type", "http");
    }
    fields.text("url", server.url.as_ref().map_or("", |url| url.value.as_ref()));
    fields.finish()
}

/// Writes a server that serves the tools of a manifest.
fn write_bridge(
    source: &Source<'_, '_>,
    variables: &BTreeSet<String>,
    host: ConfigHost,
) -> Result<String, Diagnostic> {
    let message = match source.path {
        None => "this is no file that a server could read again",
        Some(path) if !is_literal(path) => "the program would replace parts of this path",
        Some(path) => return Ok(write_command("toolglot", &["mcp", path], variables, host)),
    };
    Err(rules::SERVER.at_pointer(Pointer::root(), message))
}

fn write_command(
    program: &str,
    args: &[&str],
    variables: &BTreeSet<String>,
    host: ConfigHost,
) -> String {
    let mut fields = ObjectText::default();
    if host == ConfigHost::VsCode {
        fields.text("type", "stdio");
    }
    fields.text("command", program);
    let mut list = String::new();
    write_strings(args, &mut list);
    fields.json("args", &list);
    if !variables.is_empty() {
        let mut env = ObjectText::default();
        for name in variables {
            env.text(name, &host.variable(name));
        }
        fields.json("env", &env.finish());
    }
    fields.finish()
}

/// Returns the server that all tools belong to, if a configuration can express everything
/// it needs.
fn native_server<'t>(tools: &'t [ToolDescriptor<'_>]) -> Option<&'t McpTool<'t>> {
    let mut found: Option<&McpTool<'t>> = None;
    for tool in tools {
        let Some(Invocation::McpTool(call)) = tool.invocation.as_deref() else { return None };
        if let Some(other) = found
            && (&other.argv, &other.url) != (&call.argv, &call.url)
        {
            return None;
        }
        if !RiskProfile::of(tool).is_enabled() || call.cwd.is_some() {
            return None;
        }
        found = Some(call);
    }
    let call = found?;
    for text in call.argv.iter().chain(&call.url) {
        if !is_literal(&text.value) || has_secret(&text.value) {
            return None;
        }
    }
    match (call.argv.first(), &call.url) {
        (Some(program), None) => {
            // A path that is relative to the manifest has another meaning for the host.
            let program: &str = program.value.as_ref();
            let is_relative = program.contains('/') && !program.starts_with('/');
            if is_relative || program.contains('\\') { None } else { Some(call) }
        }
        (None, Some(_)) => {
            // A configuration cannot express which header a credential belongs in.
            if tools.iter().all(has_no_credential) { Some(call) } else { None }
        }
        _ => None,
    }
}

fn has_no_credential(tool: &ToolDescriptor<'_>) -> bool {
    let scheme = tool.auth.scheme.as_deref();
    tool.package.env.is_empty() && scheme.is_none_or(|scheme| scheme == "none")
}

/// Returns true if a program that replaces variables leaves the text unchanged.
fn is_literal(text: &str) -> bool {
    !text.contains("${")
}

fn has_secret(text: &str) -> bool {
    secret::mask(text) != text
}

/// Returns the variables that tools require and that have no default. Others are omitted:
/// if they are not set, the server would get the placeholder as their value.
fn required_variables(tools: &[ToolDescriptor<'_>]) -> BTreeSet<String> {
    let mut needed = BTreeSet::new();
    for variable in tools.iter().flat_map(|tool| tool.package.env.iter()) {
        let is_required = variable.required.as_ref().is_some_and(|required| required.value);
        if is_required && variable.default.is_none() {
            needed.insert(variable.name.to_string());
        }
    }
    needed
}
