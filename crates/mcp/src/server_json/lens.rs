//! Lifts and lowers a `server.json`.
//!
//! | descriptor | `server.json` | note |
//! |---|---|---|
//! | `package.id` | `name` | fitted under `invalid.toolglot/`; if there is no package, the id of the tool |
//! | `package.title`, `summary` | `title`, `description` | up to 100 characters; if there is no package, the tool's own |
//! | `package.version` | `version` | required; assumed if missing |
//! | `package.homepage` | `websiteUrl` | |
//! | `package.env` | `environmentVariables` of the first of `packages` | lifted only, because it is unknown which package is the server |
//! | `package.command` | the first of `packages` | lifted only, if a client has nothing to choose and there is no remote |
//! | `package.url` | URL of the first of `remotes` | |
//! | `id`, `name`, `description` | `invalid.toolglot/tools` in `_meta` | the id is `<server>.<tool>` |
//! | `invocation.mcp_tool` | `calls` in there, and `remotes` | of a server at a URL; lifted also for a server in a package |
//! | `kind` | | a document that lists no tools is an MCP server |
//!
//! Other members have no field in a descriptor and are kept in the residue.

use manifest_core::format::{CallSupport, Cardinality, SafetyFeatures, file_name};
use manifest_core::json::Node;
use manifest_core::{Detection, Format, ToolDescriptor};

use crate::server_json::dates::{
    NEWEST, SCHEMA_FILE, VERSIONS, declared_date, is_schema_url, is_snake,
};
use crate::server_json::semantics::validate;
use crate::server_json::table::{TABLE, is_server_name};
use crate::shared::CONTRACT;

mod command;
mod lift;
mod lower;
mod remote;
mod secrecy;
mod source;

/// The format, for conversion.
pub static FORMAT: Format = Format {
    name: "server-json",
    versions: &[NEWEST],
    tables: &[&TABLE],
    rules: crate::server_json::rules::RULES,
    cardinality: Cardinality::Package,
    catalog: None,
    keys: &["name"],
    safety_features: SafetyFeatures::NONE,
    detect,
    look_alike,
    check: validate,
    read: lift::read,
    call_support,
    contract: |_| CONTRACT,
    undeclared_secrets: lower::undeclared_secrets,
    file_name: file,
    write_document: lower::write_document,
    write_tool: lower::write_tool,
    bridge_needs: "",
    host_needs: "",
};

fn detect(root: Node<'_>) -> Option<Detection> {
    let schema = root.get("$schema").and_then(Node::text);
    let is_named = root.get("name").and_then(Node::text).is_some();
    let elements = |name: &str| root.get(name).into_iter().flat_map(Node::elements);
    let has = |node: Node<'_>, names: &[&str]| names.iter().any(|name| node.get(name).is_some());
    let registries = ["registryType", "registry_type", "registry_name"];
    let transports = ["type", "transport_type"];
    let remote = |node: Node<'_>| has(node, &["url"]) && has(node, &transports);
    let packages = || elements("packages").any(|node| has(node, &registries));
    let found = [
        (schema.is_some_and(|schema| is_schema_url(&schema)), "`$schema` is that of a server.json"),
        (is_named && packages(), "`packages` name registries"),
        (is_named && elements("remotes").any(remote), "`remotes` have a type and a URL"),
    ];
    let evidence: Vec<_> = found.iter().filter(|(is_so, _)| *is_so).map(|(_, why)| *why).collect();
    let oldest = VERSIONS.first().filter(|_| is_snake(root)).copied();
    let version = declared_date(root).or(oldest).map(str::to_owned);
    (!evidence.is_empty()).then_some(Detection { version, evidence })
}

/// Describes documents of others whose `name` has a slash, too, and which have a `version` and a
/// `description`. All other members are allowed here.
fn look_alike(root: Node<'_>) -> Option<&'static str> {
    if !is_server_name(&root.get("name")?.text()?) {
        return None;
    }
    let is_object = |name: &str| root.get(name).is_some_and(Node::is_object);
    if is_object("require") || is_object("autoload") {
        return Some("the composer.json of a PHP package");
    }
    let schema = root.get("$schema")?.text()?;
    if schema.rsplit('/').next() == Some(SCHEMA_FILE) {
        return None;
    }
    Some("a document of the schema that its `$schema` names")
}

const UNSUPPORTED_CALL: &str =
    "a server.json names packages of registries and remote servers, and no other program or call";

/// Only a tool of a server at a URL can be expressed: clients do not start a program by its
/// name.
fn call_support(tool: &ToolDescriptor<'_>) -> CallSupport {
    if remote::remote_server(tool).is_some() {
        CallSupport::Exact
    } else {
        CallSupport::Unsupported(UNSUPPORTED_CALL)
    }
}

fn file(tools: &[ToolDescriptor<'_>]) -> String {
    let name = tools.first().map(|tool| tool.package.id.as_ref().unwrap_or(&tool.id));
    format!("{}.server", file_name(name.map_or("server", |name| name.as_ref())))
}
