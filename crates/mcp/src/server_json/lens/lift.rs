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
use manifest_core::{LiftedDocument, Sourced, Text, ToolDescriptor};

use super::command::lift_command;
use super::secrecy;
use crate::server_json::semantics::{listed_tools, version};
use crate::server_json::spellings::{ENVIRONMENT, REQUIRED, member};
use crate::server_json::table::{SERVER, TOOL, is_address};

type OptionalText<'a> = Option<Sourced<Text<'a>>>;

#[rustfmt::skip] // one name for each member of the table
pub(super) fn read<'a>(reader: &mut Reader<'a>) -> LiftedDocument<'a> {
    let root = reader.root();
    let [
        _schema, _, name, title, description, _status, _version, _, _version_detail, website,
        _repository, _icons, packages, _, remotes, _, _meta,
    ] = table::member_values(root, &SERVER);
    let tools: Vec<Node<'a>> = listed_tools(root).into_iter().flat_map(Node::elements).collect();
    let about = [title, description].map(|node| reader.text(node));
    let (about, whole) = if tools.is_empty() { (<_>::default(), Some(about)) } else { (about, None) };
    let [title, summary] = about;
    let first = packages.and_then(|packages| packages.elements().next());
    let remote = remotes.and_then(|remotes| remotes.elements().next());
    let url = reader.text(remote.and_then(|remote| remote.get("url")));
    let called = remote.is_some_and(is_callable);
    let packaged = first.filter(|_| remote.is_none());
    let command = match packaged {
        Some(package) => lift_command(reader, package),
        None => Vec::new(),
    };
    let env = match first {
        Some(package) => lift_variables(reader, package),
        None => Vec::new(),
    };
    let package = Arc::new(Package {
        at: Some(reader.place(root)),
        id: reader.text(name),
        title,
        summary,
        version: reader.text(version(root)),
        homepage: reader.text(website),
        command: command.into(),
        url,
        env,
        ..empty_package()
    });
    let tools = match whole {
        Some(about) => vec![lift_server(about, package)],
        None => tools.into_iter().map(|node| lift_tool(reader, node, &package, called)).collect(),
    };
    LiftedDocument { tools, ..LiftedDocument::default() }
}

/// Returns true if a call needs nothing but the URL: no variables, no headers, and
/// streamable HTTP.
fn is_callable(remote: Node<'_>) -> bool {
    let kind = member(remote, &["type", "transport_type"]).and_then(Node::text);
    let url = remote.get("url").and_then(Node::text);
    url.is_some_and(|url| is_address(&url) && !url.contains('{'))
        && member(remote, &["headers", "variables"]).is_none()
        && matches!(kind.as_deref(), Some("streamable-http" | "streamable"))
}

/// Returns true if a user may be asked for a variable: for its value, or for a part of its
/// value.
pub(super) fn is_askable(variable: Node<'_>) -> bool {
    variable.get("value").is_none() || variable.get("variables").is_some()
}

/// Lifts the variables that a user may be asked for. One with a value is fixed, unless the
/// value contains variables. Then its own members count, not those of the inner variables,
/// except for secrecy.
fn lift_variables<'a>(reader: &mut Reader<'a>, package: Node<'a>) -> Vec<EnvVar<'a>> {
    let list = member(package, &ENVIRONMENT);
    let mut variables = Vec::new();
    for node in list.into_iter().flat_map(Node::elements) {
        let Some(name) = node.get("name").filter(|_| is_askable(node)) else { continue };
        let (secret, by) = secrecy::read(reader, node);
        let required = reader.boolean(member(node, &REQUIRED));
        variables.push(EnvVar {
            name: reader.required_text(Some(name)),
            prompt: reader.text(node.get("description")),
            secret,
            required,
            pattern: None,
            // A default is only passed on if it is not a secret, so secrecy influences it
            // too.
            default: reader.text(node.get("default")).map(|said| said.with_influence(by)),
            obtain_url: None,
            reference: None,
        });
    }
    variables
}

/// Lifts a document that lists no tools: a server with unknown tools.
fn lift_server<'a>(
    [title, summary]: [OptionalText<'a>; 2],
    package: Arc<Package<'a>>,
) -> ToolDescriptor<'a> {
    // A document is also read before it is checked: the id is then empty.
    let (at, id) = (package.at, package.id.clone().unwrap_or_default());
    ToolDescriptor {
        at,
        id,
        title,
        kind: Some(Kind::McpServer.into()),
        summary,
        ..ToolDescriptor::empty(package)
    }
}

fn lift_tool<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    package: &Arc<Package<'a>>,
    called: bool,
) -> ToolDescriptor<'a> {
    let [name, description, calls] = table::member_values(node, &TOOL);
    let id = reader.id_in_package(package.id.as_ref(), name);
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
        id,
        name: reader.text(name),
        description: reader.text(description),
        invocation: tool.map(call),
        ..ToolDescriptor::empty(Arc::clone(package))
    }
}

/// Returns an empty package. All fields are listed, so that a new field must be decided
/// here.
fn empty_package<'a>() -> Package<'a> {
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
