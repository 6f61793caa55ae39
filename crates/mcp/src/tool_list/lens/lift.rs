//! Lifts a list to descriptors.

use std::sync::Arc;

use manifest_core::descriptor::{Example, Invocation, McpTool, Package, SideEffects};
use manifest_core::format::Reader;
use manifest_core::json::{Node, Raw};
use manifest_core::table::{self, member_values_if_any};
use manifest_core::{LiftedDocument, Sourced, Text, ToolDescriptor};
use providers::{Shape, from_gemini_schema};

use crate::tool_list::table::{
    HINTS, LIST, ListedTool, SERVER, is_gemini_schema, listed_tools, schema_members,
};

type Entry<'a> = Option<Node<'a>>;

pub(super) fn read<'a>(reader: &mut Reader<'a>) -> LiftedDocument<'a> {
    let root = reader.root();
    let [_tools, server, _next_cursor, _result_type, _ttl, _cache_scope, _meta] =
        table::member_values(root, &LIST);
    // Only tools of MCP are called on a server.
    let served = listed_tools(root).any(|listed| listed.shape == Shape::Mcp);
    let server = server.filter(|_| served).map(|server| lift_server(reader, server));
    let tools = listed_tools(root).map(|listed| lift(reader, listed, server.as_ref())).collect();
    LiftedDocument { tools, is_list: true, ..LiftedDocument::default() }
}

/// Lifts the server. Each call adds the name of its tool.
fn lift_server<'a>(reader: &mut Reader<'a>, server: Node<'a>) -> McpTool<'a> {
    let [command, cwd, url] = table::member_values(server, &SERVER);
    let cwd = cwd.filter(|_| command.is_some());
    McpTool {
        tool: <_>::default(),
        argv: reader.texts(command).into(),
        cwd: reader.text(cwd),
        url: reader.text(url),
    }
}

/// Returns true if the title of a tool is among its hints, where older revisions of MCP
/// have it.
pub(super) fn has_title_hint(entry: Node<'_>) -> bool {
    let hinted = entry.get("annotations").and_then(|hints| hints.get("title"));
    entry.get("title").is_none() && hinted.is_some()
}

/// Lifts a schema as JSON Schema.
fn lift_schema<'a>(
    reader: &mut Reader<'a>,
    own: Node<'a>,
    name: &str,
    shape: Shape,
) -> Option<Sourced<Raw<'a>>> {
    let node = own.get(name)?;
    if is_gemini_schema(name, shape) {
        node.is_object().then(|| reader.derived(node, from_gemini_schema(node)))
    } else {
        reader.raw(Some(node))
    }
}

fn lift<'a>(
    reader: &mut Reader<'a>,
    listed: ListedTool<'a>,
    server: Option<&McpTool<'a>>,
) -> ToolDescriptor<'a> {
    let ListedTool { tool, shape, entry } = listed;
    let mcp = |name: &str| tool.get(name).filter(|_| shape == Shape::Mcp);
    let own = listed.definition();
    let (input, output) = schema_members(tool, shape);
    let [hinted_title, read_only, destructive, idempotent, _open_world] =
        member_values_if_any(mcp("annotations"), &HINTS);
    let title = if has_title_hint(tool) { hinted_title } else { mcp("title") };
    let examples = own.get("input_examples").filter(|_| shape == Shape::Anthropic);
    let examples = examples.into_iter().flat_map(Node::elements);
    let examples =
        examples.map(|input| Example { input: reader.raw(Some(input)), ..<_>::default() });
    let examples: Vec<Example<'a>> = examples.collect();
    let id = reader.required_text(own.get("name"));
    ToolDescriptor {
        at: Some(reader.place(tool)),
        name: None,
        title: reader.text(title),
        kind: None,
        summary: None,
        description: reader.text(own.get("description")),
        input_schema: lift_schema(reader, own, input, shape),
        output_schema: output.and_then(|name| lift_schema(reader, own, name, shape)),
        output_format: None,
        error_envelope: None,
        examples,
        example_files: Vec::new(),
        test_files: Vec::new(),
        invocation: server.filter(|_| shape == Shape::Mcp).map(|server| lift_call(server, &id)),
        implementations: Vec::new(),
        chain: Vec::new(),
        timeout_ms: None,
        auth: <_>::default(),
        permissions: <_>::default(),
        scopes_used: Vec::new(),
        sandbox: <_>::default(),
        side_effects: lift_effects(reader, read_only, destructive),
        idempotent: reader.boolean(idempotent),
        requires_approval: None,
        origin: <_>::default(),
        trust: None,
        enabled: None,
        channel: None,
        // The entry of the list that contains the tool.
        package: Arc::new(Package { at: Some(reader.place(entry)), ..Package::default() }),
        id,
    }
}

fn lift_call<'a>(server: &McpTool<'a>, name: &Sourced<Text<'a>>) -> Sourced<Invocation<'a>> {
    Invocation::McpTool(McpTool { tool: name.clone(), ..server.clone() }).into()
}

/// Lifts the hints about effects. A missing hint leaves the effects unknown; its default in
/// MCP does not count as declared. A tool with the hint that it is destructive is never
/// lifted as harmless.
fn lift_effects<'a>(
    reader: &mut Reader<'a>,
    read_only: Entry<'a>,
    destructive: Entry<'a>,
) -> Option<Sourced<SideEffects>> {
    let reads = read_only.filter(|hint| hint.bool() == Some(true));
    match destructive.map(|hint| (hint, hint.bool())) {
        Some((hint, Some(true))) => Some(reader.derived(hint, SideEffects::Destructive)),
        Some((hint, _)) if reads.is_none() => Some(reader.derived(hint, SideEffects::Write)),
        _ => reads.map(|hint| reader.derived(hint, SideEffects::Read)),
    }
}
