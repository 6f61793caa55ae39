//! The structure of a `tools.json`, as data.

use manifest_core::table::{self, Member, Object, Shape, Table, optional, required};
use serde_json::Value;

use crate::rules;

/// The table of a manifest. The specification has only one version.
pub(crate) static TABLE: Table =
    Table { root: &Object::open(&MANIFEST), versions: &["tools.json"], version_member: None };

/// The members of a manifest.
pub(crate) static MANIFEST: [Member; 1] =
    [required("tools", &Shape::list(&Shape::Object(&TOOL_OBJECT)))];

/// The table of a manifest without its tools, which are checked one by one.
pub(crate) static DOCUMENT_TABLE: Table = Table {
    root: &Object::open(&DOCUMENT_MEMBERS),
    versions: &["tools.json"],
    version_member: None,
};

static DOCUMENT_MEMBERS: [Member; 1] = [required("tools", &Shape::list(&Shape::Any)).kept(0)];

/// The table of one tool.
pub(crate) static TOOL_TABLE: Table =
    Table { root: &TOOL_OBJECT, versions: &["tools.json"], version_member: None };

static TOOL_OBJECT: Object = Object::open(&TOOL);

/// The members of a tool. The numbers of the captured ones are the order of
/// [`ToolNodes`](crate::structure::ToolNodes).
pub(crate) static TOOL: [Member; 6] = [
    required("name", &Shape::NON_EMPTY_TEXT).missing(&rules::NAME_REQUIRED).kept(0),
    optional("description", &Shape::TEXT),
    optional("schema", &Shape::Opaque).mistyped(&rules::SCHEMA_TYPE).kept(1),
    required("command", &Shape::NON_EMPTY_TEXTS).missing(&rules::COMMAND_EMPTY).kept(2),
    optional("timeoutSec", &Shape::INTEGER).kept(3),
    optional("envPassthrough", &Shape::TEXTS).kept(4),
];

/// Returns the JSON Schema (2020-12) of a manifest, as this crate understands it. It cannot
/// express the rules of paths and variable names: see [`validate`](crate::validate()).
///
/// ```
/// let schema = toolglot_tools_json::schema();
/// let tool = &schema["properties"]["tools"]["items"];
/// assert_eq!(tool["required"], serde_json::json!(["name", "command"]));
/// ```
pub fn schema() -> Value {
    table::schema(&TABLE, 0)
}
