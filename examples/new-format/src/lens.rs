//! Lift and lower.
//!
//! | descriptor | `tools[]` | note |
//! |---|---|---|
//! | `id` | `name` | |
//! | `description` | `description` | |
//! | `input_schema`, `output_schema` | `inputs`, `outputs` | as written; a schema that is `true` or `false` has no word |
//! | `package.tags` | `tags` | |
//! | `invocation.mcp_tool` | `tool_call_template` | of the type `mcp`, with one server and no variables; that of any other tool is `toolglot mcp` |
//!
//! Everything else has no home in a descriptor, and stays where it is. Requests put arguments
//! into the query, and commands are lines of a shell: descriptors have no words for either.

use std::sync::Arc;

use manifest_core::descriptor::{Invocation, McpTool, Package};
use manifest_core::format::{
    BridgeArg, CallSupport, Cardinality, Contract, HostRules, Reader, SafetyFeatures, ToolContext,
    ToolGroup, Writer,
};
use manifest_core::json::{Node, Raw};
use manifest_core::table::{self, member_values_if_any};
use manifest_core::{
    Catalog, Detection, Diagnostic, Format, LiftedDocument, Sourced, ToolDescriptor,
};

use crate::semantics::validate;
use crate::table::{CONFIG, MANUAL, SERVER, TABLE, TEMPLATE, TOOL};

/// The version that is written.
const VERSION: &str = "1.0.1";

/// The format, for conversion.
pub static FORMAT: Format = Format {
    name: "utcp",
    versions: &[],
    tables: &[&TABLE],
    rules: crate::rules::RULES,
    cardinality: Cardinality::Tools,
    catalog: Some(Catalog {
        member: "tools",
        frame: ["{\"utcp_version\":\"1.0.1\",\"tools\":[", "]}"],
        is_document: false,
    }),
    keys: &["name"],
    safety_features: SafetyFeatures::NONE,
    detect,
    look_alike: |_| None,
    check: validate,
    read,
    call_support: |_| CallSupport::Bridge,
    contract,
    undeclared_secrets: |tool| {
        tool.package.env.iter().filter(|variable| variable.is_secret()).collect()
    },
    file_name: |_| "manual.utcp".to_owned(),
    write_document,
    write_tool,
    bridge_needs: "a client that runs in the folder of the output, or the source in the user's store",
    host_needs: "",
};

fn detect(root: Node<'_>) -> Option<Detection> {
    let version = root.get("utcp_version")?.text()?;
    root.get("tools").filter(|tools| tools.is_array())?;
    Some(Detection {
        version: Some(version.into_owned()),
        evidence: vec!["`utcp_version` is there", "`tools` is an array"],
    })
}

/// What a client does around a call: what MCP says.
fn contract(_: &ToolDescriptor<'_>) -> Contract {
    Contract {
        extra_arguments: "passed on",
        examples: "",
        fills_defaults: false,
        keeps_timeout: false,
        environment: "that of the client",
        directory: "that of the client",
        timeout: Contract::UNSPECIFIED,
        result: "the content of the result",
        failure: "a result that says it is an error",
        host_rules: HostRules::PLAIN,
    }
}

fn read<'a>(reader: &mut Reader<'a>) -> LiftedDocument<'a> {
    let [_utcp_version, _manual_version, _info, tools] =
        table::member_values(reader.root(), &MANUAL);
    let tools = tools.into_iter().flat_map(Node::elements);
    let tools = tools.map(|node| lift(reader, node)).collect();
    LiftedDocument { tools, is_list: true, ..LiftedDocument::default() }
}

fn lift<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> ToolDescriptor<'a> {
    let [name, description, inputs, outputs, tags, _response_size, template] =
        table::member_values(node, &TOOL);
    let package = Package { tags: reader.texts(tags), ..Package::default() };
    ToolDescriptor {
        at: Some(reader.place(node)),
        id: reader.text(name).unwrap_or_default(),
        description: reader.text(description),
        input_schema: reader.raw(inputs),
        output_schema: reader.raw(outputs),
        invocation: lift_call(reader, name, template),
        package: Arc::new(package),
        ..ToolDescriptor::default()
    }
}

/// The tool of an MCP server that needs nothing but its command or its address.
fn lift_call<'a>(
    reader: &mut Reader<'a>,
    name: Option<Node<'a>>,
    template: Option<Node<'a>>,
) -> Option<Sourced<Invocation<'a>>> {
    let [kind, config] = member_values_if_any(template, &TEMPLATE);
    let [servers] = member_values_if_any(config, &CONFIG);
    let mut servers = servers.into_iter().flat_map(Node::members);
    let (Some(server), None) = (servers.next(), servers.next()) else { return None };
    let [command, args, cwd, env, url] = table::member_values(server.value, &SERVER);
    let is_mcp = kind?.text()? == "mcp";
    let is_one = command.is_some() != url.is_some() && env.is_none();
    let words = || server.value.descendants().filter_map(Node::text);
    // A client puts the values of variables in their place.
    if !is_mcp || !is_one || words().any(|word| word.contains('$')) {
        return None;
    }
    let (command, url) = (reader.text(command), reader.text(url));
    let argv = command.into_iter().chain(reader.texts(args)).collect();
    let tool = name?.text()?.into();
    let call = Invocation::McpTool(McpTool { tool, argv, cwd: reader.text(cwd), url });
    Some(call.into())
}

fn write_document(w: &mut Writer<'_>, unit: &ToolGroup<'_, '_>) -> Result<(), Diagnostic> {
    if !unit.context.same_format {
        w.member("utcp_version").assume(VERSION, "it is the version that is written");
    }
    unit.write_list(w, "tools")
}

#[allow(clippy::unnecessary_wraps)] // other formats refuse tools
fn write_tool(w: &mut Writer<'_>, lowered: &ToolContext<'_, '_>) -> Result<(), Diagnostic> {
    let ToolContext { tool, context, .. } = lowered;
    w.member("name").id(tool);
    w.copy("description", tool.description.as_ref());
    for (name, schema) in [("inputs", &tool.input_schema), ("outputs", &tool.output_schema)] {
        w.copy(name, schema.as_ref().filter(|schema| schema.as_str().starts_with('{')));
    }
    w.tags("tags", tool.package.keywords());
    if context.same_format {
        as_it_was(w, lowered);
    } else {
        w.member("tool_call_template").object(|w| write_call(w, lowered));
    }
    Ok(())
}

/// The call of the source, which descriptors have no words for.
fn as_it_was(w: &mut Writer<'_>, ToolContext { tool, context, .. }: &ToolContext<'_, '_>) {
    let Some((node, at)) = tool.at.and_then(|at| Some((context.node(at)?, at))) else { return };
    if let Some(node) = node.get("tool_call_template") {
        let value = Sourced { value: Raw::from_node(node), at: Some(at.with_node(node)) };
        w.member("tool_call_template").copy(&value);
    }
}

/// A server that has this tool of the source, and makes its calls.
fn write_call(w: &mut Writer<'_>, ToolContext { tool, context, .. }: &ToolContext<'_, '_>) {
    let mut line = vec![BridgeArg::fixed("mcp")];
    // The program and its verb are others here.
    line.extend(context.bridge_argv(tool).into_iter().skip(2));
    w.member("call_template_type").bridge("mcp");
    w.member("config").object(|w| {
        w.member("mcpServers").object(|w| {
            w.member("toolglot").object(|w| {
                w.member("command").bridge("toolglot");
                w.member("args").list(|w| BridgeArg::write_all(&line, w));
            });
        });
    });
}
