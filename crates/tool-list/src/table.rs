//! The members of a list of tools as data: the entries of all five shapes in one object.
//!
//! Answers and requests may have unknown members, so all objects are open, except `server`,
//! which is our own.

use manifest_core::json::Node;
use manifest_core::table::{Condition, Member, Need, Object, Own, Shape, Table, may, must};
use providers::Shape as Kind;
use serde_json::{Value, json};

use crate::rules;

pub(crate) static TABLE: Table =
    Table { root: &Object::open(&LIST), versions: &["a list of tools"], stated: None };

/// A list in the envelope of an answer.
pub(crate) static ANSWER_TABLE: Table =
    Table { root: &Object::open(&ANSWER), versions: &["2026-07-28"], stated: None };

/// The result of `tools/list`, and the way to reach the server.
pub(crate) static LIST: [Member; 7] = [
    must("tools", &TOOLS),
    may("server", &REACH),
    may("nextCursor", &Shape::TEXT),
    may("resultType", &Shape::TEXT),
    may("ttlMs", &Shape::Integer { min: Some(0), max: None }),
    may("cacheScope", &Shape::Word(&["public", "private"])),
    may("_meta", &Shape::Opaque),
];

static TOOLS: Shape = Shape::list(&Shape::Object(&Object::open(&ENTRY).needing(&[KNOWN])));

static REACH: Shape = Shape::Object(&Object::closed(&SERVER).needing(&[REACHED]));

/// An answer, whose result is a list.
static ANSWER: [Member; 4] = [
    may("jsonrpc", &Shape::Word(&["2.0"])),
    may("id", &Shape::Any),
    must("result", &Shape::Object(&Object::open(&RESULT))),
    may("server", &REACH),
];

static RESULT: [Member; 1] = [must("tools", &TOOLS)];

/// The members of `server`.
pub(crate) static SERVER: [Member; 3] = [
    may("command", &Shape::SOME_TEXTS),
    may("cwd", &Shape::SOME_TEXT),
    may("url", &Shape::SOME_TEXT),
];

const REACHED: Need =
    Need { what: Condition::ExactlyOne(["command", "url"]), since: 0, rule: &rules::SERVER };

const SCHEMA: Shape = Shape::OneOf(&[Shape::Opaque, Shape::Bool]);

/// The members of a tool, in any shape. A name in two shapes has the same meaning in both.
pub(crate) static ENTRY: [Member; 28] = [
    // MCP.
    may("name", &Shape::TEXT),
    may("title", &Shape::TEXT),
    may("description", &Shape::TEXT),
    may("inputSchema", &Shape::Opaque),
    may("outputSchema", &SCHEMA),
    may("annotations", &Shape::Object(&Object::open(&HINTS))),
    may("icons", &Shape::list(&Shape::Opaque)),
    may("execution", &Shape::Opaque),
    may("_meta", &Shape::Opaque),
    // Anthropic.
    may("input_schema", &Shape::Opaque),
    may("input_examples", &Shape::list(&Shape::Opaque)),
    may("cache_control", &Shape::Any),
    may("eager_input_streaming", &Shape::Any),
    // OpenAI. Some exist in Anthropic's shape, too.
    may("type", &Shape::TEXT),
    may("function", &Shape::Object(&Object::open(&FUNCTION))),
    may("parameters", &Shape::Opaque),
    may("output_schema", &Shape::Opaque),
    may("strict", &Shape::Any),
    may("defer_loading", &Shape::Any),
    may("allowed_callers", &Shape::Any),
    // Gemini, in both spellings that it reads: a declaration, or a list of them.
    may("functionDeclarations", &DECLARATIONS),
    may("function_declarations", &DECLARATIONS),
    may("parametersJsonSchema", &SCHEMA),
    may("parameters_json_schema", &SCHEMA),
    may("responseJsonSchema", &SCHEMA),
    may("response_json_schema", &SCHEMA),
    may("behavior", &Shape::TEXT),
    may("response", &Shape::Opaque),
];

/// Hints about a tool of MCP.
pub(crate) static HINTS: [Member; 5] = [
    may("title", &Shape::TEXT),
    may("readOnlyHint", &Shape::Bool),
    may("destructiveHint", &Shape::Bool),
    may("idempotentHint", &Shape::Bool),
    may("openWorldHint", &Shape::Bool),
];

/// A function of chat completions.
pub(crate) static FUNCTION: [Member; 4] = [
    must("name", &Shape::TEXT),
    may("description", &Shape::TEXT),
    may("parameters", &Shape::Opaque),
    may("strict", &Shape::Any),
];

static DECLARATIONS: Shape = Shape::list(&Shape::Object(&Object::open(&DECLARATION)));

/// A function of Gemini. `parameters` and `response` are schemas in its own dialect.
static DECLARATION: [Member; 9] = [
    must("name", &Shape::TEXT),
    may("description", &Shape::TEXT),
    may("parameters", &Shape::Opaque),
    may("parametersJsonSchema", &SCHEMA),
    may("parameters_json_schema", &SCHEMA),
    may("response", &Shape::Opaque),
    may("responseJsonSchema", &SCHEMA),
    may("response_json_schema", &SCHEMA),
    may("behavior", &Shape::TEXT),
];

const KNOWN: Need = Need { what: Condition::Own(&IN_A_SHAPE), since: 0, rule: &rules::SHAPE };

static IN_A_SHAPE: Own = Own {
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
            "if": { "anyOf": any(&GROUPS) },
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
pub(crate) const GROUPS: [&str; 2] = ["functionDeclarations", "function_declarations"];

/// Returns the name and the value of the list of declarations in an entry.
pub(crate) fn declarations(entry: Node<'_>) -> Option<(&'static str, Node<'_>)> {
    GROUPS.iter().find_map(|name| Some((*name, entry.get(name)?)))
}

/// A tool of a list, either an entry or in a list of declarations.
#[derive(Clone, Copy)]
pub(crate) struct Listed<'a> {
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
pub(crate) fn listed(root: Node<'_>) -> impl Iterator<Item = Listed<'_>> {
    let entries = list(root).into_iter().flat_map(Node::elements);
    entries.flat_map(|entry| {
        let declared = declarations(entry);
        let inner = declared.into_iter().flat_map(|(_, list)| list.elements());
        let inner = inner.map(move |tool| Listed { tool, shape: Kind::Gemini, entry });
        let alone = if declared.is_some() { None } else { Kind::of(entry) };
        inner.chain(alone.map(|shape| Listed { tool: entry, shape, entry }))
    })
}

impl<'a> Listed<'a> {
    /// Returns the object that contains the name, the description and the schemas.
    pub(crate) fn holder(self) -> Node<'a> {
        holder(self.tool, self.shape)
    }
}

/// Returns the object of a tool that contains the name, the description and the schemas.
pub(crate) fn holder(tool: Node<'_>, shape: Kind) -> Node<'_> {
    let inner = if shape == Kind::OpenAiChat { tool.get("function") } else { None };
    inner.unwrap_or(tool)
}

/// Returns the names of the members with the input schema and the output schema of a tool.
pub(crate) fn schemas(tool: Node<'_>, shape: Kind) -> (&'static str, Option<&'static str>) {
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
pub(crate) fn is_in_own_words(name: &str, shape: Kind) -> bool {
    shape == Kind::Gemini && matches!(name, "parameters" | "response")
}
