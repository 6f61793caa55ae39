//! Lifts and lowers lists of tools.
//!
//! | descriptor | `tools[]` | note |
//! |---|---|---|
//! | `id` | `name` | fitted to the names that MCP allows |
//! | `title` | `title`, otherwise `annotations.title` | MCP only, like the hints |
//! | `description` | `description` | if missing, lowered from the summary |
//! | `input_schema` | `inputSchema`; `input_schema`, `parameters` and `parametersJsonSchema` of others | required in the target |
//! | `output_schema` | `outputSchema`; `output_schema`, `responseJsonSchema` and `response` of others | |
//! | `examples` | `input_examples` of Anthropic | lifted only |
//! | `side_effects` | `readOnlyHint`, `destructiveHint` | never safer than the source |
//! | `idempotent` | `idempotentHint` | |
//! | `invocation.mcp_tool` | `server` | lifted for tools of MCP; lowered to `toolglot mcp` |
//!
//! Tools are read in five shapes, and written in that of MCP. Other members have no field
//! in a descriptor and are kept in the residue.

use manifest_core::descriptor::Invocation;
use manifest_core::format::{CallSupport, Cardinality, Contract, SafetyFeatures};
use manifest_core::json::Node;
use manifest_core::{Detection, Format, ToolDescriptor};
use providers::Shape;

use crate::shared::CONTRACT;
use crate::tool_list::semantics::validate;
use crate::tool_list::table::{ANSWER_TABLE, TABLE, declarations, list};

mod lift;
mod lower;

/// The format, for conversion.
pub static FORMAT: Format = Format {
    name: "tool-list",
    versions: &[],
    tables: &[&TABLE, &ANSWER_TABLE],
    rules: crate::tool_list::rules::RULES,
    cardinality: Cardinality::Tools,
    // The members beside the list belong to each of its tools.
    catalog: None,
    keys: &["name", "function/name"],
    // A tool that needs approval gets the hint that it is destructive.
    safety_features: SafetyFeatures { approval: true, ..SafetyFeatures::NONE },
    detect,
    look_alike: |_| None,
    check: validate,
    read: lift::read,
    call_support: |_| CallSupport::Bridge,
    contract,
    undeclared_secrets: |tool| {
        tool.package.env.iter().filter(|variable| variable.is_secret()).collect()
    },
    file_name: |_| "tool-list".to_owned(),
    write_document: lower::write_document,
    write_tool: lower::write_tool,
    bridge_needs: "a client that runs in the folder of the output, or the source in the user's store",
    host_needs: "",
};

fn detect(root: Node<'_>) -> Option<Detection> {
    let tools = list(root)?;
    // The `server` of an MCP bundle has neither.
    let server = root.get("server");
    let reached =
        server.is_some_and(|server| server.get("command").or(server.get("url")).is_some());
    let other = server.is_some() && !reached || root.get("manifest_version").is_some();
    let is_tool = |tool: Node<'_>| {
        let known = Shape::of(tool).is_some() && tool.get("command").is_none();
        known || declarations(tool).is_some_and(|(_, list)| list.is_array())
    };
    let first = tools.elements().next();
    let evidence = if reached {
        vec!["`tools` is an array", "`server` has a `command` or a `url`"]
    } else if first.is_some() && tools.elements().all(is_tool) {
        vec!["`tools` is an array", "each of its elements is a tool of MCP or of a model provider"]
    } else {
        return None;
    };
    (!other).then_some(Detection { version: None, evidence })
}

/// Returns the host rules of MCP, for a server that is started or reached.
fn contract(tool: &ToolDescriptor<'_>) -> Contract {
    let away =
        matches!(tool.invocation.as_deref(), Some(Invocation::McpTool(call)) if call.url.is_some());
    let (environment, directory) = if away {
        ("nothing of it is sent", "no program runs")
    } else {
        ("that of the host", "that of the host")
    };
    Contract { environment, directory, ..CONTRACT }
}
