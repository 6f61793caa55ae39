//! What a UTCP manual looks like, as data.
//!
//! Clients pass over members that they do not know, so all objects are open. What a call
//! template holds is for the plugin of its type to say.

use manifest_core::has_control;
use manifest_core::table::{Grammar, Member, Object, Shape, Table, optional, required};

pub(crate) static TABLE: Table =
    Table { root: &Object::open(&MANUAL), versions: &["1"], version_member: None };

/// Names are words of command lines, and are shown to people.
static NAME: Grammar = Grammar {
    pattern: r"^[^\x00-\x1f\x7f-\x9f]+$",
    description: "a name without control characters",
    matches: |text| !text.is_empty() && !has_control(text),
};

/// A manual.
pub(crate) static MANUAL: [Member; 4] = [
    required("utcp_version", &Shape::TEXT),
    optional("manual_version", &Shape::TEXT),
    optional("info", &Shape::Object(&Object::open(&INFO))),
    required("tools", &Shape::list(&Shape::Object(&Object::open(&TOOL)))),
];

static INFO: [Member; 3] = [
    optional("title", &Shape::TEXT),
    optional("version", &Shape::TEXT),
    optional("description", &Shape::TEXT),
];

/// A tool.
pub(crate) static TOOL: [Member; 7] = [
    required("name", &Shape::matching(&NAME)),
    optional("description", &Shape::TEXT),
    optional("inputs", &Shape::Opaque),
    optional("outputs", &Shape::Opaque),
    optional("tags", &Shape::TEXTS),
    optional("average_response_size", &Shape::INTEGER),
    required("tool_call_template", &Shape::Object(&Object::open(&TEMPLATE))),
];

/// How it is called.
pub(crate) static TEMPLATE: [Member; 2] = [
    required("call_template_type", &Shape::NON_EMPTY_TEXT),
    optional("config", &Shape::Object(&Object::open(&CONFIG))),
];

/// The servers of a template of the type `mcp`.
pub(crate) static CONFIG: [Member; 1] =
    [optional("mcpServers", &Shape::Map(&Shape::Object(&Object::open(&SERVER))))];

/// How one of them is reached.
pub(crate) static SERVER: [Member; 5] = [
    optional("command", &Shape::NON_EMPTY_TEXT),
    optional("args", &Shape::TEXTS),
    optional("cwd", &Shape::TEXT),
    optional("env", &Shape::Map(&Shape::TEXT)),
    optional("url", &Shape::NON_EMPTY_TEXT),
];
