//! The structure of capability manifests and catalogs, as data.

use manifest_core::table::{
    self, Grammar, Member, Object, Shape, Table, TextFormat, TextShape, optional, required,
};
use manifest_core::url;
use serde_json::Value;

use crate::node_map::NodeKey;
use crate::{grammar, rules};

pub(crate) static TABLE: Table = Table { root: &ROOT, versions: &["v0.1"], version_member: None };

pub(crate) static ROOT: Object = Object::closed(&MANIFEST);

static VERSION: Grammar = Grammar {
    pattern: r"^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$",
    description: "a version such as 1.2.3 or 1.2.3-rc.1",
    matches: grammar::is_loose_version,
};

static DIGEST: Grammar = Grammar {
    pattern: "^(sha256:)?[0-9a-fA-F]{64}$",
    description: "64 hexadecimal digits, with or without \"sha256:\" before them",
    matches: grammar::is_digest,
};

static CALLABLE: Grammar = Grammar {
    pattern: r"^[A-Za-z_][A-Za-z0-9_.]*:[A-Za-z_][A-Za-z0-9_]*$",
    description: "module:function",
    matches: grammar::is_callable,
};

static URI: Shape = Shape::formatted(&TextFormat {
    name: "uri",
    description: "an absolute URI",
    matches: url::is_uri,
    rule: &rules::URL,
});

pub(crate) static MANIFEST: [Member; 14] = [
    required("id", &Shape::NON_EMPTY_TEXT).kept(NodeKey::Id as usize),
    required(
        "type",
        &Shape::Enum(&["tool", "mcp_server", "skill_pack", "a2a_peer", "agent_workflow"]),
    ),
    // The format checks it by the rules of SemVer, which the published schema does not
    // contain.
    required("version", &Shape::Text(TextShape::matching(&VERSION).left_to_format()))
        .kept(NodeKey::Version as usize),
    required("description", &Shape::NON_EMPTY_TEXT),
    required("origin", &Shape::Object(&Object::closed(&ORIGIN))).kept(NodeKey::Origin as usize),
    required("interfaces", &Shape::Object(&Object::closed(&INTERFACES))),
    required("permissions", &Shape::Object(&Object::closed(&PERMISSIONS)))
        .kept(NodeKey::Permissions as usize),
    required("runtime", &Shape::Object(&Object::closed(&RUNTIME))),
    required("trust_level", &Shape::Enum(&["local", "verified", "community", "untrusted"])),
    optional("enabled", &Shape::Bool),
    optional("requires_oauth", &Shape::Bool).kept(NodeKey::RequiresOauth as usize),
    optional("execution", &Shape::Object(&Object::closed(&EXECUTION))),
    optional("secrets", &Shape::list(&Shape::Object(&Object::closed(&SECRET))))
        .kept(NodeKey::Secrets as usize),
    optional("implementation", &Shape::Object(&Object::closed(&IMPLEMENTATION)))
        .kept(NodeKey::Implementation as usize),
];

/// The members of `origin`. `url` and `path` are in the published schema, but not in the
/// specification.
pub(crate) static ORIGIN: [Member; 5] = [
    required("source", &Shape::Enum(&["url", "local"])).kept(NodeKey::Source as usize),
    required("digest", &Shape::Text(TextShape::matching(&DIGEST).with_rule(&rules::DIGEST)))
        .kept(NodeKey::Digest as usize),
    optional("signature", &Shape::TEXT),
    optional("url", &URI).kept(NodeKey::Url as usize),
    optional("path", &Shape::TEXT).kept(NodeKey::Path as usize),
];

/// The members of `interfaces`: JSON Schemas that are objects.
pub(crate) static INTERFACES: [Member; 2] = [
    required("inputs", &Shape::Opaque).kept(NodeKey::Inputs as usize),
    required("outputs", &Shape::Opaque).kept(NodeKey::Outputs as usize),
];

pub(crate) static PERMISSIONS: [Member; 4] = [
    required("network", &Shape::Enum(&["deny", "allowlist"])).kept(NodeKey::Network as usize),
    required("filesystem", &Shape::Enum(&["read", "write", "none"])),
    required("devices", &Shape::TEXTS).kept(NodeKey::Devices as usize),
    optional("network_allowlist", &Shape::TEXTS).kept(NodeKey::Allowlist as usize),
];

pub(crate) static RUNTIME: [Member; 3] = [
    required("sandbox", &Shape::Enum(&["process", "container"])),
    required("resources", &Shape::Object(&Object::closed(&RESOURCES))),
    optional("timeout_seconds", &Shape::Number { min: Some(0), max: None })
        .kept(NodeKey::Timeout as usize),
];

pub(crate) static RESOURCES: [Member; 2] = [
    required("cpu", &Shape::TEXT).kept(NodeKey::Cpu as usize),
    required("memory", &Shape::TEXT).kept(NodeKey::Memory as usize),
];

pub(crate) static EXECUTION: [Member; 1] =
    [optional("channel", &Shape::Enum(&["programmatic", "vdi_vpn"]))];

pub(crate) static SECRET: [Member; 2] =
    [required("name", &Shape::NON_EMPTY_TEXT), required("ref", &Shape::NON_EMPTY_TEXT)];

/// The members of `implementation`. The semantic checks compare the blocks with the kind.
pub(crate) static IMPLEMENTATION: [Member; 5] = [
    required("kind", &Shape::Enum(&["command", "python", "mcp_tool", "a2a_rpc"]))
        .kept(NodeKey::Kind as usize),
    optional("command", &Shape::Object(&Object::closed(&COMMAND))).kept(NodeKey::Command as usize),
    optional("python", &Shape::Object(&Object::closed(&PYTHON))).kept(NodeKey::Python as usize),
    optional("mcp", &Shape::Object(&Object::closed(&MCP))).kept(NodeKey::Mcp as usize),
    optional("a2a", &Shape::Object(&Object::closed(&A2A))).kept(NodeKey::A2a as usize),
];

pub(crate) static COMMAND: [Member; 1] =
    [required("argv", &Shape::NON_EMPTY_TEXTS).kept(NodeKey::Argv as usize)];

pub(crate) static PYTHON: [Member; 1] = [required(
    "callable",
    &Shape::Text(TextShape::matching(&CALLABLE).with_rule(&rules::CALLABLE)),
)
.kept(NodeKey::Callable as usize)];

pub(crate) static MCP: [Member; 3] = [
    required("registry_url", &URI).kept(NodeKey::RegistryUrl as usize),
    required("tool_name", &Shape::NON_EMPTY_TEXT).kept(NodeKey::ToolName as usize),
    optional("server_id", &Shape::TEXT).kept(NodeKey::ServerId as usize),
];

pub(crate) static A2A: [Member; 1] = [required("endpoint", &URI).kept(NodeKey::Endpoint as usize)];

pub(crate) static CATALOG_TABLE: Table =
    Table { root: &Object::open(&CATALOG), versions: &["catalog.v1"], version_member: None };

/// The members of a catalog. Readers do not check its version, so the table accepts any
/// value.
pub(crate) static CATALOG: [Member; 2] = [
    optional("catalog_version", &Shape::Any),
    required("capabilities", &Shape::list(&Shape::Object(&ROOT))),
];

/// A catalog whose entries are checked one by one.
pub(crate) static FRAME: Table =
    Table { root: &Object::open(&FRAME_MEMBERS), versions: &["catalog.v1"], version_member: None };

static FRAME_MEMBERS: [Member; 2] =
    [optional("catalog_version", &Shape::Any), required("capabilities", &Shape::list(&Shape::Any))];

/// Returns the JSON Schema (2020-12) of a manifest, by the rules of this crate.
///
/// ```
/// let schema = capability::schema();
/// assert_eq!(schema["additionalProperties"], false);
/// ```
pub fn schema() -> Value {
    table::schema(&TABLE, 0)
}

/// Returns the JSON Schema (2020-12) of a catalog, by the rules of this crate.
pub fn catalog_schema() -> Value {
    table::schema(&CATALOG_TABLE, 0)
}
