//! Lists of tools as servers and requests have them, read into descriptors.

use std::sync::Arc;

use diagnostic::Diagnostic;
use json_text::{Document, Node, Raw, Text};
use manifest_core::descriptor::{
    Example, Invocation, McpTool, Package, SideEffects, ToolDescriptor,
};
use manifest_core::{Place, Sourced};

use crate::rules;

mod gemini;

use gemini::from_gemini;

/// How an MCP server is reached. A list of its tools does not tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Server {
    /// The command that starts it.
    pub argv: Vec<String>,
    /// Where the command runs.
    pub cwd: Option<String>,
    /// Its URL.
    pub url: Option<String>,
}

/// The shape of a list of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Shape {
    /// Tools of MCP.
    Mcp,
    /// Functions of chat completions.
    OpenAiChat,
    /// Functions of Responses.
    OpenAiResponses,
    /// Tools of Anthropic.
    Anthropic,
    /// Function declarations of Gemini.
    Gemini,
}

/// What a list of tools was read into.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Ingested<'a> {
    /// The tools, in order, each with the shape that it was in.
    pub tools: Vec<(Shape, ToolDescriptor<'a>)>,
    /// What could not be read: tools that a provider runs itself, and what is no tool.
    pub left_out: Vec<Diagnostic>,
}

/// Reads a list of tools: what `tools/list` of MCP answers, alone or in its envelope, and
/// what requests to OpenAI, Anthropic and Gemini have under `tools`.
///
/// Only a tool of MCP can be called, and only where it is said how its server is reached. The
/// others are known to whoever sends the request: they have no call.
///
/// ```
/// use json_text::{Document, Limits};
/// use providers::{Server, Shape, ingest};
///
/// let text = br#"{"tools": [{"name": "add", "inputSchema": {"type": "object"},
///                            "annotations": {"readOnlyHint": true}}]}"#;
/// let document = Document::parse(text, &Limits::default())?;
/// let server = Server { url: Some("https://example.org/mcp".to_owned()), ..Server::default() };
/// let found = ingest(&document, Some(&server))?;
/// let (shape, tool) = &found.tools[0];
/// assert_eq!((*shape, tool.id.value.as_ref()), (Shape::Mcp, "add"));
/// assert!(tool.invocation.is_some());
/// # Ok::<(), diagnostic::Diagnostic>(())
/// ```
pub fn ingest<'a>(
    document: &'a Document<'a>,
    server: Option<&Server>,
) -> Result<Ingested<'a>, Diagnostic> {
    let root = document.root();
    let result = root.get("result").filter(|result| result.is_object());
    let holder = result.unwrap_or(root);
    let declarations = ["functionDeclarations", "function_declarations"];
    let own = declarations.iter().find_map(|name| holder.get(name));
    let list = holder.get("tools").or(own).unwrap_or(holder);
    if !list.is_array() {
        return Err(rules::SHAPE.at(list, "this is no list of tools"));
    }
    let mut found = Ingested::default();
    let package = Arc::new(Package::default());
    for entry in list.elements() {
        let inner = declarations.iter().find_map(|name| entry.get(name));
        let declared = inner.is_some() || own.is_some();
        let entries: Vec<Node<'a>> = match inner {
            Some(inner) => inner.elements().collect(),
            None => vec![entry],
        };
        for entry in entries {
            let shape = if declared { Some(Shape::Gemini) } else { Shape::of(entry) };
            let tool = shape.and_then(|shape| Some((shape, read(entry, shape, server, &package)?)));
            if tool.is_none() {
                let message = match shape {
                    Some(_) => "this tool has no name",
                    None => "this kind of tool has no schema to read",
                };
                found.left_out.push(rules::SHAPE.at(entry, message));
            }
            found.tools.extend(tool);
        }
    }
    Ok(found)
}

impl Shape {
    /// The shape that a tool is in, by the members that only this shape has.
    pub fn of(entry: Node<'_>) -> Option<Self> {
        let kind = entry.get("type").and_then(Node::text);
        let function = kind.as_deref().is_none_or(|kind| kind == "function");
        match () {
            () if entry.get("inputSchema").is_some() => Some(Self::Mcp),
            () if entry.get("input_schema").is_some() => Some(Self::Anthropic),
            () if entry.get("parametersJsonSchema").is_some() => Some(Self::Gemini),
            () if entry.get("parameters_json_schema").is_some() => Some(Self::Gemini),
            () if function && entry.get("function").is_some_and(Node::is_object) => {
                Some(Self::OpenAiChat)
            }
            () if kind.as_deref() == Some("function") => Some(Self::OpenAiResponses),
            () => None,
        }
    }
}

/// The place of a value.
fn place(node: Node<'_>, exact: bool) -> Place {
    Place { document: 0, entry: node.index(), exact }
}

/// A text, if it is one.
fn text(node: Option<Node<'_>>) -> Option<Sourced<Text<'_>>> {
    let node = node?;
    Some(Sourced { value: node.text()?, at: Some(place(node, true)) })
}

/// A value as it is written.
fn raw(node: Node<'_>) -> Sourced<Raw<'_>> {
    Sourced { value: Raw::from_node(node), at: Some(place(node, true)) }
}

fn read<'a>(
    entry: Node<'a>,
    shape: Shape,
    server: Option<&Server>,
    package: &Arc<Package<'a>>,
) -> Option<ToolDescriptor<'a>> {
    let own = if shape == Shape::OpenAiChat { entry.get("function")? } else { entry };
    let id = text(own.get("name")).filter(|name| !name.is_empty())?;
    let (input, output) = match shape {
        Shape::Mcp => ("inputSchema", Some("outputSchema")),
        Shape::OpenAiChat => ("parameters", None),
        Shape::OpenAiResponses => ("parameters", Some("output_schema")),
        Shape::Anthropic => ("input_schema", None),
        Shape::Gemini => ("parametersJsonSchema", Some("responseJsonSchema")),
    };
    let snake = |name: &str| own.get(name).filter(|_| shape == Shape::Gemini).map(raw);
    let gemini = |name: &str| {
        let schema = own.get(name).filter(|_| shape == Shape::Gemini)?;
        Some(Sourced { value: from_gemini(schema), at: Some(place(schema, false)) })
    };
    let schema = |name: &str| own.get(name).filter(|node| !node.is_null()).map(raw);
    let annotations = own.get("annotations").filter(|_| shape == Shape::Mcp);
    let hint = |name: &str| annotations.and_then(|hints| hints.get(name));
    let examples = own.get("input_examples").into_iter().flat_map(Node::elements);
    let invocation = server.filter(|_| shape == Shape::Mcp).map(|server| call(server, &id));
    Some(ToolDescriptor {
        at: Some(place(entry, true)),
        title: text(own.get("title")).or_else(|| text(hint("title"))),
        description: text(own.get("description")),
        input_schema: schema(input)
            .or_else(|| snake("parameters_json_schema"))
            .or_else(|| gemini("parameters")),
        output_schema: output
            .and_then(schema)
            .or_else(|| snake("response_json_schema"))
            .or_else(|| gemini("response")),
        examples: examples
            .map(|input| Example { input: Some(raw(input)), ..Example::default() })
            .collect(),
        invocation,
        side_effects: effects(hint("readOnlyHint"), hint("destructiveHint")),
        idempotent: flag(hint("idempotentHint")),
        package: Arc::clone(package),
        id,
        ..ToolDescriptor::default()
    })
}

fn flag(node: Option<Node<'_>>) -> Option<Sourced<bool>> {
    let node = node?;
    Some(Sourced { value: node.bool()?, at: Some(place(node, true)) })
}

/// What hints say of effects. Those that are not given say nothing: the worst is assumed by
/// whoever decides, and never counted as said.
fn effects(
    read_only: Option<Node<'_>>,
    destructive: Option<Node<'_>>,
) -> Option<Sourced<SideEffects>> {
    let (reads, destroys) = (flag(read_only), flag(destructive));
    match (reads, destroys) {
        // A hint that is no yes and no no is taken for the worse.
        (_, None) if destructive.is_some() => None,
        // A tool that is said to destroy is not said to be harmless.
        (_, Some(Sourced { value: true, at })) => {
            Some(Sourced { value: SideEffects::Destructive, at })
        }
        (Some(Sourced { value: true, at }), _) => Some(Sourced { value: SideEffects::Read, at }),
        (_, Some(Sourced { value: false, at })) => Some(Sourced { value: SideEffects::Write, at }),
        _ => None,
    }
}

fn call<'a>(server: &Server, name: &Sourced<Text<'a>>) -> Sourced<Invocation<'a>> {
    let owned = |text: &String| Sourced::from(Text::Owned(text.clone()));
    let tool = McpTool {
        tool: name.clone(),
        argv: server.argv.iter().map(owned).collect(),
        cwd: server.cwd.as_ref().map(owned),
        url: server.url.as_ref().map(owned),
    };
    Sourced::from(Invocation::McpTool(tool))
}
