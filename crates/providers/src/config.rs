//! Writes configurations for programs with MCP servers.

use std::collections::BTreeSet;

use diagnostic::{Diagnostic, Pointer, quoted, secret};
use json_text::quote;
use manifest_core::ToolDescriptor;
use manifest_core::descriptor::{Invocation, McpTool, RiskProfile};

use crate::catalog::Source;
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
        Self::ALL.iter().find(|(own, _)| *own == name).map(|(_, host)| *host)
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
    let wanted: Vec<String> = sources.iter().map(preferred_name).collect();
    let names = Names::fit(wanted.iter().map(String::as_str), &OPENAI_NAME);
    let mut config = Config { json: String::new(), entries: Vec::new(), skipped: Vec::new() };
    let mut written = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let made = match names.name(index) {
            Some(name) => write_server(source, host).map(|made| (name, made)),
            None => Err(clash(&names, sources, index)),
        };
        match made {
            Ok((name, (fields, own))) => {
                written.push(format!("{}:{fields}", quote(name)));
                let variables = required_variables(source.tools).into_iter().collect();
                config.entries.push(ServerEntry {
                    source: index,
                    name: name.to_owned(),
                    is_native: own,
                    variables,
                });
            }
            Err(why) => config.skipped.push((index, why)),
        }
    }
    config.json = format!("{{{}:{{{}}}}}", quote(host.key()), written.join(","));
    config
}

/// Returns the preferred name of a server: the prefix of its tools, or the name of the
/// manifest.
fn preferred_name(source: &Source<'_, '_>) -> String {
    let file = source.path.unwrap_or(source.label).rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = file.split('.').find(|part| !part.is_empty()).unwrap_or("tools");
    source.prefix.unwrap_or(stem).to_owned()
}

fn clash(names: &Names<'_>, sources: &[Source<'_, '_>], index: usize) -> Diagnostic {
    let others = names.clashes(index).iter().filter(|other| **other != index).take(3);
    let others = others.filter_map(|other| Some(quoted(sources.get(*other)?.label)));
    let others = others.collect::<Vec<_>>().join(" and ");
    let message =
        format!("{} would be the name of {others}, too", quoted(names.preferred_name(index)));
    rules::NAME_CLASH.at_pointer(Pointer::root(), message)
}

/// Returns the fields of a server, and whether it is the manifest's own.
fn write_server(source: &Source<'_, '_>, host: ConfigHost) -> Result<(String, bool), Diagnostic> {
    let variables = required_variables(source.tools);
    let kind = |name: &str| match host {
        ConfigHost::VsCode => format!("\"type\":{},", quote(name)),
        // Claude rejects a URL without a type.
        ConfigHost::Claude if name == "http" => "\"type\":\"http\",".to_owned(),
        _ => String::new(),
    };
    let command = |command: &str, args: &[&str]| {
        let args: Vec<String> = args.iter().map(|arg| quote(arg)).collect();
        let env =
            variables.iter().map(|name| format!("{}:{}", quote(name), quote(&host.variable(name))));
        let env: Vec<String> = env.collect();
        let env = match env.as_slice() {
            [] => String::new(),
            env => format!(",\"env\":{{{}}}", env.join(",")),
        };
        let kind = kind("stdio");
        format!("{{{kind}\"command\":{},\"args\":[{}]{env}}}", quote(command), args.join(","))
    };
    if let Some(own) = native_server(source.tools) {
        let argv: Vec<&str> = own.argv.iter().map(|text| text.value.as_ref()).collect();
        return Ok(match (argv.split_first(), &own.url) {
            (Some((program, args)), _) => (command(program, args), true),
            (None, url) => {
                let url = url.as_ref().map_or("", |url| url.value.as_ref());
                (format!("{{{}\"url\":{}}}", kind("http"), quote(url)), true)
            }
        });
    }
    let refuse = |message: &str| Err(rules::SERVER.at_pointer(Pointer::root(), message));
    match source.path {
        None => refuse("this is no file that a server could read again"),
        Some(path) if !is_literal(path) => refuse("the program would replace parts of this path"),
        Some(path) => Ok((command("toolglot", &["mcp", path]), false)),
    }
}

/// Returns the server that all tools belong to, if a configuration can express everything
/// it needs.
fn native_server<'t>(tools: &'t [ToolDescriptor<'_>]) -> Option<&'t McpTool<'t>> {
    let mut found: Option<&McpTool<'t>> = None;
    for tool in tools {
        let Some(Invocation::McpTool(call)) = tool.invocation.as_deref() else { return None };
        let same = |other: &McpTool<'_>| (&other.argv, &other.url) == (&call.argv, &call.url);
        if !found.is_none_or(same) || !RiskProfile::of(tool).is_enabled() || call.cwd.is_some() {
            return None;
        }
        found = Some(call);
    }
    let call = found?;
    let program = call.argv.first().map_or("", |program| program.value.as_ref());
    let beside = (program.contains('/') && !program.starts_with('/')) || program.contains('\\');
    let texts = call.argv.iter().chain(&call.url).map(|text| text.value.as_ref());
    let plain = texts.into_iter().all(|text: &str| is_literal(text) && !has_secret(text));
    // A configuration cannot express which header a credential belongs in.
    let open = |tool: &ToolDescriptor<'_>| {
        let scheme = tool.auth.scheme.as_deref();
        tool.package.env.is_empty() && scheme.is_none_or(|scheme| scheme == "none")
    };
    let reached = match (&call.url, call.argv.is_empty()) {
        (Some(_), true) => tools.iter().all(open),
        (None, false) => true,
        _ => false,
    };
    (reached && plain && !beside).then_some(call)
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
    let all = tools.iter().flat_map(|tool| tool.package.env.iter());
    let needed = all.filter(|variable| {
        let required = variable.required.as_ref().is_some_and(|required| required.value);
        required && variable.default.is_none()
    });
    needed.map(|variable| variable.name.to_string()).collect()
}
