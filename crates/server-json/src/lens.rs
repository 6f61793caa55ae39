//! Lift and lower.
//!
//! | descriptor | `server.json` | note |
//! |---|---|---|
//! | `package.id` | `name` | made to fit under `invalid.toolglot/`; the id of a tool that has no package |
//! | `package.title`, `summary` | `title`, `description` | up to 100 characters; of a tool that has no package, its own |
//! | `package.version` | `version` | required, and assumed where nothing is said |
//! | `package.homepage` | `websiteUrl` | |
//! | `package.acquisition` | first of `packages`: type, identifier, version, digest | not written: which program of a package is a server is not known |
//! | `package.env` | `environmentVariables` of that package | the same |
//! | `id`, `name`, `description` | `tools` of `toolglot` in `_meta` | the id is the server's name and the tool's |
//! | `invocation.mcp_tool` | `calls` there, and `remotes` | of a server at a URL |
//! | `kind` | | one that lists no tools is an MCP server |
//!
//! Everything else has no home in a descriptor, and stays where it is.

use manifest_core::descriptor::{Invocation, McpTool};
use manifest_core::format::{Calling, Contract, Holds, Says, Words, file_name};
use manifest_core::json::Node;
use manifest_core::{Detected, Format, ToolDescriptor};

use crate::dates::{VERSIONS, is_snake, stated};
use crate::meaning::validate;
use crate::table::{TABLE, is_address};

mod lift;
mod lower;
mod names;
mod own;

/// The format, for conversion.
pub static FORMAT: Format = Format {
    name: "server-json",
    versions: &VERSIONS,
    tables: &[&TABLE],
    rules: crate::rules::RULES,
    holds: Holds::Package,
    catalog: None,
    keys: &["name"],
    words: Words::NONE,
    detect,
    look_alike: |_| None,
    validate,
    read: lift::read,
    says,
    contract,
    unnamed: lower::unnamed,
    file,
    frame: lower::frame,
    entry: lower::entry,
    bridge_needs: "",
    host_needs: "",
};

fn detect(root: Node<'_>) -> Option<Detected> {
    root.get("name")?.text()?;
    let schema = root.get("$schema").and_then(Node::text);
    let named = schema.is_some_and(|schema| schema.ends_with("/server.schema.json"));
    let elements = |name: &str| root.get(name).into_iter().flat_map(Node::elements);
    let has = |node: Node<'_>, names: &[&str]| names.iter().any(|name| node.get(name).is_some());
    let registries = ["registryType", "registry_type", "registry_name"];
    let transports = ["type", "transport_type"];
    let remote = |node: Node<'_>| has(node, &["url"]) && has(node, &transports);
    let found = [
        (named, "`$schema` is that of a server.json"),
        (elements("packages").any(|node| has(node, &registries)), "`packages` name registries"),
        (elements("remotes").any(remote), "`remotes` have a type and a URL"),
    ];
    let evidence: Vec<_> = found.iter().filter(|(is_so, _)| *is_so).map(|(_, why)| *why).collect();
    let oldest = VERSIONS.first().filter(|_| is_snake(root)).copied();
    let version = stated(root).or(oldest).map(str::to_owned);
    (!evidence.is_empty()).then_some(Detected { version, evidence })
}

const NO_WORDS: &str =
    "a server.json names packages of registries and remote servers, and no other program or call";

/// Only a tool of a server at a URL can be said: no client starts a program by its name.
fn says(tool: &ToolDescriptor<'_>) -> Says {
    if remote(tool).is_some() { Says::Exact } else { Says::No(NO_WORDS) }
}

/// The remote server that has a tool, and what it calls the tool.
fn remote<'t, 'a>(tool: &'t ToolDescriptor<'a>) -> Option<&'t McpTool<'a>> {
    let Some(Invocation::McpTool(server)) = tool.invocation.as_deref() else { return None };
    let McpTool { tool: name, argv, cwd: _, url } = server;
    let url = url.as_ref()?;
    let shared = tool.package.url.as_ref().is_none_or(|shared| shared == url);
    let plain = is_address(url) && !url.contains('{');
    let only = argv.is_empty() && tool.implementations.is_empty() && tool.chain.is_empty();
    (only && shared && plain && !name.is_empty()).then_some(server)
}

/// What a host does around a call: what MCP says.
fn contract(_: &ToolDescriptor<'_>) -> Contract {
    Contract {
        unnamed: "passed on",
        examples: "",
        fills_defaults: false,
        keeps_timeout: false,
        environment: "that of the host, and the variables that are named",
        directory: "that of the host",
        timeout: Contract::NOT_SAID,
        result: "the content of the result",
        failure: "a result that says it is an error",
        calling: Calling::PLAIN,
    }
}

fn file(tools: &[ToolDescriptor<'_>]) -> String {
    let name = tools.first().map(|tool| tool.package.id.as_ref().unwrap_or(&tool.id));
    format!("{}.server", file_name(name.map_or("server", |name| name.as_ref())))
}
