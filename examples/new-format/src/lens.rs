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
    BridgeWord, Calling, Contract, Holds, Reader, Says, Tool, Unit, Words, Writer,
};
use manifest_core::json::{Node, Raw};
use manifest_core::table::{self, entries_of};
use manifest_core::{Catalog, Detected, Diagnostic, Format, Lifted, Sourced, ToolDescriptor};

use crate::meaning::validate;
use crate::table::{CONFIG, MANUAL, SERVER, TABLE, TEMPLATE, TOOL};

/// The version that is written.
const VERSION: &str = "1.0.1";

/// The format, for conversion.
pub static FORMAT: Format = Format {
    name: "utcp",
    versions: &[],
    tables: &[&TABLE],
    rules: crate::rules::RULES,
    holds: Holds::Tools,
    catalog: Some(Catalog {
        member: "tools",
        frame: ["{\"utcp_version\":\"1.0.1\",\"tools\":[", "]}"],
        alone: false,
    }),
    keys: &["name"],
    words: Words::NONE,
    detect,
    look_alike: |_| None,
    check: validate,
    read,
    says: |_| Says::Bridge,
    contract,
    unnamed: |tool| tool.package.env.iter().filter(|variable| variable.is_secret()).collect(),
    file: |_| "manual.utcp".to_owned(),
    frame,
    entry,
    bridge_needs: "a client that runs in the folder of the output, or the source in the user's store: \
                   `convert --store` copies it there",
    host_needs: "",
};

fn detect(root: Node<'_>) -> Option<Detected> {
    let version = root.get("utcp_version")?.text()?;
    root.get("tools").filter(|tools| tools.is_array())?;
    Some(Detected {
        version: Some(version.into_owned()),
        evidence: vec!["`utcp_version` is there", "`tools` is an array"],
    })
}

/// What a client does around a call: what MCP says.
fn contract(_: &ToolDescriptor<'_>) -> Contract {
    Contract {
        unnamed: "passed on",
        examples: "",
        fills_defaults: false,
        keeps_timeout: false,
        environment: "that of the client",
        directory: "that of the client",
        timeout: Contract::NOT_SAID,
        result: "the content of the result",
        failure: "a result that says it is an error",
        calling: Calling::PLAIN,
    }
}

fn read<'a>(reader: &mut Reader<'a>) -> Lifted<'a> {
    let [_utcp_version, _manual_version, _info, tools] = table::entries(reader.root(), &MANUAL);
    let tools = tools.into_iter().flat_map(Node::elements);
    let tools = tools.map(|node| lift(reader, node)).collect();
    Lifted { tools, list: true, ..Lifted::default() }
}

fn lift<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> ToolDescriptor<'a> {
    let [name, description, inputs, outputs, tags, _response_size, template] =
        table::entries(node, &TOOL);
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
    let [kind, config] = entries_of(template, &TEMPLATE);
    let [servers] = entries_of(config, &CONFIG);
    let mut servers = servers.into_iter().flat_map(Node::members);
    let (Some(server), None) = (servers.next(), servers.next()) else { return None };
    let [command, args, cwd, env, url] = table::entries(server.value, &SERVER);
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

fn frame(w: &mut Writer<'_>, unit: &Unit<'_, '_>) -> Result<(), Diagnostic> {
    if !unit.context.own {
        w.member("utcp_version").assume(VERSION, "it is the version that is written");
    }
    unit.entries(w, "tools")
}

#[allow(clippy::unnecessary_wraps)] // other formats refuse tools
fn entry(w: &mut Writer<'_>, lowered: &Tool<'_, '_>) -> Result<(), Diagnostic> {
    let Tool { tool, context, .. } = lowered;
    w.member("name").id(tool);
    w.copy("description", tool.description.as_ref());
    for (name, schema) in [("inputs", &tool.input_schema), ("outputs", &tool.output_schema)] {
        w.copy(name, schema.as_ref().filter(|schema| schema.as_str().starts_with('{')));
    }
    w.words("tags", tool.package.words());
    if context.own {
        as_it_was(w, lowered);
    } else {
        w.member("tool_call_template").object(|w| write_call(w, lowered));
    }
    Ok(())
}

/// The call of the source, which descriptors have no words for.
fn as_it_was(w: &mut Writer<'_>, Tool { tool, context, .. }: &Tool<'_, '_>) {
    let Some((node, at)) = tool.at.and_then(|at| Some((context.node(at)?, at))) else { return };
    if let Some(node) = node.get("tool_call_template") {
        let value = Sourced { value: Raw::from_node(node), at: Some(at.of(node)) };
        w.member("tool_call_template").copy(&value);
    }
}

/// A server that has this tool of the source, and makes its calls.
fn write_call(w: &mut Writer<'_>, Tool { tool, context, .. }: &Tool<'_, '_>) {
    let mut line = vec![BridgeWord::fixed("mcp")];
    // The program and its verb are others here.
    line.extend(context.bridge(tool).into_iter().skip(2));
    w.member("call_template_type").bridge("mcp");
    w.member("config").object(|w| {
        w.member("mcpServers").object(|w| {
            w.member("toolglot").object(|w| {
                w.member("command").bridge("toolglot");
                w.member("args").list(|w| BridgeWord::write_all(&line, w));
            });
        });
    });
}
