//! What a `tools.json` looks like, as data.

use manifest_core::table::{self, Member, Object, Shape, Table, may, must};
use serde_json::Value;

use crate::rules;

/// The specification has no versions: there is one.
pub(crate) static TABLE: Table =
    Table { root: &Object::open(&MANIFEST), versions: &["tools.json"], stated: None };

/// A manifest.
pub(crate) static MANIFEST: [Member; 1] =
    [must("tools", &Shape::list(&Shape::Object(&TOOL_OBJECT)))];

/// A manifest whose tools are left to be checked one by one.
pub(crate) static FRAME: Table =
    Table { root: &Object::open(&FRAME_MEMBERS), versions: &["tools.json"], stated: None };

static FRAME_MEMBERS: [Member; 1] = [must("tools", &Shape::list(&Shape::Any)).kept(0)];

/// One of its tools.
pub(crate) static TOOL_TABLE: Table =
    Table { root: &TOOL_OBJECT, versions: &["tools.json"], stated: None };

static TOOL_OBJECT: Object = Object::open(&TOOL);

/// A tool. What is kept of it is what [`Parts`](crate::parts::Parts) has, in that order.
pub(crate) static TOOL: [Member; 6] = [
    must("name", &Shape::SOME_TEXT).missing(&rules::NAME_REQUIRED).kept(0),
    may("description", &Shape::TEXT),
    may("schema", &Shape::Opaque).mistyped(&rules::SCHEMA_TYPE).kept(1),
    must("command", &Shape::SOME_TEXTS).missing(&rules::COMMAND_EMPTY).kept(2),
    may("timeoutSec", &Shape::INTEGER).kept(3),
    may("envPassthrough", &Shape::TEXTS).kept(4),
];

/// The JSON Schema (2020-12) of a manifest, as this crate understands it. Paths and
/// names of variables are more than it can say: see [`validate`](crate::validate()).
///
/// ```
/// let schema = tools_json::schema();
/// let tool = &schema["properties"]["tools"]["items"];
/// assert_eq!(tool["required"], serde_json::json!(["name", "command"]));
/// ```
pub fn schema() -> Value {
    table::schema(&TABLE, 0)
}
