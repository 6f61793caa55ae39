//! Lifts a `server.json` to descriptors.
//!
//! Only the server itself knows its tools. So a document lifts to one descriptor, an MCP
//! server without a call, unless it was converted and lists tools. A document may offer
//! several ways to reach the server. The first remote is lifted or, if there is none, the
//! command of the first package.

use std::sync::Arc;

use manifest_core::descriptor::{EnvVar, Invocation, Kind, McpTool, Package};
use manifest_core::format::Reader;
use manifest_core::json::Node;
use manifest_core::table;
use manifest_core::{Lifted, Sourced, Text, ToolDescriptor};

use super::line::line;
use super::secrecy;
use crate::meaning::{listed, version};
use crate::names::{ENVIRONMENT, REQUIRED, either};
use crate::table::{SERVER, TOOL, is_address};

type Said<'a> = Option<Sourced<Text<'a>>>;

#[rustfmt::skip] // one name for each member of the table
pub(super) fn read<'a>(reader: &mut Reader<'a>) -> Lifted<'a> {
    let root = reader.root();
    let [
        _schema, _, name, title, description, _status, _version, _, _version_detail, website,
        _repository, _icons, packages, _, remotes, _, _meta,
    ] = table::entries(root, &SERVER);
    let tools: Vec<Node<'a>> = listed(root).into_iter().flat_map(Node::elements).collect();
    let about = [title, description].map(|node| reader.text(node));
    let (about, whole) = if tools.is_empty() { (<_>::default(), Some(about)) } else { (about, None) };
    let [title, summary] = about;
    let first = packages.and_then(|packages| packages.elements().next());
    let remote = remotes.and_then(|remotes| remotes.elements().next());
    let url = reader.text(remote.and_then(|remote| remote.get("url")));
    let called = remote.is_some_and(is_called);
    let packaged = first.filter(|_| remote.is_none());
    let command = packaged.map(|package| line(reader, package)).unwrap_or_default();
    let package = Arc::new(Package {
        at: Some(reader.place(root)),
        id: reader.text(name),
        title,
        summary,
        version: reader.text(version(root)),
        homepage: reader.text(website),
        command: command.into(),
        url,
        env: first.map(|package| variables(reader, package)).unwrap_or_default(),
        ..silent()
    });
    let tools = match whole {
        Some(about) => vec![server_of(about, package)],
        None => tools.into_iter().map(|node| listed_tool(reader, node, &package, called)).collect(),
    };
    Lifted { tools, ..Lifted::default() }
}

/// Returns true if a call needs nothing but the URL: no variables, no headers, and
/// streamable HTTP.
fn is_called(remote: Node<'_>) -> bool {
    let kind = either(remote, &["type", "transport_type"]).and_then(Node::text);
    let url = remote.get("url").and_then(Node::text);
    url.is_some_and(|url| is_address(&url) && !url.contains('{'))
        && either(remote, &["headers", "variables"]).is_none()
        && matches!(kind.as_deref(), Some("streamable-http" | "streamable"))
}

/// Returns true if a user may be asked for a variable: for its value, or for a part of its
/// value.
pub(super) fn is_asked(variable: Node<'_>) -> bool {
    variable.get("value").is_none() || variable.get("variables").is_some()
}

/// Lifts the variables that a user may be asked for. One with a value is fixed, unless the
/// value contains variables. Then its own members count, not those of the inner variables,
/// except for secrecy.
fn variables<'a>(reader: &mut Reader<'a>, package: Node<'a>) -> Vec<EnvVar<'a>> {
    let list = either(package, &ENVIRONMENT);
    let mut variables = Vec::new();
    for node in list.into_iter().flat_map(Node::elements) {
        let Some(name) = node.get("name").filter(|_| is_asked(node)) else { continue };
        let (secret, by) = secrecy::read(reader, node);
        let required = reader.boolean(either(node, &REQUIRED));
        variables.push(EnvVar {
            name: reader.text(Some(name)).unwrap_or_default(),
            prompt: reader.text(node.get("description")),
            secret,
            required,
            pattern: None,
            // A default is only passed on if it is not a secret, so secrecy influences it
            // too.
            default: reader.text(node.get("default")).map(|said| said.by(by)),
            obtain_url: None,
            reference: None,
        });
    }
    variables
}

/// Lifts a document that lists no tools: a server with unknown tools.
fn server_of<'a>([title, summary]: [Said<'a>; 2], package: Arc<Package<'a>>) -> ToolDescriptor<'a> {
    let (at, id) = (package.at, package.id.clone().unwrap_or_default());
    ToolDescriptor { at, id, title, kind: Some(Kind::McpServer.into()), summary, ..blank(package) }
}

fn listed_tool<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    package: &Arc<Package<'a>>,
    called: bool,
) -> ToolDescriptor<'a> {
    let [name, description, calls] = table::entries(node, &TOOL);
    let server = package.id.as_ref().map_or("", |id| id.as_ref());
    let id = name.map(|node| {
        let name = node.text().unwrap_or_default();
        reader.derived(node, Text::Owned(format!("{server}.{name}")))
    });
    let url = package.url.clone().filter(|_| called);
    let argv = package.command.clone();
    let tool = reader.text(calls.filter(|_| url.is_some() || !argv.is_empty()));
    let call = |tool: Sourced<Text<'a>>| {
        // The URL decides that the call goes over the network.
        let at = url.as_ref().and_then(|url| url.at);
        let server = McpTool { tool, argv, cwd: None, url: url.clone() };
        Sourced { value: Invocation::McpTool(server), at }
    };
    ToolDescriptor {
        at: Some(reader.place(node)),
        id: id.unwrap_or_default(),
        name: reader.text(name),
        description: reader.text(description),
        invocation: tool.map(call),
        ..blank(Arc::clone(package))
    }
}

/// Returns an empty package. All fields are listed, so that a new field must be decided
/// here.
fn silent<'a>() -> Package<'a> {
    Package {
        at: None,
        id: None,
        namespace: None,
        title: None,
        summary: None,
        description: None,
        version: None,
        tags: Vec::new(),
        labels: Vec::new(),
        publisher: <_>::default(),
        homepage: None,
        license: None,
        support: <_>::default(),
        acquisition: None,
        command: <_>::default(),
        cwd: None,
        url: None,
        env: Vec::new(),
        scopes: Vec::new(),
        smoke: None,
        verify: None,
        revocation: None,
        cost: <_>::default(),
        data_boundary: None,
    }
}

/// Returns an empty tool of a package. All fields are listed, so that a new field must be
/// decided here.
fn blank(package: Arc<Package<'_>>) -> ToolDescriptor<'_> {
    ToolDescriptor {
        at: None,
        id: <_>::default(),
        name: None,
        title: None,
        kind: None,
        summary: None,
        description: None,
        input_schema: None,
        output_schema: None,
        output_format: None,
        error_envelope: None,
        examples: Vec::new(),
        example_files: Vec::new(),
        test_files: Vec::new(),
        invocation: None,
        implementations: Vec::new(),
        chain: Vec::new(),
        timeout_ms: None,
        auth: <_>::default(),
        permissions: <_>::default(),
        scopes_used: Vec::new(),
        sandbox: <_>::default(),
        side_effects: None,
        idempotent: None,
        requires_approval: None,
        origin: <_>::default(),
        trust: None,
        enabled: None,
        channel: None,
        package,
    }
}
