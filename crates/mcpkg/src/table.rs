//! The shapes of a package's documents, as data.

use manifest_core::json::Node;
use manifest_core::table::{
    self, Branch, Condition, Format, Grammar, Member, Need, Object, Own, Shape, Table, Text,
    branch, may, must,
};
use manifest_core::url;
use serde_json::{Value, json};

use crate::parts::Part;
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

pub(crate) static TABLE: Table = Table { root: &ROOT, versions: &["0.1", "0.2"], stated: None };

static ROOT: Object = Object::open(&MANIFEST).needing(&[Need {
    what: Condition::Own(&SOME_WAY),
    since: V0_2,
    rule: &rules::NO_ENDPOINT,
}]);

/// The members that declare how to call a tool.
const WAYS: [&str; 3] = ["endpoint", "implementations", "chain"];

/// At least one of them is required. An empty list does not count.
static SOME_WAY: Own = Own {
    check: |node, rule, report| {
        let is_empty = |way: Node<'_>| way.is_array() && way.elements().next().is_none();
        if WAYS.iter().filter_map(|name| node.get(name)).all(is_empty) {
            report.add(rule, node, "there is no endpoint, implementation or chain");
        }
    },
    schema: || json!({ "anyOf": WAYS.map(|name| json!({ "required": [name] })) }),
};

static TOOL_ID: Grammar = Grammar {
    pattern: r"^[a-z0-9]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]*[a-z0-9])?)+$",
    described: "a tool id",
    matches: id::is_valid,
};

/// The grammar in the text of the SemVer specification.
static SEMVER: Grammar = Grammar {
    pattern: concat!(
        r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)",
        r"(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?",
        r"(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$",
    ),
    described: "a version such as 1.2.3 or 1.2.3-rc.1",
    matches: rules::is_version,
};

/// A token of HTTP.
pub(crate) static METHOD: Grammar = Grammar {
    pattern: r"^[0-9A-Za-z!#$%&'*+.^_`|~-]+$",
    described: "a method",
    matches: |text| {
        let token = |b: &u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(b);
        !text.is_empty() && text.as_bytes().iter().all(token)
    },
};

static URL: Shape = Shape::formatted(&Format {
    word: "uri",
    described: "an absolute URI",
    matches: url::is_uri,
    rule: &rules::ENDPOINT_URL,
});

static ID: Shape =
    Shape::Text(Text { max: Some(255), grammar: Some(&TOOL_ID), ..Text::ANY }.left_to_format());
static VERSION: Shape = Shape::Text(Text::matching(&SEMVER).left_to_format());
/// A text that must not be blank. The semantic checks report it, because a minimum length
/// accepts white space.
static SAID: Shape = Shape::Text(Text { min: 1, ..Text::ANY }.left_to_format());
static SOME_SAID: Shape = Shape::List { of: &SAID, min: 1, max: None };
/// A JSON Schema is an object or a boolean.
static SCHEMA: Shape = Shape::OneOf(&[Shape::Opaque, Shape::Bool]);
/// Zero is invalid too, and the semantic checks report it.
static TIMEOUT: Shape = Shape::Number { min: Some(0), max: None };

/// A manifest.
pub(crate) static MANIFEST: [Member; 15] = [
    must("toolId", &ID).kept(Part::ToolId as usize),
    must("name", &SAID).kept(Part::Name as usize),
    must("version", &VERSION).kept(Part::Version as usize),
    must("description", &SAID).kept(Part::Description as usize),
    must("capabilities", &SOME_SAID).kept(Part::Capabilities as usize),
    must("endpoint", &ENDPOINT).until(V0_1),
    may("endpoint", &ENDPOINT).since(V0_2).kept(Part::Endpoint as usize),
    may("implementations", &Shape::list(&Shape::Object(&Object::open(&IMPLEMENTATION))))
        .since(V0_2)
        .kept(Part::Implementations as usize),
    may("chain", &Shape::list(&Shape::Object(&Object::open(&STEP))))
        .since(V0_2)
        .kept(Part::Chain as usize),
    must("input_schema", &SCHEMA).kept(Part::Input as usize).mistyped(&rules::SCHEMA_TYPE),
    must("output_schema", &SCHEMA).kept(Part::Output as usize).mistyped(&rules::SCHEMA_TYPE),
    may("auth", &Shape::Object(&Object::open(&AUTH))),
    may("tests", &Shape::TEXTS).kept(Part::Tests as usize),
    may("examples", &Shape::TEXTS).kept(Part::Examples as usize),
    may("meta", &Shape::Object(&Object::open(&META))).kept(Part::Meta as usize),
];

static ENDPOINT: Shape = Shape::Union { tag: "type", branches: ENDPOINTS };

static ENDPOINTS: &[Branch] = &[
    branch("http", &Object::open(&ENDPOINT_HTTP)),
    branch("local", &Object::open(&ENDPOINT_LOCAL)).since(V0_2),
];

/// An endpoint over HTTP.
pub(crate) static ENDPOINT_HTTP: [Member; 3] = [
    must("method", &Shape::Text(Text::matching(&METHOD).left_to_format()))
        .missing(&rules::ENDPOINT_METHOD),
    must("url", &URL).missing(&rules::ENDPOINT_URL),
    may("timeoutMs", &TIMEOUT),
];

/// An endpoint that runs a local program.
pub(crate) static ENDPOINT_LOCAL: [Member; 2] =
    [must("command", &SAID).missing(&rules::ENDPOINT_COMMAND), may("timeoutMs", &TIMEOUT)];

/// One way to call a tool.
pub(crate) static IMPLEMENTATION: [Member; 6] = [
    may("id", &Shape::TEXT),
    may("language", &Shape::TEXT),
    may("runtime", &Shape::TEXT),
    may("platforms", &Shape::TEXTS),
    must("endpoint", &ENDPOINT),
    // The names of requirements are open. The name of a version requirement contains the
    // name of the software, as in `minNodeVersion`.
    may("requirements", &Shape::Opaque),
];

/// One step of a chain.
pub(crate) static STEP: [Member; 4] = [
    may("step", &Shape::TEXT),
    must("tool", &Shape::TEXT),
    may("inputMapping", &Shape::Map(&Shape::TEXT)),
    may("outputKey", &Shape::TEXT),
];

/// The authentication of calls.
pub(crate) static AUTH: [Member; 3] = [
    must("type", &Shape::Word(rules::AUTH_TYPES)),
    may("scopes", &Shape::TEXTS),
    may("configHints", &Shape::Object(&Object::free(&CONFIG_HINTS))),
];

/// Hints for setting up the credentials. They are free in form, so even the two that the
/// specification shows accept any value.
pub(crate) static CONFIG_HINTS: [Member; 2] =
    [may("env", &Shape::Any), may("docsUrl", &Shape::Any)];

/// Publisher, licence, homepage and tags.
pub(crate) static META: [Member; 4] = [
    may("publisher", &Shape::Object(&Object::open(&PUBLISHER))),
    may("license", &Shape::TEXT),
    may("homepage", &Shape::TEXT),
    may("tags", &Shape::TEXTS),
];

/// The publisher of a tool.
pub(crate) static PUBLISHER: [Member; 3] =
    [may("id", &Shape::TEXT), may("name", &Shape::TEXT), may("website", &Shape::TEXT)];

pub(crate) static TEST_TABLE: Table =
    Table { root: &Object::open(&TEST), versions: &["0.1", "0.2"], stated: None };

/// A test file.
pub(crate) static TEST: [Member; 6] = [
    must("name", &Shape::TEXT),
    may("description", &Shape::TEXT),
    must("input", &Shape::Opaque),
    may("expected", &Shape::Any),
    may("assertions", &Shape::list(&Shape::Object(&Object::open(&ASSERTION)))),
    may("timeoutMs", &TIMEOUT),
];

/// A condition on a result.
pub(crate) static ASSERTION: [Member; 5] = [
    must("path", &Shape::TEXT),
    may("equals", &Shape::Any),
    may("notEquals", &Shape::Any),
    may("exists", &Shape::Bool),
    may("notExists", &Shape::Bool),
];

/// Returns the JSON Schema (2020-12) of a manifest, as this crate checks it.
///
/// ```
/// use mcpkg::Version;
///
/// let manifest = |version| mcpkg::schema(version)["properties"].clone();
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
