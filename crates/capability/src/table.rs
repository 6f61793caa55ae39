//! What a capability manifest and a catalog look like, as data.

use manifest_core::table::{self, Format, Grammar, Member, Object, Shape, Table, Text, may, must};
use manifest_core::url;
use serde_json::Value;

use crate::parts::Part;
use crate::{grammar, rules};

pub(crate) static TABLE: Table = Table { root: &ROOT, versions: &["v0.1"], stated: None };

/// A manifest.
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

/// The members of a manifest.
pub(crate) static MANIFEST: [Member; 14] = [
    must("id", &Shape::SOME_TEXT).kept(Part::Id as usize),
    must("type", &Shape::Word(&["tool", "mcp_server", "skill_pack", "a2a_peer", "agent_workflow"])),
    // By the rules of SemVer, which the published schema does not know.
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

/// Where it comes from. The published schema has a URL and a path beside what the
/// specification names.
pub(crate) static ORIGIN: [Member; 5] = [
    must("source", &Shape::Word(&["url", "local"])).kept(Part::Source as usize),
    must("digest", &Shape::Text(Text::matching(&DIGEST).breaking(&rules::DIGEST)))
        .kept(Part::Digest as usize),
    may("signature", &Shape::TEXT),
    may("url", &URI).kept(Part::Url as usize),
    may("path", &Shape::TEXT).kept(Part::Path as usize),
];

/// What goes in and comes out: JSON Schemas that are objects.
pub(crate) static INTERFACES: [Member; 2] = [
    must("inputs", &Shape::Opaque).kept(Part::Inputs as usize),
    must("outputs", &Shape::Opaque).kept(Part::Outputs as usize),
];

/// What it may do.
pub(crate) static PERMISSIONS: [Member; 4] = [
    must("network", &Shape::Word(&["deny", "allowlist"])).kept(Part::Network as usize),
    must("filesystem", &Shape::Word(&["read", "write", "none"])),
    must("devices", &Shape::TEXTS).kept(Part::Devices as usize),
    may("network_allowlist", &Shape::TEXTS).kept(Part::Allowlist as usize),
];

/// What runs it.
pub(crate) static RUNTIME: [Member; 3] = [
    must("sandbox", &Shape::Word(&["process", "container"])),
    must("resources", &Shape::Object(&Object::closed(&RESOURCES))),
    may("timeout_seconds", &Shape::Number { min: Some(0), max: None }).kept(Part::Timeout as usize),
];

/// What it may use.
pub(crate) static RESOURCES: [Member; 2] = [
    must("cpu", &Shape::TEXT).kept(Part::Cpu as usize),
    must("memory", &Shape::TEXT).kept(Part::Memory as usize),
];

/// How it is run.
pub(crate) static EXECUTION: [Member; 1] =
    [may("channel", &Shape::Word(&["programmatic", "vdi_vpn"]))];

/// A secret, by reference.
pub(crate) static SECRET: [Member; 2] =
    [must("name", &Shape::SOME_TEXT), must("ref", &Shape::SOME_TEXT)];

/// What is run. The block need not be that of the kind: the checks of meaning see to it.
pub(crate) static IMPLEMENTATION: [Member; 5] = [
    must("kind", &Shape::Word(&["command", "python", "mcp_tool", "a2a_rpc"]))
        .kept(Part::Kind as usize),
    may("command", &Shape::Object(&Object::closed(&COMMAND))).kept(Part::Command as usize),
    may("python", &Shape::Object(&Object::closed(&PYTHON))).kept(Part::Python as usize),
    may("mcp", &Shape::Object(&Object::closed(&MCP))).kept(Part::Mcp as usize),
    may("a2a", &Shape::Object(&Object::closed(&A2A))).kept(Part::A2a as usize),
];

/// A program and its arguments.
pub(crate) static COMMAND: [Member; 1] =
    [must("argv", &Shape::SOME_TEXTS).kept(Part::Argv as usize)];

/// A function of a module.
pub(crate) static PYTHON: [Member; 1] =
    [must("callable", &Shape::Text(Text::matching(&CALLABLE).breaking(&rules::CALLABLE)))
        .kept(Part::Callable as usize)];

/// A tool of an MCP server.
pub(crate) static MCP: [Member; 3] = [
    must("registry_url", &URI).kept(Part::RegistryUrl as usize),
    must("tool_name", &Shape::SOME_TEXT).kept(Part::ToolName as usize),
    may("server_id", &Shape::TEXT).kept(Part::ServerId as usize),
];

/// Another agent.
pub(crate) static A2A: [Member; 1] = [must("endpoint", &URI).kept(Part::Endpoint as usize)];

pub(crate) static CATALOG_TABLE: Table =
    Table { root: &Object::open(&CATALOG), versions: &["catalog.v1"], stated: None };

/// A catalog. Nobody checks the version that it says.
pub(crate) static CATALOG: [Member; 2] = [
    may("catalog_version", &Shape::Any),
    must("capabilities", &Shape::list(&Shape::Object(&ROOT))),
];

/// A catalog whose entries are left to be checked one by one.
pub(crate) static FRAME: Table =
    Table { root: &Object::open(&FRAME_MEMBERS), versions: &["catalog.v1"], stated: None };

static FRAME_MEMBERS: [Member; 2] =
    [may("catalog_version", &Shape::Any), must("capabilities", &Shape::list(&Shape::Any))];

/// The JSON Schema (2020-12) of a manifest, as this crate understands it.
///
/// ```
/// let schema = capability::schema();
/// assert_eq!(schema["additionalProperties"], false);
/// ```
pub fn schema() -> Value {
    table::schema(&TABLE, 0)
}

/// The JSON Schema (2020-12) of a catalog, as this crate understands it.
pub fn catalog_schema() -> Value {
    table::schema(&CATALOG_TABLE, 0)
}
