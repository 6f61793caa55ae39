//! The specification as data, in all five versions.
//!
//! The checks in [`structure`](crate::structure) walk this table, and
//! [`schema`](crate::schema()) converts it to JSON Schema. The members of each object are a
//! static of their own, because lifting reads them too.

use manifest_core::table::{
    Branch, Condition, Format, Member, Need, Object, Shape, Table, branch, may, must,
};

use crate::manifest::{ERROR_ENVELOPES, OUTPUT_FORMATS, SIDE_EFFECTS, SUITE_FORMATS, TO_KINDS};
use crate::words::{
    Cadence, Layout, Method, Place, RuntimeKind, Sensitivity, ThirdPartyRetention, UsageModel,
    Verb, Version,
};
use crate::{conditions, grammar, rules};

const V0_1: u8 = Version::V0_1 as u8;
const V0_2: u8 = Version::V0_2 as u8;
const V0_3: u8 = Version::V0_3 as u8;
const V0_3_1: u8 = Version::V0_3_1 as u8;
const V0_4: u8 = Version::V0_4 as u8;

/// The table of a manifest, for all versions.
pub(crate) static TABLE: Table =
    Table { root: &ROOT, versions: Version::WORDS, stated: Some("manifest_version") };

static ROOT: Object = Object::closed(&MANIFEST).needing(&[
    Need {
        what: Condition::Own(&conditions::ACTIONS),
        since: V0_2,
        rule: &rules::ACTIONS_REQUIRED,
    },
    Need {
        what: Condition::Own(&conditions::DATA_BOUNDARY),
        since: V0_3,
        rule: &rules::BOUNDARY_REQUIRED,
    },
    Need {
        what: Condition::Own(&conditions::NOTHING_TO_REVOKE),
        since: V0_3_1,
        rule: &rules::NOTHING_TO_REVOKE,
    },
]);

static FRACTION: Shape = Shape::Number { min: Some(0), max: Some(1) };
static FROM_ZERO: Shape = Shape::Integer { min: Some(0), max: None };
static FROM_ONE: Shape = Shape::Integer { min: Some(1), max: None };
static TIMEOUT: Shape = Shape::Integer { min: Some(1), max: Some(300) };
static TEXT_80: Shape = Shape::text(1, 80);
static TEXT_280: Shape = Shape::text(1, 280);
static TEXT_800: Shape = Shape::text(1, 800);
static TEXT_2000: Shape = Shape::text(1, 2000);
static GOAL: Shape = Shape::text(1, 200);
static BRIEF: Shape = Shape::text(0, 200);
static CAPTION: Shape = Shape::text(0, 280);
static LONG: Shape = Shape::text(0, 4000);
static URI: Shape = Shape::formatted(&Format {
    word: "uri",
    described: "an absolute URI",
    matches: grammar::is_uri,
    rule: &rules::URI,
});
static EMAIL: Shape = Shape::formatted(&Format {
    word: "email",
    described: "an e-mail address",
    matches: grammar::is_email,
    rule: &rules::EMAIL,
});
static ACTION_NAME: Shape = Shape::matching(&grammar::ACTION_NAME);
static FIELDS: Shape = Shape::List { of: &Shape::SOME_TEXT, min: 1, max: None };
static HEADERS: Shape = Shape::Map(&Shape::TEXT);

/// The members of a manifest.
pub(crate) static MANIFEST: [Member; 12] = [
    // The version is checked separately and first, because everything else depends on it.
    must("manifest_version", &Shape::Any),
    must("tool", &Shape::Object(&Object::closed(&TOOL))),
    must("runtime", &Shape::Object(&Object::closed(&RUNTIME))),
    may(
        "env",
        &Shape::List { of: &Shape::Object(&Object::closed(&ENV_VAR)), min: 0, max: Some(32) },
    ),
    may(
        "scopes",
        &Shape::List { of: &Shape::Object(&Object::closed(&SCOPE)), min: 0, max: Some(32) },
    ),
    may(
        "actions",
        &Shape::List { of: &Shape::Object(&Object::closed(&ACTION)), min: 0, max: Some(64) },
    )
    .since(V0_2),
    may("verify", &Shape::Object(&Object::closed(&VERIFY))).since(V0_3),
    may("data_boundary", &Shape::Object(&Object::closed(&DATA_BOUNDARY))).since(V0_3),
    must("smoke", &Shape::Union { tag: "kind", branches: SMOKE }),
    must("kill_switch", &Shape::Union { tag: "kind", branches: KILL_SWITCH }),
    may("cost", &Shape::Object(&Object::closed(&COST))),
    may("support", &Shape::Object(&Object::closed(&SUPPORT))),
];

pub(crate) static TOOL: [Member; 10] = [
    may("namespace", &Shape::matching(&grammar::NAMESPACE)).since(V0_3_1),
    must("id", &Shape::matching(&grammar::TOOL_ID)),
    must("version", &Shape::matching(&grammar::VERSION)),
    must("name", &TEXT_80),
    must("summary", &TEXT_280),
    may("description", &LONG),
    must("homepage", &URI),
    may("author", &Shape::Object(&Object::closed(&AUTHOR))),
    may("license", &Shape::TEXT),
    may("tags", &Shape::List { of: &Shape::matching(&grammar::TAG), min: 0, max: Some(16) }),
];

pub(crate) static AUTHOR: [Member; 3] =
    [may("name", &Shape::TEXT), may("email", &EMAIL), may("url", &URI)];

pub(crate) static RUNTIME: [Member; 4] = [
    must("kind", &Shape::Word(RuntimeKind::WORDS)),
    must("install", &Shape::Union { tag: "method", branches: INSTALL }),
    may("entrypoint", &Shape::Object(&Object::closed(&ENTRYPOINT))),
    may("endpoint_url", &URI),
];

pub(crate) static ENTRYPOINT: [Member; 2] =
    [must("command", &Shape::SOME_TEXTS), may("cwd", &Shape::TEXT)];

static INSTALL: &[Branch] = &[
    branch("pip", &Object::closed(&PACKAGE)),
    branch("npm", &Object::closed(&PACKAGE)),
    branch("git", &Object::closed(&INSTALL_GIT)),
    branch("container", &Object::closed(&INSTALL_CONTAINER)),
    branch("url", &Object::closed(&INSTALL_URL)),
    branch("preinstalled", &Object::closed(&INSTALL_PREINSTALLED)).since(V0_4),
];

pub(crate) static INSTALL_GIT: [Member; 4] = [
    must("url", &URI),
    must("ref", &Shape::TEXT),
    may("subpath", &Shape::TEXT),
    may("layout", &Shape::Word(Layout::WORDS)).since(V0_3_1),
];

pub(crate) static INSTALL_CONTAINER: [Member; 1] = [must("image", &Shape::TEXT)];

pub(crate) static INSTALL_URL: [Member; 2] =
    [must("url", &URI), must("sha256", &Shape::matching(&grammar::SHA256))];

pub(crate) static INSTALL_PREINSTALLED: [Member; 1] =
    [must("locator", &Shape::Union { tag: "kind", branches: LOCATOR })];

pub(crate) static PACKAGE: [Member; 2] =
    [must("package", &Shape::SOME_TEXT), may("version_spec", &Shape::TEXT)];

static LOCATOR: &[Branch] = &[
    branch("python-module", &Object::closed(&LOCATOR_PYTHON_MODULE)),
    branch("binary-on-path", &Object::closed(&LOCATOR_BINARY_ON_PATH)),
    branch("mcp-server-id", &Object::closed(&LOCATOR_MCP_SERVER_ID)),
];

pub(crate) static LOCATOR_PYTHON_MODULE: [Member; 1] = [must("module", &Shape::SOME_TEXT)];

pub(crate) static LOCATOR_BINARY_ON_PATH: [Member; 1] = [must("binary", &Shape::SOME_TEXT)];

pub(crate) static LOCATOR_MCP_SERVER_ID: [Member; 1] = [must("server_id", &Shape::SOME_TEXT)];

pub(crate) static ENV_VAR: [Member; 8] = [
    must("name", &Shape::matching(&grammar::ENV_NAME)),
    must("prompt", &TEXT_280).until(V0_1),
    must("prompt", &TEXT_800).since(V0_2),
    must("secret", &Shape::Bool),
    may("required", &Shape::Bool),
    may("validation_regex", &Shape::TEXT),
    may("default", &Shape::TEXT),
    may("obtain_url", &URI),
];

pub(crate) static SCOPE: [Member; 4] = [
    must("resource", &Shape::TEXT),
    must("actions", &Shape::List { of: &Shape::Word(Verb::WORDS), min: 1, max: None }),
    must("rationale", &TEXT_280),
    may("provider_scope", &Shape::TEXT),
];

pub(crate) static ACTION: [Member; 13] = [
    must("name", &ACTION_NAME),
    must("summary", &TEXT_280),
    may("description", &LONG),
    may("docs", &Shape::Object(&Object::closed(&DOCS))).since(V0_3),
    must("invocation", &Shape::Union { tag: "kind", branches: INVOCATION }),
    may("input", &Shape::Opaque),
    may("output", &Shape::Object(&Object::closed(&OUTPUT))),
    must("side_effects", &Shape::Word(SIDE_EFFECTS)),
    may("idempotent", &Shape::Bool),
    may("scopes_used", &Shape::TEXTS),
    may("error_envelope", &Shape::Word(ERROR_ENVELOPES)),
    may(
        "examples",
        &Shape::List { of: &Shape::Object(&Object::closed(&EXAMPLE)), min: 0, max: Some(4) },
    ),
    may("runtime_telemetry", &Shape::Opaque).since(V0_3),
];

pub(crate) static DOCS: [Member; 5] = [
    may("goal", &GOAL),
    may("inputs_brief", &BRIEF),
    may("outputs_brief", &BRIEF),
    may("errors_brief", &BRIEF),
    may("example", &BRIEF),
];

static INVOCATION: &[Branch] = &[
    branch("subcommand", &Object::closed(&INVOCATION_SUBCOMMAND)),
    branch("stdin-json", &Object::closed(&INVOCATION_STDIN_JSON)),
    branch("http", &Object::closed(&INVOCATION_HTTP)),
    branch("mcp-tool", &Object::closed(&INVOCATION_MCP_TOOL)),
];

pub(crate) static INVOCATION_SUBCOMMAND: [Member; 1] = [must("argv_template", &Shape::SOME_TEXTS)];

pub(crate) static INVOCATION_STDIN_JSON: [Member; 1] = [may("argv_template", &Shape::TEXTS)];

pub(crate) static INVOCATION_HTTP: [Member; 3] = [
    must("method", &Shape::Word(Method::WORDS)),
    must("path", &Shape::TEXT),
    may("headers", &HEADERS),
];

pub(crate) static INVOCATION_MCP_TOOL: [Member; 1] = [must("tool_name", &Shape::TEXT)];

pub(crate) static OUTPUT: [Member; 2] =
    [must("format", &Shape::Word(OUTPUT_FORMATS)), may("schema", &Shape::Opaque)];

pub(crate) static EXAMPLE: [Member; 3] =
    [must("description", &CAPTION), may("input", &Shape::Any), may("output", &Shape::Any)];

pub(crate) static VERIFY: [Member; 3] = [
    may("suite", &Shape::Object(&Object::closed(&SUITE))),
    may("sla", &Shape::Object(&Object::closed(&SLA))),
    may("schedule", &Shape::Object(&Object::closed(&SCHEDULE))),
];

pub(crate) static SUITE: [Member; 4] = [
    must("ref", &Shape::SOME_TEXT),
    must("format", &Shape::Word(SUITE_FORMATS)),
    may("pass_threshold", &FRACTION),
    may("case_count", &FROM_ONE),
];

pub(crate) static SLA: [Member; 3] = [
    may("p50_latency_ms", &FROM_ZERO),
    may("p95_latency_ms", &FROM_ZERO),
    may("error_rate_max", &FRACTION),
];

pub(crate) static SCHEDULE: [Member; 2] =
    [may("cadence", &Shape::Word(Cadence::WORDS)), may("on_install", &Shape::Bool)];

pub(crate) static DATA_BOUNDARY: [Member; 4] = [
    may("reads", &Shape::List { of: &Shape::Object(&Object::closed(&READS)), min: 0, max: None }),
    may("transmits", &Shape::List { of: &Shape::Object(&TRANSMISSION), min: 0, max: None }),
    may(
        "persists",
        &Shape::List { of: &Shape::Object(&Object::closed(&PERSISTS)), min: 0, max: None },
    ),
    may("retention", &Shape::Object(&Object::closed(&RETENTION))),
];

pub(crate) static READS: [Member; 2] =
    [must("resource", &Shape::SOME_TEXT), must("sensitivity", &Shape::Word(Sensitivity::WORDS))];

static TRANSMISSION: Object = Object::closed(&TRANSMITS).needing(&[
    Need {
        what: Condition::When {
            member: "third_party_retention",
            is: "none-per-vendor-tos",
            required: "vendor_tos_url",
        },
        since: V0_3,
        rule: &rules::TERMS_URL,
    },
    Need { what: Condition::ExactlyOne(["to", "to_kind"]), since: V0_4, rule: &rules::EXACTLY_ONE },
]);

pub(crate) static TRANSMITS: [Member; 8] = [
    must("to", &Shape::SOME_TEXT).until(V0_3_1),
    may("to", &Shape::SOME_TEXT).since(V0_4),
    may("to_kind", &Shape::Word(TO_KINDS)).since(V0_4),
    may("to_constraint", &TEXT_280).since(V0_4),
    must("fields", &FIELDS),
    must("purpose", &TEXT_280),
    must("third_party_retention", &Shape::Word(ThirdPartyRetention::WORDS)),
    may("vendor_tos_url", &URI),
];

pub(crate) static PERSISTS: [Member; 2] =
    [must("where", &Shape::Word(Place::WORDS)), must("fields", &FIELDS)];

pub(crate) static RETENTION: [Member; 3] = [
    may("tool_local_days", &FROM_ZERO),
    may("tool_cloud_days", &FROM_ZERO),
    may("transmit_log_days", &FROM_ZERO),
];

static SMOKE: &[Branch] = &[
    branch("shell", &Object::closed(&SMOKE_SHELL)),
    branch("http", &Object::closed(&SMOKE_HTTP)),
    branch("mcp-tool-call", &Object::closed(&SMOKE_MCP_TOOL_CALL)),
    branch("action-call", &Object::closed(&SMOKE_ACTION_CALL)).since(V0_2),
];

pub(crate) static SMOKE_SHELL: [Member; 3] = [
    must("command", &Shape::SOME_TEXTS),
    may("timeout_seconds", &TIMEOUT),
    must("success", &Shape::Object(&Object::closed(&SUCCESS))),
];

pub(crate) static SMOKE_HTTP: [Member; 6] = [
    may("method", &Shape::Word(&["GET", "POST"])),
    must("url", &URI),
    may("headers", &HEADERS),
    may("body", &Shape::TEXT),
    may("timeout_seconds", &TIMEOUT),
    must("success", &Shape::Object(&Object::closed(&SUCCESS))),
];

pub(crate) static SMOKE_MCP_TOOL_CALL: [Member; 4] = [
    must("tool_name", &Shape::TEXT),
    may("arguments", &Shape::Opaque),
    may("timeout_seconds", &TIMEOUT),
    must("success", &Shape::Object(&Object::closed(&SUCCESS))),
];

pub(crate) static SMOKE_ACTION_CALL: [Member; 4] = [
    must("action", &ACTION_NAME),
    may("arguments", &Shape::Opaque),
    may("timeout_seconds", &TIMEOUT),
    must("success", &Shape::Object(&Object::closed(&SUCCESS))),
];

pub(crate) static SUCCESS: [Member; 9] = [
    may("exit_code", &Shape::INTEGER),
    may("http_status", &Shape::INTEGER),
    may("stdout_regex", &Shape::TEXT),
    may("body_regex", &Shape::TEXT),
    may("json_pointer_equals", &Shape::Opaque),
    may("json_pointer_in", &Shape::Map(&Shape::SOME_TEXTS)).since(V0_3_1),
    may("json_pointer_exists", &Shape::TEXT).since(V0_3_1),
    may("json_pointer_present", &Shape::TEXT).since(V0_3_1),
    may("no_error_field", &Shape::Bool),
];

static KILL_SWITCH: &[Branch] = &[
    branch("none", &Object::closed(&[])).since(V0_3_1),
    branch("url", &Object::closed(&KILL_SWITCH_URL)),
    branch("shell", &Object::closed(&KILL_SWITCH_SHELL)),
    branch("manual", &Object::closed(&KILL_SWITCH_MANUAL)).until(V0_3),
    branch(
        "manual",
        &Object::closed(&KILL_SWITCH_MANUAL_TEXT).needing(&[Need {
            what: Condition::ExactlyOne(["instructions_url", "instructions"]),
            since: V0_3_1,
            rule: &rules::EXACTLY_ONE,
        }]),
    )
    .since(V0_3_1),
];

pub(crate) static KILL_SWITCH_URL: [Member; 1] = [must("url", &URI)];

pub(crate) static KILL_SWITCH_SHELL: [Member; 1] = [must("command", &Shape::SOME_TEXTS)];

pub(crate) static KILL_SWITCH_MANUAL: [Member; 1] = [must("instructions_url", &URI)];

pub(crate) static KILL_SWITCH_MANUAL_TEXT: [Member; 2] =
    [may("instructions_url", &URI), may("instructions", &TEXT_2000)];

pub(crate) static COST: [Member; 4] = [
    may("install_fee_cents", &FROM_ZERO),
    may("monthly_fee_cents", &FROM_ZERO),
    may("usage_model", &Shape::Word(UsageModel::WORDS)),
    may("estimate_url", &URI),
];

pub(crate) static SUPPORT: [Member; 3] =
    [may("issues_url", &URI), may("security_email", &EMAIL), may("docs_url", &URI)];
