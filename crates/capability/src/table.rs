//! The structure of capability manifests and catalogs, as data.

use manifest_core::table::{self, Format, Grammar, Member, Object, Shape, Table, Text, may, must};
use manifest_core::url;
use serde_json::Value;

use crate::parts::Part;
use crate::{grammar, rules};

pub(crate) static TABLE: Table = Table { root: &ROOT, versions: &["v0.1"], stated: None };

pub(crate) static ROOT: Object = Object::closed(&MANIFEST);

static VERSION: Grammar = Grammar {
    pattern: r"^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$",
    described: "a version such as 1.2.3 or 1.2.3-rc.1",
    matches: grammar::is_loose_version,
};

static DIGEST: Grammar = Grammar {
    pattern: "^(sha256:)?[0-9a-fA-F]{64}$",
    described: "64 hexadecimal digits, with or without \"sha256:\" before them",
    matches: grammar::is_digest,
};

static CALLABLE: Grammar = Grammar {
    pattern: r"^[A-Za-z_][A-Za-z0-9_.]*:[A-Za-z_][A-Za-z0-9_]*$",
    described: "module:function",
    matches: grammar::is_callable,
};

static URI: Shape = Shape::formatted(&Format {
    word: "uri",
    described: "an absolute URI",
    matches: url::is_uri,
    rule: &rules::URL,
});

pub(crate) static MANIFEST: [Member; 14] = [
    must("id", &Shape::SOME_TEXT).kept(Part::Id as usize),
    must("type", &Shape::Word(&["tool", "mcp_server", "skill_pack", "a2a_peer", "agent_workflow"])),
    // The format checks it by the rules of SemVer, which the published schema does not
    // contain.
    must("version", &Shape::Text(Text::matching(&VERSION).left_to_format()))
        .kept(Part::Version as usize),
    must("description", &Shape::SOME_TEXT),
    must("origin", &Shape::Object(&Object::closed(&ORIGIN))).kept(Part::Origin as usize),
    must("interfaces", &Shape::Object(&Object::closed(&INTERFACES))),
    must("permissions", &Shape::Object(&Object::closed(&PERMISSIONS)))
        .kept(Part::Permissions as usize),
    must("runtime", &Shape::Object(&Object::closed(&RUNTIME))),
    must("trust_level", &Shape::Word(&["local", "verified", "community", "untrusted"])),
    may("enabled", &Shape::Bool),
    may("requires_oauth", &Shape::Bool).kept(Part::RequiresOauth as usize),
    may("execution", &Shape::Object(&Object::closed(&EXECUTION))),
    may("secrets", &Shape::list(&Shape::Object(&Object::closed(&SECRET))))
        .kept(Part::Secrets as usize),
    may("implementation", &Shape::Object(&Object::closed(&IMPLEMENTATION)))
        .kept(Part::Implementation as usize),
];

/// The members of `origin`. `url` and `path` are in the published schema, but not in the
/// specification.
pub(crate) static ORIGIN: [Member; 5] = [
    must("source", &Shape::Word(&["url", "local"])).kept(Part::Source as usize),
    must("digest", &Shape::Text(Text::matching(&DIGEST).breaking(&rules::DIGEST)))
        .kept(Part::Digest as usize),
    may("signature", &Shape::TEXT),
    may("url", &URI).kept(Part::Url as usize),
    may("path", &Shape::TEXT).kept(Part::Path as usize),
];

/// The members of `interfaces`: JSON Schemas that are objects.
pub(crate) static INTERFACES: [Member; 2] = [
    must("inputs", &Shape::Opaque).kept(Part::Inputs as usize),
    must("outputs", &Shape::Opaque).kept(Part::Outputs as usize),
];

pub(crate) static PERMISSIONS: [Member; 4] = [
    must("network", &Shape::Word(&["deny", "allowlist"])).kept(Part::Network as usize),
    must("filesystem", &Shape::Word(&["read", "write", "none"])),
    must("devices", &Shape::TEXTS).kept(Part::Devices as usize),
    may("network_allowlist", &Shape::TEXTS).kept(Part::Allowlist as usize),
];

pub(crate) static RUNTIME: [Member; 3] = [
    must("sandbox", &Shape::Word(&["process", "container"])),
    must("resources", &Shape::Object(&Object::closed(&RESOURCES))),
    may("timeout_seconds", &Shape::Number { min: Some(0), max: None }).kept(Part::Timeout as usize),
];

pub(crate) static RESOURCES: [Member; 2] = [
    must("cpu", &Shape::TEXT).kept(Part::Cpu as usize),
    must("memory", &Shape::TEXT).kept(Part::Memory as usize),
];

pub(crate) static EXECUTION: [Member; 1] =
    [may("channel", &Shape::Word(&["programmatic", "vdi_vpn"]))];

pub(crate) static SECRET: [Member; 2] =
    [must("name", &Shape::SOME_TEXT), must("ref", &Shape::SOME_TEXT)];

/// The members of `implementation`. The semantic checks compare the blocks with the kind.
pub(crate) static IMPLEMENTATION: [Member; 5] = [
    must("kind", &Shape::Word(&["command", "python", "mcp_tool", "a2a_rpc"]))
        .kept(Part::Kind as usize),
    may("command", &Shape::Object(&Object::closed(&COMMAND))).kept(Part::Command as usize),
    may("python", &Shape::Object(&Object::closed(&PYTHON))).kept(Part::Python as usize),
    may("mcp", &Shape::Object(&Object::closed(&MCP))).kept(Part::Mcp as usize),
    may("a2a", &Shape::Object(&Object::closed(&A2A))).kept(Part::A2a as usize),
];

pub(crate) static COMMAND: [Member; 1] =
    [must("argv", &Shape::SOME_TEXTS).kept(Part::Argv as usize)];

pub(crate) static PYTHON: [Member; 1] =
    [must("callable", &Shape::Text(Text::matching(&CALLABLE).breaking(&rules::CALLABLE)))
        .kept(Part::Callable as usize)];

pub(crate) static MCP: [Member; 3] = [
    must("registry_url", &URI).kept(Part::RegistryUrl as usize),
    must("tool_name", &Shape::SOME_TEXT).kept(Part::ToolName as usize),
    may("server_id", &Shape::TEXT).kept(Part::ServerId as usize),
];

pub(crate) static A2A: [Member; 1] = [must("endpoint", &URI).kept(Part::Endpoint as usize)];

pub(crate) static CATALOG_TABLE: Table =
    Table { root: &Object::open(&CATALOG), versions: &["catalog.v1"], stated: None };

/// The members of a catalog. Readers do not check its version, so the table accepts any
/// value.
pub(crate) static CATALOG: [Member; 2] = [
    may("catalog_version", &Shape::Any),
    must("capabilities", &Shape::list(&Shape::Object(&ROOT))),
];

/// A catalog whose entries are checked one by one.
pub(crate) static FRAME: Table =
    Table { root: &Object::open(&FRAME_MEMBERS), versions: &["catalog.v1"], stated: None };

static FRAME_MEMBERS: [Member; 2] =
    [may("catalog_version", &Shape::Any), must("capabilities", &Shape::list(&Shape::Any))];

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
