//! What a list of tools looks like, as data: the entries of all five shapes in one object.
//!
//! Answers and requests are open to members that nobody knows, so all objects are, but for
//! `server`, which is ours.

use manifest_core::json::Node;
use manifest_core::table::{Condition, Member, Need, Object, Own, Shape, Table, may, must};
use providers::Shape as Kind;
use serde_json::json;

use crate::rules;

pub(crate) static TABLE: Table =
    Table { root: &Object::open(&LIST), versions: &["a list of tools"], stated: None };

/// A list: what `tools/list` answers, and how the server is reached.
pub(crate) static LIST: [Member; 7] = [
    must("tools", &Shape::list(&Shape::Object(&Object::open(&ENTRY).needing(&[KNOWN])))),
    may("server", &Shape::Object(&Object::closed(&SERVER).needing(&[REACHED]))),
    may("nextCursor", &Shape::TEXT),
    may("resultType", &Shape::TEXT),
    may("ttlMs", &Shape::Integer { min: Some(0), max: None }),
    may("cacheScope", &Shape::Word(&["public", "private"])),
    may("_meta", &Shape::Opaque),
];

/// How the server is reached.
pub(crate) static SERVER: [Member; 3] = [
    may("command", &Shape::SOME_TEXTS),
    may("cwd", &Shape::SOME_TEXT),
    may("url", &Shape::SOME_TEXT),
];

const REACHED: Need =
    Need { what: Condition::ExactlyOne(["command", "url"]), since: 0, rule: &rules::SERVER };

const SCHEMA: Shape = Shape::OneOf(&[Shape::Opaque, Shape::Bool]);

/// A tool, in any shape. Those that are one name in two shapes mean the same in both.
pub(crate) static ENTRY: [Member; 26] = [
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
    // OpenAI, some of it in Anthropic's, too.
    may("type", &Shape::TEXT),
    may("function", &Shape::Object(&Object::open(&FUNCTION))),
    may("parameters", &Shape::Opaque),
    may("output_schema", &Shape::Opaque),
    may("strict", &Shape::Any),
    may("defer_loading", &Shape::Any),
    may("allowed_callers", &Shape::Any),
    // Gemini, in both spellings that it reads.
    may("parametersJsonSchema", &SCHEMA),
    may("parameters_json_schema", &SCHEMA),
    may("responseJsonSchema", &SCHEMA),
    may("response_json_schema", &SCHEMA),
    may("behavior", &Shape::TEXT),
    may("response", &Shape::Any),
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

const KNOWN: Need = Need { what: Condition::Own(&IN_A_SHAPE), since: 0, rule: &rules::SHAPE };

static IN_A_SHAPE: Own = Own {
    check: |entry, rule, report| match Kind::of(entry) {
        None => report.add(rule, entry, "this kind of tool has no schema to read"),
        Some(Kind::OpenAiChat) if entry.get("type").is_none() => {
            report.add(rule, entry, "this function has no `type`");
        }
        Some(kind) if name(entry, kind).is_none() => {
            report.add(rule, entry, "this tool has no name");
        }
        Some(_) => {}
    },
    schema: || {
        let named =
            ["inputSchema", "input_schema", "parametersJsonSchema", "parameters_json_schema"];
        let named: Vec<_> = named.iter().map(|name| json!({ "required": [name] })).collect();
        json!({
            "if": { "anyOf": named },
            "then": { "required": ["name"] },
            "else": {
                "required": ["type"],
                "properties": { "type": { "const": "function" } },
                "anyOf": [{ "required": ["function"] }, { "required": ["name"] }],
            },
        })
    },
};

/// The object of an entry that has the name, the description and the schema.
pub(crate) fn holder(entry: Node<'_>, kind: Kind) -> Node<'_> {
    let inner = if kind == Kind::OpenAiChat { entry.get("function") } else { None };
    inner.unwrap_or(entry)
}

/// The name of a tool, where the table asks for one.
pub(crate) fn name(entry: Node<'_>, kind: Kind) -> Option<Node<'_>> {
    match kind {
        // The function's own table asks for it.
        Kind::OpenAiChat => entry.get("function"),
        _ => entry.get("name"),
    }
}

/// The members that have the schemas of a tool: that of its arguments, and that of its result.
pub(crate) fn schemas(entry: Node<'_>, kind: Kind) -> (&'static str, Option<&'static str>) {
    match kind {
        Kind::OpenAiChat => ("parameters", None),
        Kind::OpenAiResponses => ("parameters", Some("output_schema")),
        Kind::Anthropic => ("input_schema", None),
        Kind::Gemini if entry.get("parametersJsonSchema").is_none() => {
            ("parameters_json_schema", Some("response_json_schema"))
        }
        Kind::Gemini => ("parametersJsonSchema", Some("responseJsonSchema")),
        _ => ("inputSchema", Some("outputSchema")),
    }
}
