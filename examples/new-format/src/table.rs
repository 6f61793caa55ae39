//! What a UTCP manual looks like, as data.
//!
//! Clients pass over members that they do not know, so all objects are open. What a call
//! template holds is for the plugin of its type to say.

use manifest_core::has_control;
use manifest_core::table::{Grammar, Member, Object, Shape, Table, may, must};

pub(crate) static TABLE: Table =
    Table { root: &Object::open(&MANUAL), versions: &["1"], stated: None };

/// Names are words of command lines, and are shown to people.
static NAME: Grammar = Grammar {
    pattern: r"^[^\x00-\x1f\x7f-\x9f]+$",
    described: "a name without control characters",
    matches: |text| !text.is_empty() && !has_control(text),
};

/// A manual.
pub(crate) static MANUAL: [Member; 4] = [
    must("utcp_version", &Shape::TEXT),
    may("manual_version", &Shape::TEXT),
    may("info", &Shape::Object(&Object::open(&INFO))),
    must("tools", &Shape::list(&Shape::Object(&Object::open(&TOOL)))),
];

static INFO: [Member; 3] =
    [may("title", &Shape::TEXT), may("version", &Shape::TEXT), may("description", &Shape::TEXT)];

/// A tool.
pub(crate) static TOOL: [Member; 7] = [
    must("name", &Shape::matching(&NAME)),
    may("description", &Shape::TEXT),
    may("inputs", &Shape::Opaque),
    may("outputs", &Shape::Opaque),
    may("tags", &Shape::TEXTS),
    may("average_response_size", &Shape::INTEGER),
    must("tool_call_template", &Shape::Object(&Object::open(&TEMPLATE))),
];

/// How it is called.
pub(crate) static TEMPLATE: [Member; 2] = [
    must("call_template_type", &Shape::SOME_TEXT),
    may("config", &Shape::Object(&Object::open(&CONFIG))),
];

/// The servers of a template of the type `mcp`.
pub(crate) static CONFIG: [Member; 1] =
    [may("mcpServers", &Shape::Map(&Shape::Object(&Object::open(&SERVER))))];

/// How one of them is reached.
pub(crate) static SERVER: [Member; 5] = [
    may("command", &Shape::SOME_TEXT),
    may("args", &Shape::TEXTS),
    may("cwd", &Shape::TEXT),
    may("env", &Shape::Map(&Shape::TEXT)),
    may("url", &Shape::SOME_TEXT),
];
