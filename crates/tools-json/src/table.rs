//! What a `tools.json` looks like, as data.

use manifest_core::table::{self, Member, Object, Shape, Table, may, must};
use serde_json::Value;

use crate::rules;

/// The specification has no versions: there is one.
pub(crate) static TABLE: Table =
    Table { root: &Object::open(&MANIFEST), versions: &["tools.json"], stated: None };

/// A manifest.
pub(crate) static MANIFEST: [Member; 1] =
    [must("tools", &Shape::list(&Shape::Object(&Object::open(&TOOL))))];

/// A tool.
pub(crate) static TOOL: [Member; 6] = [
    must("name", &Shape::SOME_TEXT).missing(&rules::NAME_REQUIRED),
    may("description", &Shape::TEXT),
    may("schema", &Shape::Opaque).mistyped(&rules::SCHEMA_TYPE),
    must("command", &Shape::SOME_TEXTS).missing(&rules::COMMAND_EMPTY),
    may("timeoutSec", &Shape::INTEGER),
    may("envPassthrough", &Shape::TEXTS),
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
