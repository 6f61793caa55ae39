//! The shapes of a package's documents, as data.

use manifest_core::table::{
    self, Branch, Condition, CustomCondition, Grammar, Member, MemberCondition, Object, Shape,
    Table, TextFormat, TextShape, branch, optional, required,
};
use manifest_core::url;
use serde_json::{Value, json};

use crate::{id, rules};

/// A version of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Version {
    /// One endpoint, over HTTP.
    V0_1,
    /// Implementations, chains and local endpoints.
    V0_2,
}

const V0_1: u8 = Version::V0_1 as u8;
const V0_2: u8 = Version::V0_2 as u8;

pub(crate) static TABLE: Table =
    Table { root: &ROOT, versions: &["0.1", "0.2"], version_member: None };

static ROOT: Object = Object::open(&MANIFEST).with_conditions(&[MemberCondition {
    condition: Condition::Custom(&CALL_REQUIRED),
    since: V0_2,
    rule: &rules::NO_ENDPOINT,
}]);

/// The members that declare how to call a tool.
const CALL_MEMBERS: [&str; 3] = ["endpoint", "implementations", "chain"];

/// At least one of them is required. An empty list does not count.
static CALL_REQUIRED: CustomCondition = CustomCondition {
    check: |node, rule, report| {
        for name in CALL_MEMBERS {
            if let Some(way) = node.get(name)
                && (!way.is_array() || way.elements().next().is_some())
            {
                return;
            }
        }
        report.add(rule, node, "there is no endpoint, implementation or chain");
    },
    schema: || json!({ "anyOf": CALL_MEMBERS.map(|name| json!({ "required": [name] })) }),
};

static TOOL_ID: Grammar = Grammar {
    pattern: r"^[a-z0-9]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]*[a-z0-9])?)+$",
    description: "a tool id",
    matches: id::is_valid,
};

/// The grammar in the text of the SemVer specification.
static SEMVER: Grammar = Grammar {
    pattern: concat!(
        r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)",
        r"(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?",
        r"(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$",
    ),
    description: "a version such as 1.2.3 or 1.2.3-rc.1",
    matches: rules::is_version,
};

/// A token of HTTP.
pub(crate) static METHOD: Grammar = Grammar {
    pattern: r"^[0-9A-Za-z!#$%&'*+.^_`|~-]+$",
    description: "a method",
    matches: |text| {
        !text.is_empty()
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
    },
};

static URL: Shape = Shape::formatted(&TextFormat {
    name: "uri",
    description: "an absolute URI",
    matches: url::is_uri,
    rule: &rules::ENDPOINT_URL,
});

static ID: Shape = Shape::Text(
    TextShape { max: Some(255), grammar: Some(&TOOL_ID), ..TextShape::ANY }.left_to_format(),
);
static VERSION: Shape = Shape::Text(TextShape::matching(&SEMVER).left_to_format());
/// A text that must not be blank. The semantic checks report it, because a minimum length
/// accepts white space.
static NOT_BLANK: Shape = Shape::Text(TextShape { min: 1, ..TextShape::ANY }.left_to_format());
static NOT_BLANK_LIST: Shape = Shape::List { of: &NOT_BLANK, min: 1, max: None };
/// A JSON Schema is an object or a boolean.
static SCHEMA: Shape = Shape::OneOf(&[Shape::Opaque, Shape::Bool]);
/// Zero is invalid too, and the semantic checks report it.
static TIMEOUT: Shape = Shape::Number { min: Some(0), max: None };

/// A manifest. The numbers of the captured members are their order in `structure.rs`.
pub(crate) static MANIFEST: [Member; 15] = [
    required("toolId", &ID).kept(0),
    required("name", &NOT_BLANK).kept(1),
    required("version", &VERSION).kept(2),
    required("description", &NOT_BLANK).kept(3),
    required("capabilities", &NOT_BLANK_LIST).kept(4),
    required("endpoint", &ENDPOINT).until(V0_1),
    optional("endpoint", &ENDPOINT).since(V0_2).kept(5),
    optional("implementations", &Shape::list(&Shape::Object(&Object::open(&IMPLEMENTATION))))
        .since(V0_2)
        .kept(6),
    optional("chain", &Shape::list(&Shape::Object(&Object::open(&STEP)))).since(V0_2).kept(7),
    required("input_schema", &SCHEMA).kept(8).mistyped(&rules::SCHEMA_TYPE),
    required("output_schema", &SCHEMA).kept(9).mistyped(&rules::SCHEMA_TYPE),
    optional("auth", &Shape::Object(&Object::open(&AUTH))),
    optional("tests", &Shape::TEXTS).kept(10),
    optional("examples", &Shape::TEXTS).kept(11),
    optional("meta", &Shape::Object(&Object::open(&META))).kept(12),
];

static ENDPOINT: Shape = Shape::Union { tag: "type", branches: ENDPOINTS };

static ENDPOINTS: &[Branch] = &[
    branch("http", &Object::open(&ENDPOINT_HTTP)),
    branch("local", &Object::open(&ENDPOINT_LOCAL)).since(V0_2),
];

/// An endpoint over HTTP.
pub(crate) static ENDPOINT_HTTP: [Member; 3] = [
    required("method", &Shape::Text(TextShape::matching(&METHOD).left_to_format()))
        .missing(&rules::ENDPOINT_METHOD),
    required("url", &URL).missing(&rules::ENDPOINT_URL),
    optional("timeoutMs", &TIMEOUT),
];

/// An endpoint that runs a local program.
pub(crate) static ENDPOINT_LOCAL: [Member; 2] = [
    required("command", &NOT_BLANK).missing(&rules::ENDPOINT_COMMAND),
    optional("timeoutMs", &TIMEOUT),
];

/// One way to call a tool.
pub(crate) static IMPLEMENTATION: [Member; 6] = [
    optional("id", &Shape::TEXT),
    optional("language", &Shape::TEXT),
    optional("runtime", &Shape::TEXT),
    optional("platforms", &Shape::TEXTS),
    required("endpoint", &ENDPOINT),
    // The names of requirements are open. The name of a version requirement contains the
    // name of the software, as in `minNodeVersion`.
    optional("requirements", &Shape::Opaque),
];

/// One step of a chain.
pub(crate) static STEP: [Member; 4] = [
    optional("step", &Shape::TEXT),
    required("tool", &Shape::TEXT),
    optional("inputMapping", &Shape::Map(&Shape::TEXT)),
    optional("outputKey", &Shape::TEXT),
];

/// The authentication of calls.
pub(crate) static AUTH: [Member; 3] = [
    required("type", &Shape::Enum(rules::AUTH_TYPES)),
    optional("scopes", &Shape::TEXTS),
    optional("configHints", &Shape::Object(&Object::free(&CONFIG_HINTS))),
];

/// Hints for setting up the credentials. They are free in form, so even the two that the
/// specification shows accept any value.
pub(crate) static CONFIG_HINTS: [Member; 2] =
    [optional("env", &Shape::Any), optional("docsUrl", &Shape::Any)];

/// Publisher, licence, homepage and tags.
pub(crate) static META: [Member; 4] = [
    optional("publisher", &Shape::Object(&Object::open(&PUBLISHER))),
    optional("license", &Shape::TEXT),
    optional("homepage", &Shape::TEXT),
    optional("tags", &Shape::TEXTS),
];

/// The publisher of a tool.
pub(crate) static PUBLISHER: [Member; 3] = [
    optional("id", &Shape::TEXT),
    optional("name", &Shape::TEXT),
    optional("website", &Shape::TEXT),
];

pub(crate) static TEST_TABLE: Table =
    Table { root: &Object::open(&TEST), versions: &["0.1", "0.2"], version_member: None };

/// A test file.
pub(crate) static TEST: [Member; 6] = [
    required("name", &Shape::TEXT),
    optional("description", &Shape::TEXT),
    required("input", &Shape::Opaque),
    optional("expected", &Shape::Any),
    optional("assertions", &Shape::list(&Shape::Object(&Object::open(&ASSERTION)))),
    optional("timeoutMs", &TIMEOUT),
];

/// A condition on a result.
pub(crate) static ASSERTION: [Member; 5] = [
    required("path", &Shape::TEXT),
    optional("equals", &Shape::Any),
    optional("notEquals", &Shape::Any),
    optional("exists", &Shape::Bool),
    optional("notExists", &Shape::Bool),
];

/// Returns the JSON Schema (2020-12) of a manifest, as this crate checks it.
///
/// ```
/// use toolglot_mcpkg::Version;
///
/// let manifest = |version| toolglot_mcpkg::schema(version)["properties"].clone();
/// assert!(manifest(Version::V0_1).get("chain").is_none());
/// assert!(manifest(Version::V0_2).get("chain").is_some());
/// ```
pub fn schema(version: Version) -> Value {
    table::schema(&TABLE, version as u8)
}

/// Returns the JSON Schema (2020-12) of a test file, as this crate checks it.
pub fn test_schema() -> Value {
    table::schema(&TEST_TABLE, V0_1)
}
