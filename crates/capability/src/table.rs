//! The structure of capability manifests and catalogs, as data.

use manifest_core::table::{
    self, Grammar, Member, NodeMap, Object, Shape, Table, TextFormat, TextShape, optional, required,
};
use manifest_core::url;
use serde_json::Value;

use crate::{grammar, rules};

/// A member of a manifest. Members of the elements of lists have no keys.
#[derive(Clone, Copy)]
pub(crate) enum Key {
    Id,
    Type,
    Version,
    Description,
    Origin,
    Permissions,
    Trust,
    Enabled,
    RequiresOauth,
    Secrets,
    Implementation,
    Source,
    Digest,
    Signature,
    Url,
    Path,
    Inputs,
    Outputs,
    Network,
    Filesystem,
    Devices,
    Allowlist,
    Sandbox,
    Timeout,
    Cpu,
    Memory,
    Channel,
    Kind,
    Command,
    Python,
    Mcp,
    A2a,
    Argv,
    Callable,
    RegistryUrl,
    ToolName,
    ServerId,
    Endpoint,
}

impl From<Key> for usize {
    fn from(key: Key) -> Self {
        key as Self
    }
}

/// The nodes of a manifest, which the check of structure captures.
pub(crate) type Nodes<'a> = NodeMap<'a, { Key::Endpoint as usize + 1 }>;

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
    required("id", &Shape::NON_EMPTY_TEXT).kept(Key::Id as usize),
    required("type", &Shape::Enum(&TYPES)).kept(Key::Type as usize),
    // The format checks it by the rules of SemVer, which the published schema does not
    // contain.
    required("version", &Shape::Text(TextShape::matching(&VERSION).left_to_format()))
        .kept(Key::Version as usize),
    required("description", &Shape::NON_EMPTY_TEXT).kept(Key::Description as usize),
    required("origin", &Shape::Object(&Object::closed(&ORIGIN))).kept(Key::Origin as usize),
    required("interfaces", &Shape::Object(&Object::closed(&INTERFACES))),
    required("permissions", &Shape::Object(&Object::closed(&PERMISSIONS)))
        .kept(Key::Permissions as usize),
    required("runtime", &Shape::Object(&Object::closed(&RUNTIME))),
    required("trust_level", &Shape::Enum(&["local", "verified", "community", "untrusted"]))
        .kept(Key::Trust as usize),
    optional("enabled", &Shape::Bool).kept(Key::Enabled as usize),
    optional("requires_oauth", &Shape::Bool).kept(Key::RequiresOauth as usize),
    optional("execution", &Shape::Object(&Object::closed(&EXECUTION))),
    optional("secrets", &Shape::list(&Shape::Object(&Object::closed(&SECRET))))
        .kept(Key::Secrets as usize),
    optional("implementation", &Shape::Object(&Object::closed(&IMPLEMENTATION)))
        .kept(Key::Implementation as usize),
];

static TYPES: [&str; 5] = ["tool", "mcp_server", "skill_pack", "a2a_peer", "agent_workflow"];

/// The members of `origin`. `url` and `path` are in the published schema, but not in the
/// specification.
pub(crate) static ORIGIN: [Member; 5] = [
    required("source", &Shape::Enum(&["url", "local"])).kept(Key::Source as usize),
    required("digest", &Shape::Text(TextShape::matching(&DIGEST).with_rule(&rules::DIGEST)))
        .kept(Key::Digest as usize),
    optional("signature", &Shape::TEXT).kept(Key::Signature as usize),
    optional("url", &URI).kept(Key::Url as usize),
    optional("path", &Shape::TEXT).kept(Key::Path as usize),
];

/// The members of `interfaces`: JSON Schemas that are objects.
pub(crate) static INTERFACES: [Member; 2] = [
    required("inputs", &Shape::Opaque).kept(Key::Inputs as usize),
    required("outputs", &Shape::Opaque).kept(Key::Outputs as usize),
];

pub(crate) static PERMISSIONS: [Member; 4] = [
    required("network", &Shape::Enum(&["deny", "allowlist"])).kept(Key::Network as usize),
    required("filesystem", &Shape::Enum(&["read", "write", "none"])).kept(Key::Filesystem as usize),
    required("devices", &Shape::TEXTS).kept(Key::Devices as usize),
    optional("network_allowlist", &Shape::TEXTS).kept(Key::Allowlist as usize),
];

pub(crate) static RUNTIME: [Member; 3] = [
    required("sandbox", &Shape::Enum(&["process", "container"])).kept(Key::Sandbox as usize),
    required("resources", &Shape::Object(&Object::closed(&RESOURCES))),
    optional("timeout_seconds", &Shape::Number { min: Some(0), max: None })
        .kept(Key::Timeout as usize),
];

pub(crate) static RESOURCES: [Member; 2] = [
    required("cpu", &Shape::TEXT).kept(Key::Cpu as usize),
    required("memory", &Shape::TEXT).kept(Key::Memory as usize),
];

pub(crate) static EXECUTION: [Member; 1] =
    [optional("channel", &Shape::Enum(&["programmatic", "vdi_vpn"])).kept(Key::Channel as usize)];

pub(crate) static SECRET: [Member; 2] =
    [required("name", &Shape::NON_EMPTY_TEXT), required("ref", &Shape::NON_EMPTY_TEXT)];

/// The members of `implementation`. The semantic checks compare the blocks with the kind.
pub(crate) static IMPLEMENTATION: [Member; 5] = [
    required("kind", &Shape::Enum(&["command", "python", "mcp_tool", "a2a_rpc"]))
        .kept(Key::Kind as usize),
    optional("command", &Shape::Object(&Object::closed(&COMMAND))).kept(Key::Command as usize),
    optional("python", &Shape::Object(&Object::closed(&PYTHON))).kept(Key::Python as usize),
    optional("mcp", &Shape::Object(&Object::closed(&MCP))).kept(Key::Mcp as usize),
    optional("a2a", &Shape::Object(&Object::closed(&A2A))).kept(Key::A2a as usize),
];

pub(crate) static COMMAND: [Member; 1] =
    [required("argv", &Shape::NON_EMPTY_TEXTS).kept(Key::Argv as usize)];

pub(crate) static PYTHON: [Member; 1] = [required(
    "callable",
    &Shape::Text(TextShape::matching(&CALLABLE).with_rule(&rules::CALLABLE)),
)
.kept(Key::Callable as usize)];

pub(crate) static MCP: [Member; 3] = [
    required("registry_url", &URI).kept(Key::RegistryUrl as usize),
    required("tool_name", &Shape::NON_EMPTY_TEXT).kept(Key::ToolName as usize),
    optional("server_id", &Shape::TEXT).kept(Key::ServerId as usize),
];

pub(crate) static A2A: [Member; 1] = [required("endpoint", &URI).kept(Key::Endpoint as usize)];

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
/// let schema = toolglot_capability::schema();
/// assert_eq!(schema["additionalProperties"], false);
/// ```
pub fn schema() -> Value {
    table::schema(&TABLE, 0)
}

/// Returns the JSON Schema (2020-12) of a catalog, by the rules of this crate.
pub fn catalog_schema() -> Value {
    table::schema(&CATALOG_TABLE, 0)
}
