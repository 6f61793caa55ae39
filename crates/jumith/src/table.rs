//! What a tool manifest looks like, as data: what `describe` answers with, and what a
//! bundle holds.

use manifest_core::table::{self, Grammar, Member, Object, Shape, Table, Text, may, must};
use serde_json::Value;

use crate::parts::Part;
use crate::{names, rules};

/// The registry's interface is `/v1`, and manifests say nothing of it.
pub(crate) static TABLE: Table =
    Table { root: &Object::open(&MANIFEST), versions: &["v1"], stated: None };

static SHA256: Grammar = Grammar {
    pattern: "^[a-f0-9]{64}$",
    described: "64 lower-case hexadecimal digits",
    matches: names::is_sha256,
};

/// A text that is not blank, which a length alone does not tell.
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
    // The published hub adds it.
    may("usesPayment", &Shape::Bool),
    may("requiresApproval", &Shape::Bool).kept(Part::RequiresApproval as usize),
    may("requiredSecrets", &Shape::TEXTS).kept(Part::RequiredSecrets as usize),
    // What the specification foresees for signing.
    may("sha256", &Shape::matching(&SHA256)),
];

/// The runtimes that there are.
pub(crate) static RUNTIMES: [&str; 1] = ["node"];

/// What is run.
pub(crate) static ENTRY: [Member; 3] = [
    must("runtime", &Shape::Word(&RUNTIMES)).missing(&rules::RUNTIME),
    must("main", &SAID).kept(Part::Main as usize),
    may("export", &Shape::TEXT).kept(Part::Export as usize),
];

/// What goes into a tool and comes out.
pub(crate) static SCHEMAS: [Member; 2] = [
    may("input", &SCHEMA).kept(Part::Input as usize).mistyped(&rules::SCHEMA_TYPE),
    may("output", &SCHEMA).kept(Part::Output as usize).mistyped(&rules::SCHEMA_TYPE),
];

/// The JSON Schema (2020-12) of a manifest, as this crate understands it.
///
/// ```
/// let schema = jumith::schema();
/// assert_eq!(schema["properties"]["entry"]["required"], serde_json::json!(["runtime", "main"]));
/// ```
pub fn schema() -> Value {
    table::schema(&TABLE, 0)
}
