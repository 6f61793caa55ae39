//! The members of a tool manifest, as data.

use manifest_core::table::{
    self, Grammar, Member, NodeMap, Object, Shape, Table, TextShape, optional, required,
};
use serde_json::Value;

use crate::{names, rules};

/// The version is that of the registry's API, `/v1`. Manifests do not declare it.
pub(crate) static TABLE: Table =
    Table { root: &Object::open(&MANIFEST), versions: &["v1"], version_member: None };

/// A member of a manifest.
#[derive(Clone, Copy)]
pub(crate) enum Key {
    Id,
    Name,
    Version,
    Summary,
    Description,
    Tags,
    Provider,
    Entry,
    Schema,
    UsesPayment,
    RequiresApproval,
    RequiredSecrets,
    Sha256,
    Runtime,
    Main,
    Export,
    Input,
    Output,
}

impl From<Key> for usize {
    fn from(key: Key) -> Self {
        key as Self
    }
}

/// The nodes of a manifest, which the check of structure captures.
pub(crate) type Nodes<'a> = NodeMap<'a, { Key::Output as usize + 1 }>;

static SHA256: Grammar = Grammar {
    pattern: "^[a-f0-9]{64}$",
    description: "64 lower-case hexadecimal digits",
    matches: names::is_sha256,
};

/// A text that must not be blank. The semantic checks judge it: a length is not enough.
static NON_BLANK_TEXT: Shape = Shape::Text(TextShape { min: 1, ..TextShape::ANY }.left_to_format());

/// A JSON Schema is an object or a boolean.
static SCHEMA: Shape = Shape::OneOf(&[Shape::Opaque, Shape::Bool]);

/// A manifest.
pub(crate) static MANIFEST: [Member; 13] = [
    required("id", &NON_BLANK_TEXT).kept(Key::Id as usize),
    required("name", &NON_BLANK_TEXT).kept(Key::Name as usize),
    required("version", &NON_BLANK_TEXT).kept(Key::Version as usize),
    required("summary", &NON_BLANK_TEXT).kept(Key::Summary as usize),
    required("description", &NON_BLANK_TEXT).kept(Key::Description as usize),
    optional("tags", &Shape::TEXTS).kept(Key::Tags as usize),
    optional("provider", &Shape::TEXT).kept(Key::Provider as usize),
    required("entry", &Shape::Object(&Object::open(&ENTRY))).kept(Key::Entry as usize),
    optional("schema", &Shape::Object(&Object::open(&SCHEMAS))).kept(Key::Schema as usize),
    // Added by the published hub.
    optional("usesPayment", &Shape::Bool).kept(Key::UsesPayment as usize),
    optional("requiresApproval", &Shape::Bool).kept(Key::RequiresApproval as usize),
    optional("requiredSecrets", &Shape::TEXTS).kept(Key::RequiredSecrets as usize),
    // Foreseen by the specification for signing.
    optional("sha256", &Shape::matching(&SHA256)).kept(Key::Sha256 as usize),
];

/// The supported runtimes.
pub(crate) static RUNTIMES: [&str; 1] = ["node"];

/// The members of `entry`.
pub(crate) static ENTRY: [Member; 3] = [
    required("runtime", &Shape::Enum(&RUNTIMES))
        .kept(Key::Runtime as usize)
        .missing(&rules::RUNTIME),
    required("main", &NON_BLANK_TEXT).kept(Key::Main as usize),
    optional("export", &Shape::TEXT).kept(Key::Export as usize),
];

/// The members of `schema`.
pub(crate) static SCHEMAS: [Member; 2] = [
    optional("input", &SCHEMA).kept(Key::Input as usize).mistyped(&rules::SCHEMA_TYPE),
    optional("output", &SCHEMA).kept(Key::Output as usize).mistyped(&rules::SCHEMA_TYPE),
];

/// Returns the JSON Schema (2020-12) of a manifest.
///
/// ```
/// let schema = toolglot_jumith::schema();
/// assert_eq!(schema["properties"]["entry"]["required"], serde_json::json!(["runtime", "main"]));
/// ```
pub fn schema() -> Value {
    table::schema(&TABLE, 0)
}
