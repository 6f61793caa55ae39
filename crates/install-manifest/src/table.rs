//! The specification as data, in all five versions.
//!
//! The checks in [`structure`](crate::structure) walk this table, and
//! [`schema`](crate::schema()) converts it to JSON Schema. The members of each object are a
//! static of their own, because lifting reads them too.

use manifest_core::table::{
    Branch, Condition, Member, MemberCondition, Object, Shape, Table, TextFormat, branch, optional,
    required,
};

use crate::enums::{
    Cadence, Layout, Method, Place, RuntimeKind, Sensitivity, ThirdPartyRetention, UsageModel,
    Verb, Version,
};
use crate::manifest::{ERROR_ENVELOPES, OUTPUT_FORMATS, SIDE_EFFECTS, SUITE_FORMATS, TO_KINDS};
use crate::{conditions, grammar, rules};

const V0_1: u8 = Version::V0_1 as u8;
const V0_2: u8 = Version::V0_2 as u8;
const V0_3: u8 = Version::V0_3 as u8;
const V0_3_1: u8 = Version::V0_3_1 as u8;
const V0_4: u8 = Version::V0_4 as u8;

/// The table of a manifest, for all versions.
pub(crate) static TABLE: Table =
    Table { root: &ROOT, versions: Version::WORDS, version_member: Some("manifest_version") };

static ROOT: Object = Object::closed(&MANIFEST).with_conditions(&[
    MemberCondition {
        condition: Condition::Custom(&conditions::ACTIONS),
        since: V0_2,
        rule: &rules::ACTIONS_REQUIRED,
    },
    MemberCondition {
        condition: Condition::Custom(&conditions::DATA_BOUNDARY),
        since: V0_3,
        rule: &rules::BOUNDARY_REQUIRED,
    },
    MemberCondition {
        condition: Condition::Custom(&conditions::NOTHING_TO_REVOKE),
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
static URI: Shape = Shape::formatted(&TextFormat {
    name: "uri",
    description: "an absolute URI",
    matches: grammar::is_uri,
    rule: &rules::URI,
});
static EMAIL: Shape = Shape::formatted(&TextFormat {
    name: "email",
    description: "an e-mail address",
    matches: grammar::is_email,
    rule: &rules::EMAIL,
});
static ACTION_NAME: Shape = Shape::matching(&grammar::ACTION_NAME);
static FIELDS: Shape = Shape::List { of: &Shape::NON_EMPTY_TEXT, min: 1, max: None };
static HEADERS: Shape = Shape::Map(&Shape::TEXT);

/// The members of a manifest.
pub(crate) static MANIFEST: [Member; 12] = [
    // The version is checked separately and first, because everything else depends on it.
    required("manifest_version", &Shape::Any),
    required("tool", &Shape::Object(&Object::closed(&TOOL))),
    required("runtime", &Shape::Object(&Object::closed(&RUNTIME))),
    optional(
        "env",
        &Shape::List { of: &Shape::Object(&Object::closed(&ENV_VAR)), min: 0, max: Some(32) },
    ),
    optional(
        "scopes",
        &Shape::List { of: &Shape::Object(&Object::closed(&SCOPE)), min: 0, max: Some(32) },
    ),
    optional(
        "actions",
        &Shape::List { of: &Shape::Object(&Object::closed(&ACTION)), min: 0, max: Some(64) },
    )
    .since(V0_2),
    optional("verify", &Shape::Object(&Object::closed(&VERIFY))).since(V0_3),
    optional("data_boundary", &Shape::Object(&Object::closed(&DATA_BOUNDARY))).since(V0_3),
    required("smoke", &Shape::Union { tag: "kind", branches: SMOKE }),
    required("kill_switch", &Shape::Union { tag: "kind", branches: KILL_SWITCH }),
    optional("cost", &Shape::Object(&Object::closed(&COST))),
    optional("support", &Shape::Object(&Object::closed(&SUPPORT))),
];

pub(crate) static TOOL: [Member; 10] = [
    optional("namespace", &Shape::matching(&grammar::NAMESPACE)).since(V0_3_1),
    required("id", &Shape::matching(&grammar::TOOL_ID)),
    required("version", &Shape::matching(&grammar::VERSION)),
    required("name", &TEXT_80),
    required("summary", &TEXT_280),
    optional("description", &LONG),
    required("homepage", &URI),
    optional("author", &Shape::Object(&Object::closed(&AUTHOR))),
    optional("license", &Shape::TEXT),
    optional("tags", &Shape::List { of: &Shape::matching(&grammar::TAG), min: 0, max: Some(16) }),
];

pub(crate) static AUTHOR: [Member; 3] =
    [optional("name", &Shape::TEXT), optional("email", &EMAIL), optional("url", &URI)];

pub(crate) static RUNTIME: [Member; 4] = [
    required("kind", &Shape::Enum(RuntimeKind::WORDS)),
    required("install", &Shape::Union { tag: "method", branches: INSTALL }),
    optional("entrypoint", &Shape::Object(&Object::closed(&ENTRYPOINT))),
    optional("endpoint_url", &URI),
];

pub(crate) static ENTRYPOINT: [Member; 2] =
    [required("command", &Shape::NON_EMPTY_TEXTS), optional("cwd", &Shape::TEXT)];

static INSTALL: &[Branch] = &[
    branch("pip", &Object::closed(&PACKAGE)),
    branch("npm", &Object::closed(&PACKAGE)),
    branch("git", &Object::closed(&INSTALL_GIT)),
    branch("container", &Object::closed(&INSTALL_CONTAINER)),
    branch("url", &Object::closed(&INSTALL_URL)),
    branch("preinstalled", &Object::closed(&INSTALL_PREINSTALLED)).since(V0_4),
];

pub(crate) static INSTALL_GIT: [Member; 4] = [
    required("url", &URI),
    required("ref", &Shape::TEXT),
    optional("subpath", &Shape::TEXT),
    optional("layout", &Shape::Enum(Layout::WORDS)).since(V0_3_1),
];

pub(crate) static INSTALL_CONTAINER: [Member; 1] = [required("image", &Shape::TEXT)];

pub(crate) static INSTALL_URL: [Member; 2] =
    [required("url", &URI), required("sha256", &Shape::matching(&grammar::SHA256))];

pub(crate) static INSTALL_PREINSTALLED: [Member; 1] =
    [required("locator", &Shape::Union { tag: "kind", branches: LOCATOR })];

pub(crate) static PACKAGE: [Member; 2] =
    [required("package", &Shape::NON_EMPTY_TEXT), optional("version_spec", &Shape::TEXT)];

static LOCATOR: &[Branch] = &[
    branch("python-module", &Object::closed(&LOCATOR_PYTHON_MODULE)),
    branch("binary-on-path", &Object::closed(&LOCATOR_BINARY_ON_PATH)),
    branch("mcp-server-id", &Object::closed(&LOCATOR_MCP_SERVER_ID)),
];

pub(crate) static LOCATOR_PYTHON_MODULE: [Member; 1] = [required("module", &Shape::NON_EMPTY_TEXT)];

pub(crate) static LOCATOR_BINARY_ON_PATH: [Member; 1] =
    [required("binary", &Shape::NON_EMPTY_TEXT)];

pub(crate) static LOCATOR_MCP_SERVER_ID: [Member; 1] =
    [required("server_id", &Shape::NON_EMPTY_TEXT)];

pub(crate) static ENV_VAR: [Member; 8] = [
    required("name", &Shape::matching(&grammar::ENV_NAME)),
    required("prompt", &TEXT_280).until(V0_1),
    required("prompt", &TEXT_800).since(V0_2),
    required("secret", &Shape::Bool),
    optional("required", &Shape::Bool),
    optional("validation_regex", &Shape::TEXT),
    optional("default", &Shape::TEXT),
    optional("obtain_url", &URI),
];

pub(crate) static SCOPE: [Member; 4] = [
    required("resource", &Shape::TEXT),
    required("actions", &Shape::List { of: &Shape::Enum(Verb::WORDS), min: 1, max: None }),
    required("rationale", &TEXT_280),
    optional("provider_scope", &Shape::TEXT),
];

pub(crate) static ACTION: [Member; 13] = [
    required("name", &ACTION_NAME),
    required("summary", &TEXT_280),
    optional("description", &LONG),
    optional("docs", &Shape::Object(&Object::closed(&DOCS))).since(V0_3),
    required("invocation", &Shape::Union { tag: "kind", branches: INVOCATION }),
    optional("input", &Shape::Opaque),
    optional("output", &Shape::Object(&Object::closed(&OUTPUT))),
    required("side_effects", &Shape::Enum(SIDE_EFFECTS)),
    optional("idempotent", &Shape::Bool),
    optional("scopes_used", &Shape::TEXTS),
    optional("error_envelope", &Shape::Enum(ERROR_ENVELOPES)),
    optional(
        "examples",
        &Shape::List { of: &Shape::Object(&Object::closed(&EXAMPLE)), min: 0, max: Some(4) },
    ),
    optional("runtime_telemetry", &Shape::Opaque).since(V0_3),
];

pub(crate) static DOCS: [Member; 5] = [
    optional("goal", &GOAL),
    optional("inputs_brief", &BRIEF),
    optional("outputs_brief", &BRIEF),
    optional("errors_brief", &BRIEF),
    optional("example", &BRIEF),
];

static INVOCATION: &[Branch] = &[
    branch("subcommand", &Object::closed(&INVOCATION_SUBCOMMAND)),
    branch("stdin-json", &Object::closed(&INVOCATION_STDIN_JSON)),
    branch("http", &Object::closed(&INVOCATION_HTTP)),
    branch("mcp-tool", &Object::closed(&INVOCATION_MCP_TOOL)),
];

pub(crate) static INVOCATION_SUBCOMMAND: [Member; 1] =
    [required("argv_template", &Shape::NON_EMPTY_TEXTS)];

pub(crate) static INVOCATION_STDIN_JSON: [Member; 1] = [optional("argv_template", &Shape::TEXTS)];

pub(crate) static INVOCATION_HTTP: [Member; 3] = [
    required("method", &Shape::Enum(Method::WORDS)),
    required("path", &Shape::TEXT),
    optional("headers", &HEADERS),
];

pub(crate) static INVOCATION_MCP_TOOL: [Member; 1] = [required("tool_name", &Shape::TEXT)];

pub(crate) static OUTPUT: [Member; 2] =
    [required("format", &Shape::Enum(OUTPUT_FORMATS)), optional("schema", &Shape::Opaque)];

pub(crate) static EXAMPLE: [Member; 3] = [
    required("description", &CAPTION),
    optional("input", &Shape::Any),
    optional("output", &Shape::Any),
];

pub(crate) static VERIFY: [Member; 3] = [
    optional("suite", &Shape::Object(&Object::closed(&SUITE))),
    optional("sla", &Shape::Object(&Object::closed(&SLA))),
    optional("schedule", &Shape::Object(&Object::closed(&SCHEDULE))),
];

pub(crate) static SUITE: [Member; 4] = [
    required("ref", &Shape::NON_EMPTY_TEXT),
    required("format", &Shape::Enum(SUITE_FORMATS)),
    optional("pass_threshold", &FRACTION),
    optional("case_count", &FROM_ONE),
];

pub(crate) static SLA: [Member; 3] = [
    optional("p50_latency_ms", &FROM_ZERO),
    optional("p95_latency_ms", &FROM_ZERO),
    optional("error_rate_max", &FRACTION),
];

pub(crate) static SCHEDULE: [Member; 2] =
    [optional("cadence", &Shape::Enum(Cadence::WORDS)), optional("on_install", &Shape::Bool)];

pub(crate) static DATA_BOUNDARY: [Member; 4] = [
    optional(
        "reads",
        &Shape::List { of: &Shape::Object(&Object::closed(&READS)), min: 0, max: None },
    ),
    optional("transmits", &Shape::List { of: &Shape::Object(&TRANSMISSION), min: 0, max: None }),
    optional(
        "persists",
        &Shape::List { of: &Shape::Object(&Object::closed(&PERSISTS)), min: 0, max: None },
    ),
    optional("retention", &Shape::Object(&Object::closed(&RETENTION))),
];

pub(crate) static READS: [Member; 2] = [
    required("resource", &Shape::NON_EMPTY_TEXT),
    required("sensitivity", &Shape::Enum(Sensitivity::WORDS)),
];

static TRANSMISSION: Object = Object::closed(&TRANSMITS).with_conditions(&[
    MemberCondition {
        condition: Condition::When {
            member: "third_party_retention",
            value: "none-per-vendor-tos",
            required: "vendor_tos_url",
        },
        since: V0_3,
        rule: &rules::TERMS_URL,
    },
    MemberCondition {
        condition: Condition::ExactlyOne(["to", "to_kind"]),
        since: V0_4,
        rule: &rules::EXACTLY_ONE,
    },
]);

pub(crate) static TRANSMITS: [Member; 8] = [
    required("to", &Shape::NON_EMPTY_TEXT).until(V0_3_1),
    optional("to", &Shape::NON_EMPTY_TEXT).since(V0_4),
    optional("to_kind", &Shape::Enum(TO_KINDS)).since(V0_4),
    optional("to_constraint", &TEXT_280).since(V0_4),
    required("fields", &FIELDS),
    required("purpose", &TEXT_280),
    required("third_party_retention", &Shape::Enum(ThirdPartyRetention::WORDS)),
    optional("vendor_tos_url", &URI),
];

pub(crate) static PERSISTS: [Member; 2] =
    [required("where", &Shape::Enum(Place::WORDS)), required("fields", &FIELDS)];

pub(crate) static RETENTION: [Member; 3] = [
    optional("tool_local_days", &FROM_ZERO),
    optional("tool_cloud_days", &FROM_ZERO),
    optional("transmit_log_days", &FROM_ZERO),
];

static SMOKE: &[Branch] = &[
    branch("shell", &Object::closed(&SMOKE_SHELL)),
    branch("http", &Object::closed(&SMOKE_HTTP)),
    branch("mcp-tool-call", &Object::closed(&SMOKE_MCP_TOOL_CALL)),
    branch("action-call", &Object::closed(&SMOKE_ACTION_CALL)).since(V0_2),
];

pub(crate) static SMOKE_SHELL: [Member; 3] = [
    required("command", &Shape::NON_EMPTY_TEXTS),
    optional("timeout_seconds", &TIMEOUT),
    required("success", &Shape::Object(&Object::closed(&SUCCESS))),
];

pub(crate) static SMOKE_HTTP: [Member; 6] = [
    optional("method", &Shape::Enum(&["GET", "POST"])),
    required("url", &URI),
    optional("headers", &HEADERS),
    optional("body", &Shape::TEXT),
    optional("timeout_seconds", &TIMEOUT),
    required("success", &Shape::Object(&Object::closed(&SUCCESS))),
];

pub(crate) static SMOKE_MCP_TOOL_CALL: [Member; 4] = [
    required("tool_name", &Shape::TEXT),
    optional("arguments", &Shape::Opaque),
    optional("timeout_seconds", &TIMEOUT),
    required("success", &Shape::Object(&Object::closed(&SUCCESS))),
];

pub(crate) static SMOKE_ACTION_CALL: [Member; 4] = [
    required("action", &ACTION_NAME),
    optional("arguments", &Shape::Opaque),
    optional("timeout_seconds", &TIMEOUT),
    required("success", &Shape::Object(&Object::closed(&SUCCESS))),
];

pub(crate) static SUCCESS: [Member; 9] = [
    optional("exit_code", &Shape::INTEGER),
    optional("http_status", &Shape::INTEGER),
    optional("stdout_regex", &Shape::TEXT),
    optional("body_regex", &Shape::TEXT),
    optional("json_pointer_equals", &Shape::Opaque),
    optional("json_pointer_in", &Shape::Map(&Shape::NON_EMPTY_TEXTS)).since(V0_3_1),
    optional("json_pointer_exists", &Shape::TEXT).since(V0_3_1),
    optional("json_pointer_present", &Shape::TEXT).since(V0_3_1),
    optional("no_error_field", &Shape::Bool),
];

static KILL_SWITCH: &[Branch] = &[
    branch("none", &Object::closed(&[])).since(V0_3_1),
    branch("url", &Object::closed(&KILL_SWITCH_URL)),
    branch("shell", &Object::closed(&KILL_SWITCH_SHELL)),
    branch("manual", &Object::closed(&KILL_SWITCH_MANUAL)).until(V0_3),
    branch(
        "manual",
        &Object::closed(&KILL_SWITCH_MANUAL_TEXT).with_conditions(&[MemberCondition {
            condition: Condition::ExactlyOne(["instructions_url", "instructions"]),
            since: V0_3_1,
            rule: &rules::EXACTLY_ONE,
        }]),
    )
    .since(V0_3_1),
];

pub(crate) static KILL_SWITCH_URL: [Member; 1] = [required("url", &URI)];

pub(crate) static KILL_SWITCH_SHELL: [Member; 1] = [required("command", &Shape::NON_EMPTY_TEXTS)];

pub(crate) static KILL_SWITCH_MANUAL: [Member; 1] = [required("instructions_url", &URI)];

pub(crate) static KILL_SWITCH_MANUAL_TEXT: [Member; 2] =
    [optional("instructions_url", &URI), optional("instructions", &TEXT_2000)];

pub(crate) static COST: [Member; 4] = [
    optional("install_fee_cents", &FROM_ZERO),
    optional("monthly_fee_cents", &FROM_ZERO),
    optional("usage_model", &Shape::Enum(UsageModel::WORDS)),
    optional("estimate_url", &URI),
];

pub(crate) static SUPPORT: [Member; 3] =
    [optional("issues_url", &URI), optional("security_email", &EMAIL), optional("docs_url", &URI)];
