//! The members of a list of tools as data: the entries of all five shapes in one object.
//!
//! Answers and requests may have unknown members, so all objects are open, except `server`,
//! which is our own.

use manifest_core::json::Node;
use manifest_core::table::{
    Condition, CustomCondition, Member, MemberCondition, Object, Shape, Table, optional, required,
};
use providers::Shape as Kind;
use serde_json::{Value, json};

use crate::tool_list::rules;

pub(crate) static TABLE: Table =
    Table { root: &Object::open(&LIST), versions: &["a list of tools"], version_member: None };

/// A list in the envelope of an answer.
pub(crate) static ANSWER_TABLE: Table =
    Table { root: &Object::open(&ANSWER), versions: &["2026-07-28"], version_member: None };

/// The result of `tools/list`, and the way to reach the server.
pub(crate) static LIST: [Member; 7] = [
    required("tools", &TOOLS),
    optional("server", &SERVER_SHAPE),
    optional("nextCursor", &Shape::TEXT),
    optional("resultType", &Shape::TEXT),
    optional("ttlMs", &Shape::Integer { min: Some(0), max: None }),
    optional("cacheScope", &Shape::Enum(&["public", "private"])),
    optional("_meta", &Shape::Opaque),
];

static TOOLS: Shape =
    Shape::list(&Shape::Object(&Object::open(&ENTRY).with_conditions(&[KNOWN_SHAPE])));

static SERVER_SHAPE: Shape =
    Shape::Object(&Object::closed(&SERVER).with_conditions(&[COMMAND_OR_URL]));

/// An answer, whose result is a list.
static ANSWER: [Member; 4] = [
    optional("jsonrpc", &Shape::Enum(&["2.0"])),
    optional("id", &Shape::Any),
    required("result", &Shape::Object(&Object::open(&RESULT))),
    optional("server", &SERVER_SHAPE),
];

static RESULT: [Member; 1] = [required("tools", &TOOLS)];

/// The members of `server`.
pub(crate) static SERVER: [Member; 3] = [
    optional("command", &Shape::NON_EMPTY_TEXTS),
    optional("cwd", &Shape::NON_EMPTY_TEXT),
    optional("url", &Shape::NON_EMPTY_TEXT),
];

const COMMAND_OR_URL: MemberCondition = MemberCondition {
    condition: Condition::ExactlyOne(["command", "url"]),
    since: 0,
    rule: &rules::SERVER,
};

const SCHEMA: Shape = Shape::OneOf(&[Shape::Opaque, Shape::Bool]);

/// The members of a tool, in any shape. A name in two shapes has the same meaning in both.
pub(crate) static ENTRY: [Member; 28] = [
    // MCP.
    optional("name", &Shape::TEXT),
    optional("title", &Shape::TEXT),
    optional("description", &Shape::TEXT),
    optional("inputSchema", &Shape::Opaque),
    optional("outputSchema", &SCHEMA),
    optional("annotations", &Shape::Object(&Object::open(&HINTS))),
    optional("icons", &Shape::list(&Shape::Opaque)),
    optional("execution", &Shape::Opaque),
    optional("_meta", &Shape::Opaque),
    // Anthropic.
    optional("input_schema", &Shape::Opaque),
    optional("input_examples", &Shape::list(&Shape::Opaque)),
    optional("cache_control", &Shape::Any),
    optional("eager_input_streaming", &Shape::Any),
    // OpenAI. Some exist in Anthropic's shape, too.
    optional("type", &Shape::TEXT),
    optional("function", &Shape::Object(&Object::open(&FUNCTION))),
    optional("parameters", &Shape::Opaque),
    optional("output_schema", &Shape::Opaque),
    optional("strict", &Shape::Any),
    optional("defer_loading", &Shape::Any),
    optional("allowed_callers", &Shape::Any),
    // Gemini, in both spellings that it reads: a declaration, or a list of them.
    optional("functionDeclarations", &DECLARATIONS),
    optional("function_declarations", &DECLARATIONS),
    optional("parametersJsonSchema", &SCHEMA),
    optional("parameters_json_schema", &SCHEMA),
    optional("responseJsonSchema", &SCHEMA),
    optional("response_json_schema", &SCHEMA),
    optional("behavior", &Shape::TEXT),
    optional("response", &Shape::Opaque),
];

/// Hints about a tool of MCP.
pub(crate) static HINTS: [Member; 5] = [
    optional("title", &Shape::TEXT),
    optional("readOnlyHint", &Shape::Bool),
    optional("destructiveHint", &Shape::Bool),
    optional("idempotentHint", &Shape::Bool),
    optional("openWorldHint", &Shape::Bool),
];

/// A function of chat completions.
pub(crate) static FUNCTION: [Member; 4] = [
    required("name", &Shape::TEXT),
    optional("description", &Shape::TEXT),
    optional("parameters", &Shape::Opaque),
    optional("strict", &Shape::Any),
];

static DECLARATIONS: Shape = Shape::list(&Shape::Object(&Object::open(&DECLARATION)));

/// A function of Gemini. `parameters` and `response` are schemas in its own dialect.
static DECLARATION: [Member; 9] = [
    required("name", &Shape::TEXT),
    optional("description", &Shape::TEXT),
    optional("parameters", &Shape::Opaque),
    optional("parametersJsonSchema", &SCHEMA),
    optional("parameters_json_schema", &SCHEMA),
    optional("response", &Shape::Opaque),
    optional("responseJsonSchema", &SCHEMA),
    optional("response_json_schema", &SCHEMA),
    optional("behavior", &Shape::TEXT),
];

const KNOWN_SHAPE: MemberCondition =
    MemberCondition { condition: Condition::Custom(&IN_A_SHAPE), since: 0, rule: &rules::SHAPE };

static IN_A_SHAPE: CustomCondition = CustomCondition {
    check: |entry, rule, report| match Kind::of(entry) {
        _ if declarations(entry).is_some() => {}
        None => report.add(rule, entry, "this kind of tool has no schema to read"),
        Some(Kind::OpenAiChat) if entry.get("type").is_none() => {
            report.add(rule, entry, "this function has no `type`");
        }
        // The table of the function requires its name.
        Some(Kind::OpenAiChat) => {}
        Some(_) if entry.get("name").is_none() => {
            report.add(rule, entry, "this tool has no name");
        }
        Some(_) => {}
    },
    schema: || {
        let any = |names: &[&str]| -> Vec<Value> {
            names.iter().map(|name| json!({ "required": [name] })).collect()
        };
        let named =
            any(&["inputSchema", "input_schema", "parametersJsonSchema", "parameters_json_schema"]);
        json!({
            "if": { "anyOf": any(&DECLARATION_LISTS) },
            "else": {
                "if": { "anyOf": named },
                "then": { "required": ["name"] },
                "else": {
                    "required": ["type"],
                    "properties": { "type": { "const": "function" } },
                    "anyOf": any(&["function", "name"]),
                },
            },
        })
    },
};

/// The spellings of an entry's member that is a list of declarations.
pub(crate) const DECLARATION_LISTS: [&str; 2] = ["functionDeclarations", "function_declarations"];

/// Returns the name and the value of the list of declarations in an entry.
pub(crate) fn declarations(entry: Node<'_>) -> Option<(&'static str, Node<'_>)> {
    DECLARATION_LISTS.iter().find_map(|name| Some((*name, entry.get(name)?)))
}

/// A tool of a list, either an entry or in a list of declarations.
#[derive(Clone, Copy)]
pub(crate) struct ListedTool<'a> {
    pub(crate) tool: Node<'a>,
    pub(crate) shape: Kind,
    /// The entry of the list: the tool itself, or the entry with its declaration.
    pub(crate) entry: Node<'a>,
}

/// Returns the `result` of an answer, or `None` if the document is a list.
pub(crate) fn result(root: Node<'_>) -> Option<Node<'_>> {
    root.get("result").filter(|_| root.get("tools").is_none())
}

/// Returns the `tools` of a document.
pub(crate) fn list(root: Node<'_>) -> Option<Node<'_>> {
    result(root).unwrap_or(root).get("tools").filter(|tools| tools.is_array())
}

/// Returns the tools of a document, in order. Entries in no known shape are skipped.
pub(crate) fn listed_tools(root: Node<'_>) -> impl Iterator<Item = ListedTool<'_>> {
    let entries = list(root).into_iter().flat_map(Node::elements);
    entries.flat_map(|entry| {
        let declared = declarations(entry);
        let inner = declared.into_iter().flat_map(|(_, list)| list.elements());
        let inner = inner.map(move |tool| ListedTool { tool, shape: Kind::Gemini, entry });
        let alone = if declared.is_some() { None } else { Kind::of(entry) };
        inner.chain(alone.map(|shape| ListedTool { tool: entry, shape, entry }))
    })
}

impl<'a> ListedTool<'a> {
    /// Returns the object that contains the name, the description and the schemas.
    pub(crate) fn definition(self) -> Node<'a> {
        definition(self.tool, self.shape)
    }
}

/// Returns the object of a tool that contains the name, the description and the schemas.
pub(crate) fn definition(tool: Node<'_>, shape: Kind) -> Node<'_> {
    let inner = if shape == Kind::OpenAiChat { tool.get("function") } else { None };
    inner.unwrap_or(tool)
}

/// Returns the names of the members with the input schema and the output schema of a tool.
pub(crate) fn schema_members(tool: Node<'_>, shape: Kind) -> (&'static str, Option<&'static str>) {
    let first = |[usual, others @ ..]: [&'static str; 3]| {
        let there = |name: &&str| tool.get(name).is_some();
        if there(&usual) { usual } else { others.into_iter().find(there).unwrap_or(usual) }
    };
    match shape {
        Kind::OpenAiChat => ("parameters", None),
        Kind::OpenAiResponses => ("parameters", Some("output_schema")),
        Kind::Anthropic => ("input_schema", None),
        Kind::Gemini => (
            first(["parametersJsonSchema", "parameters_json_schema", "parameters"]),
            Some(first(["responseJsonSchema", "response_json_schema", "response"])),
        ),
        _ => ("inputSchema", Some("outputSchema")),
    }
}

/// Returns true if a schema is in Gemini's dialect.
pub(crate) fn is_gemini_schema(name: &str, shape: Kind) -> bool {
    shape == Kind::Gemini && matches!(name, "parameters" | "response")
}
