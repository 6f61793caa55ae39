//! The parts that the formats of this crate share: the host rules of MCP, names of tools, and
//! indices of versions.

use manifest_core::format::{Contract, HostRules};
#[cfg(any(feature = "mcpb", feature = "server-json"))]
use manifest_core::{
    Place, ToolDescriptor,
    format::{ToolContext, Writer},
    last_part,
};

/// The host rules of MCP, for a server that the host starts.
pub(crate) const CONTRACT: Contract = Contract {
    extra_arguments: "passed on",
    examples: "",
    fills_defaults: false,
    keeps_timeout: false,
    environment: "that of the host, and the variables that are named",
    directory: "that of the host",
    timeout: Contract::UNSPECIFIED,
    result: "the content of the result",
    failure: "a result that says it is an error",
    host_rules: HostRules::PLAIN,
};

/// Returns the name of a tool in a converted server or bundle. Without a package, the server
/// is named after the id, so only the part after the last dot is used.
#[cfg(any(feature = "mcpb", feature = "server-json"))]
#[allow(unreachable_pub)] // only the module of bundles exports it
pub fn tool_name<'t>(tool: &'t ToolDescriptor<'_>) -> &'t str {
    let name = tool.callable_name().value;
    let part =
        if tool.name.is_some() && tool.package.id.is_none() { last_part(name) } else { name };
    let whole = if tool.name.is_some() { name } else { &tool.id };
    if part.is_empty() { whole } else { part }
}

/// Writes the name of a tool in a server.
#[cfg(any(feature = "mcpb", feature = "server-json"))]
pub(crate) fn write_tool_name(
    w: &mut Writer<'_>,
    ToolContext { tool, context, .. }: &ToolContext<'_, '_>,
) {
    let name = tool.callable_name();
    match (&tool.name, name.at) {
        (Some(name), _) if tool.package.id.is_none() && !context.same_format => {
            let places: Vec<Place> = name.at.into_iter().chain(tool.id.at).collect();
            let why = "the last part of the name; the tool has an id of its own besides";
            w.member("name").approximate(tool_name(tool), &places, why);
        }
        (Some(name), _) => w.member("name").copy(name),
        // An id may end with a dot.
        (None, _) if name.value.is_empty() => w.member("name").id(tool),
        (None, Some(at)) if !at.exact => {
            w.member("name").approximate(name.value, &[at], "the last part of the id");
        }
        (None, at) => w.member("name").equivalent(name.value, at.as_slice()),
    }
}

/// Returns the index of a version in the list of all versions, or that of the newest one if
/// the version is unknown.
#[cfg(any(feature = "mcpb", feature = "server-json"))]
pub(crate) fn version_index(versions: &[&str], version: Option<&str>) -> u8 {
    let mut newest = 0;
    for (index, known) in (0..).zip(versions) {
        if version == Some(*known) {
            return index;
        }
        newest = index;
    }
    newest
}
