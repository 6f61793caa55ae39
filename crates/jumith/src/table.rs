//! The members of a tool manifest, as data.

use manifest_core::table::{self, Grammar, Member, Object, Shape, Table, Text, may, must};
use serde_json::Value;

use crate::parts::Part;
use crate::{names, rules};

/// The version is that of the registry's API, `/v1`. Manifests do not declare it.
pub(crate) static TABLE: Table =
    Table { root: &Object::open(&MANIFEST), versions: &["v1"], stated: None };

static SHA256: Grammar = Grammar {
    pattern: "^[a-f0-9]{64}$",
    described: "64 lower-case hexadecimal digits",
    matches: names::is_sha256,
};

/// A text that must not be blank. The semantic checks judge it: a length is not enough.
static SAID: Shape = Shape::Text(Text { min: 1, ..Text::ANY }.left_to_format());

/// A JSON Schema is an object or a boolean.
static SCHEMA: Shape = Shape::OneOf(&[Shape::Opaque, Shape::Bool]);

/// A manifest.
pub(crate) static MANIFEST: [Member; 13] = [
    must("id", &SAID).kept(Part::Id as usize),
    must("name", &SAID).kept(Part::Name as usize),
    must("version", &SAID).kept(Part::Version as usize),
    must("summary", &SAID).kept(Part::Summary as usize),
    must("description", &SAID).kept(Part::Description as usize),
    may("tags", &Shape::TEXTS).kept(Part::Tags as usize),
    may("provider", &Shape::TEXT).kept(Part::Provider as usize),
    must("entry", &Shape::Object(&Object::open(&ENTRY))),
    may("schema", &Shape::Object(&Object::open(&SCHEMAS))).kept(Part::Schema as usize),
    // Added by the published hub.
    may("usesPayment", &Shape::Bool),
    may("requiresApproval", &Shape::Bool).kept(Part::RequiresApproval as usize),
    may("requiredSecrets", &Shape::TEXTS).kept(Part::RequiredSecrets as usize),
    // Foreseen by the specification for signing.
    may("sha256", &Shape::matching(&SHA256)),
];

/// The supported runtimes.
pub(crate) static RUNTIMES: [&str; 1] = ["node"];

/// The members of `entry`.
pub(crate) static ENTRY: [Member; 3] = [
    must("runtime", &Shape::Word(&RUNTIMES)).missing(&rules::RUNTIME),
    must("main", &SAID).kept(Part::Main as usize),
    may("export", &Shape::TEXT).kept(Part::Export as usize),
];

/// The members of `schema`.
pub(crate) static SCHEMAS: [Member; 2] = [
    may("input", &SCHEMA).kept(Part::Input as usize).mistyped(&rules::SCHEMA_TYPE),
    may("output", &SCHEMA).kept(Part::Output as usize).mistyped(&rules::SCHEMA_TYPE),
];

/// Returns the JSON Schema (2020-12) of a manifest.
///
/// ```
/// let schema = jumith::schema();
/// assert_eq!(schema["properties"]["entry"]["required"], serde_json::json!(["runtime", "main"]));
/// ```
pub fn schema() -> Value {
    table::schema(&TABLE, 0)
}
