//! The structure of a `tools.json`, as data.

use manifest_core::table::{self, Member, Object, Shape, Table, may, must};
use serde_json::Value;

use crate::rules;

/// The table of a manifest. The specification has only one version.
pub(crate) static TABLE: Table =
    Table { root: &Object::open(&MANIFEST), versions: &["tools.json"], stated: None };

/// The members of a manifest.
pub(crate) static MANIFEST: [Member; 1] =
    [must("tools", &Shape::list(&Shape::Object(&TOOL_OBJECT)))];

/// The table of a manifest without its tools, which are checked one by one.
pub(crate) static FRAME: Table =
    Table { root: &Object::open(&FRAME_MEMBERS), versions: &["tools.json"], stated: None };

static FRAME_MEMBERS: [Member; 1] = [must("tools", &Shape::list(&Shape::Any)).kept(0)];

/// The table of one tool.
pub(crate) static TOOL_TABLE: Table =
    Table { root: &TOOL_OBJECT, versions: &["tools.json"], stated: None };

static TOOL_OBJECT: Object = Object::open(&TOOL);

/// The members of a tool. The numbers of the captured ones are the order of
/// [`Parts`](crate::parts::Parts).
pub(crate) static TOOL: [Member; 6] = [
    must("name", &Shape::SOME_TEXT).missing(&rules::NAME_REQUIRED).kept(0),
    may("description", &Shape::TEXT),
    may("schema", &Shape::Opaque).mistyped(&rules::SCHEMA_TYPE).kept(1),
    must("command", &Shape::SOME_TEXTS).missing(&rules::COMMAND_EMPTY).kept(2),
    may("timeoutSec", &Shape::INTEGER).kept(3),
    may("envPassthrough", &Shape::TEXTS).kept(4),
];

/// Returns the JSON Schema (2020-12) of a manifest, as this crate understands it. It cannot
/// express the rules of paths and variable names: see [`validate`](crate::validate()).
///
/// ```
/// let schema = tools_json::schema();
/// let tool = &schema["properties"]["tools"]["items"];
/// assert_eq!(tool["required"], serde_json::json!(["name", "command"]));
/// ```
pub fn schema() -> Value {
    table::schema(&TABLE, 0)
}
