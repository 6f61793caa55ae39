//! The specification, all five versions of it.

use super::{Branch, Condition, Format, Grammar, Member, Need, Object, Shape, Text};
use crate::manifest::{ERROR_ENVELOPES, OUTPUT_FORMATS, SIDE_EFFECTS, SUITE_FORMATS, TO_KINDS};
use crate::words::{
    Cadence, Layout, Method, Place, RuntimeKind, Sensitivity, ThirdPartyRetention, UsageModel,
    Verb, Version,
};

use Version::{V0_1, V0_2, V0_3, V0_3_1, V0_4};

const fn text(min: usize, max: usize) -> Shape {
    Shape::Text(Text { min, max: Some(max), grammar: None, format: None })
}

const fn matching(grammar: Grammar) -> Shape {
    Shape::Text(Text { min: 0, max: None, grammar: Some(grammar), format: None })
}

const fn formatted(format: Format) -> Shape {
    Shape::Text(Text { min: 0, max: None, grammar: None, format: Some(format) })
}

/// A member that must be there.
const fn must(name: &'static str, shape: &'static Shape) -> Member {
    Member { name, shape, required: true, in_versions: (V0_1, V0_4) }
}

/// A member that may be there.
const fn may(name: &'static str, shape: &'static Shape) -> Member {
    Member { name, shape, required: false, in_versions: (V0_1, V0_4) }
}

/// One of several objects.
const fn branch(word: &'static str, object: &'static Object) -> Branch {
    Branch { word, object, in_versions: (V0_1, V0_4) }
}

impl Member {
    const fn since(self, version: Version) -> Self {
        Self { in_versions: (version, self.in_versions.1), ..self }
    }

    const fn until(self, version: Version) -> Self {
        Self { in_versions: (self.in_versions.0, version), ..self }
    }
}

impl Branch {
    const fn since(self, version: Version) -> Self {
        Self { in_versions: (version, self.in_versions.1), ..self }
    }

    const fn until(self, version: Version) -> Self {
        Self { in_versions: (self.in_versions.0, version), ..self }
    }
}

const fn object(members: &'static [Member]) -> Object {
    Object::new(members, &[])
}

static ANY: Shape = Shape::Any;
static OPAQUE: Shape = Shape::Opaque;
static BOOL: Shape = Shape::Bool;
static FRACTION: Shape = Shape::Fraction;
static INTEGER: Shape = Shape::Integer { min: None, max: None };
static FROM_ZERO: Shape = Shape::Integer { min: Some(0), max: None };
static FROM_ONE: Shape = Shape::Integer { min: Some(1), max: None };
static TIMEOUT: Shape = Shape::Integer { min: Some(1), max: Some(300) };
static TEXT: Shape = Shape::Text(Text { min: 0, max: None, grammar: None, format: None });
static SOME_TEXT: Shape = Shape::Text(Text { min: 1, max: None, grammar: None, format: None });
static TEXT_80: Shape = text(1, 80);
static TEXT_280: Shape = text(1, 280);
static TEXT_800: Shape = text(1, 800);
static TEXT_2000: Shape = text(1, 2000);
static GOAL: Shape = text(1, 200);
static BRIEF: Shape = text(0, 200);
static CAPTION: Shape = text(0, 280);
static LONG: Shape = text(0, 4000);
static URI: Shape = formatted(Format::Uri);
static EMAIL: Shape = formatted(Format::Email);
static ACTION_NAME: Shape = matching(Grammar::ActionName);
static TEXTS: Shape = Shape::List { of: &TEXT, min: 0, max: None };
static SOME_TEXTS: Shape = Shape::List { of: &TEXT, min: 1, max: None };
static FIELDS: Shape = Shape::List { of: &SOME_TEXT, min: 1, max: None };
static HEADERS: Shape = Shape::Map(&TEXT);

/// A manifest.
pub(crate) static MANIFEST: Object = Object::new(
    &[
        // The version is looked at first: it decides on everything else.
        must("manifest_version", &ANY),
        must("tool", &Shape::Object(&TOOL)),
        must("runtime", &Shape::Object(&RUNTIME)),
        may("env", &Shape::List { of: &Shape::Object(&ENV_VAR), min: 0, max: Some(32) }),
        may("scopes", &Shape::List { of: &Shape::Object(&SCOPE), min: 0, max: Some(32) }),
        may("actions", &Shape::List { of: &Shape::Object(&ACTION), min: 0, max: Some(64) })
            .since(V0_2),
        may("verify", &Shape::Object(&VERIFY)).since(V0_3),
        may("data_boundary", &Shape::Object(&DATA_BOUNDARY)).since(V0_3),
        must("smoke", &Shape::Union { tag: "kind", branches: SMOKE }),
        must("kill_switch", &Shape::Union { tag: "kind", branches: KILL_SWITCH }),
        may("cost", &Shape::Object(&COST)),
        may("support", &Shape::Object(&SUPPORT)),
    ],
    &[
        Need { what: Condition::Actions, since: V0_2 },
        Need { what: Condition::DataBoundary, since: V0_3 },
        Need { what: Condition::NothingToRevoke, since: V0_3_1 },
    ],
);

static TOOL: Object = object(&[
    may("namespace", &matching(Grammar::Namespace)).since(V0_3_1),
    must("id", &matching(Grammar::ToolId)),
    must("version", &matching(Grammar::Version)),
    must("name", &TEXT_80),
    must("summary", &TEXT_280),
    may("description", &LONG),
    must("homepage", &URI),
    may("author", &Shape::Object(&AUTHOR)),
    may("license", &TEXT),
    may("tags", &Shape::List { of: &matching(Grammar::Tag), min: 0, max: Some(16) }),
]);

static AUTHOR: Object = object(&[may("name", &TEXT), may("email", &EMAIL), may("url", &URI)]);

static RUNTIME: Object = object(&[
    must("kind", &Shape::Word(RuntimeKind::WORDS)),
    must("install", &Shape::Union { tag: "method", branches: INSTALL }),
    may("entrypoint", &Shape::Object(&ENTRYPOINT)),
    may("endpoint_url", &URI),
]);

static ENTRYPOINT: Object = object(&[must("command", &SOME_TEXTS), may("cwd", &TEXT)]);

static INSTALL: &[Branch] = &[
    branch("pip", &PACKAGE),
    branch("npm", &PACKAGE),
    branch(
        "git",
        &object(&[
            must("url", &URI),
            must("ref", &TEXT),
            may("subpath", &TEXT),
            may("layout", &Shape::Word(Layout::WORDS)).since(V0_3_1),
        ]),
    ),
    branch("container", &object(&[must("image", &TEXT)])),
    branch("url", &object(&[must("url", &URI), must("sha256", &matching(Grammar::Sha256))])),
    branch(
        "preinstalled",
        &object(&[must("locator", &Shape::Union { tag: "kind", branches: LOCATOR })]),
    )
    .since(V0_4),
];

static PACKAGE: Object = object(&[must("package", &SOME_TEXT), may("version_spec", &TEXT)]);

static LOCATOR: &[Branch] = &[
    branch("python-module", &object(&[must("module", &SOME_TEXT)])),
    branch("binary-on-path", &object(&[must("binary", &SOME_TEXT)])),
    branch("mcp-server-id", &object(&[must("server_id", &SOME_TEXT)])),
];

static ENV_VAR: Object = object(&[
    must("name", &matching(Grammar::EnvName)),
    must("prompt", &TEXT_280).until(V0_1),
    must("prompt", &TEXT_800).since(V0_2),
    must("secret", &BOOL),
    may("required", &BOOL),
    may("validation_regex", &TEXT),
    may("default", &TEXT),
    may("obtain_url", &URI),
]);

static SCOPE: Object = object(&[
    must("resource", &TEXT),
    must("actions", &Shape::List { of: &Shape::Word(Verb::WORDS), min: 1, max: None }),
    must("rationale", &TEXT_280),
    may("provider_scope", &TEXT),
]);

static ACTION: Object = object(&[
    must("name", &ACTION_NAME),
    must("summary", &TEXT_280),
    may("description", &LONG),
    may("docs", &Shape::Object(&DOCS)).since(V0_3),
    must("invocation", &Shape::Union { tag: "kind", branches: INVOCATION }),
    may("input", &OPAQUE),
    may("output", &Shape::Object(&OUTPUT)),
    must("side_effects", &Shape::Word(SIDE_EFFECTS)),
    may("idempotent", &BOOL),
    may("scopes_used", &TEXTS),
    may("error_envelope", &Shape::Word(ERROR_ENVELOPES)),
    may("examples", &Shape::List { of: &Shape::Object(&EXAMPLE), min: 0, max: Some(4) }),
    may("runtime_telemetry", &OPAQUE).since(V0_3),
]);

static DOCS: Object = object(&[
    may("goal", &GOAL),
    may("inputs_brief", &BRIEF),
    may("outputs_brief", &BRIEF),
    may("errors_brief", &BRIEF),
    may("example", &BRIEF),
]);

static INVOCATION: &[Branch] = &[
    branch("subcommand", &object(&[must("argv_template", &SOME_TEXTS)])),
    branch("stdin-json", &object(&[may("argv_template", &TEXTS)])),
    branch(
        "http",
        &object(&[
            must("method", &Shape::Word(Method::WORDS)),
            must("path", &TEXT),
            may("headers", &HEADERS),
        ]),
    ),
    branch("mcp-tool", &object(&[must("tool_name", &TEXT)])),
];

static OUTPUT: Object =
    object(&[must("format", &Shape::Word(OUTPUT_FORMATS)), may("schema", &OPAQUE)]);

static EXAMPLE: Object =
    object(&[must("description", &CAPTION), may("input", &ANY), may("output", &ANY)]);

static VERIFY: Object = object(&[
    may("suite", &Shape::Object(&SUITE)),
    may("sla", &Shape::Object(&SLA)),
    may("schedule", &Shape::Object(&SCHEDULE)),
]);

static SUITE: Object = object(&[
    must("ref", &SOME_TEXT),
    must("format", &Shape::Word(SUITE_FORMATS)),
    may("pass_threshold", &FRACTION),
    may("case_count", &FROM_ONE),
]);

static SLA: Object = object(&[
    may("p50_latency_ms", &FROM_ZERO),
    may("p95_latency_ms", &FROM_ZERO),
    may("error_rate_max", &FRACTION),
]);

static SCHEDULE: Object =
    object(&[may("cadence", &Shape::Word(Cadence::WORDS)), may("on_install", &BOOL)]);

static DATA_BOUNDARY: Object = object(&[
    may("reads", &Shape::List { of: &Shape::Object(&READS), min: 0, max: None }),
    may("transmits", &Shape::List { of: &Shape::Object(&TRANSMITS), min: 0, max: None }),
    may("persists", &Shape::List { of: &Shape::Object(&PERSISTS), min: 0, max: None }),
    may("retention", &Shape::Object(&RETENTION)),
]);

static READS: Object =
    object(&[must("resource", &SOME_TEXT), must("sensitivity", &Shape::Word(Sensitivity::WORDS))]);

static TRANSMITS: Object = Object::new(
    &[
        must("to", &SOME_TEXT).until(V0_3_1),
        may("to", &SOME_TEXT).since(V0_4),
        may("to_kind", &Shape::Word(TO_KINDS)).since(V0_4),
        may("to_constraint", &TEXT_280).since(V0_4),
        must("fields", &FIELDS),
        must("purpose", &TEXT_280),
        must("third_party_retention", &Shape::Word(ThirdPartyRetention::WORDS)),
        may("vendor_tos_url", &URI),
    ],
    &[
        Need {
            what: Condition::When {
                member: "third_party_retention",
                is: "none-per-vendor-tos",
                required: "vendor_tos_url",
            },
            since: V0_3,
        },
        Need { what: Condition::ExactlyOne(["to", "to_kind"]), since: V0_4 },
    ],
);

static PERSISTS: Object =
    object(&[must("where", &Shape::Word(Place::WORDS)), must("fields", &FIELDS)]);

static RETENTION: Object = object(&[
    may("tool_local_days", &FROM_ZERO),
    may("tool_cloud_days", &FROM_ZERO),
    may("transmit_log_days", &FROM_ZERO),
]);

static SMOKE: &[Branch] = &[
    branch(
        "shell",
        &object(&[
            must("command", &SOME_TEXTS),
            may("timeout_seconds", &TIMEOUT),
            must("success", &Shape::Object(&SUCCESS)),
        ]),
    ),
    branch(
        "http",
        &object(&[
            may("method", &Shape::Word(&["GET", "POST"])),
            must("url", &URI),
            may("headers", &HEADERS),
            may("body", &TEXT),
            may("timeout_seconds", &TIMEOUT),
            must("success", &Shape::Object(&SUCCESS)),
        ]),
    ),
    branch(
        "mcp-tool-call",
        &object(&[
            must("tool_name", &TEXT),
            may("arguments", &OPAQUE),
            may("timeout_seconds", &TIMEOUT),
            must("success", &Shape::Object(&SUCCESS)),
        ]),
    ),
    branch(
        "action-call",
        &object(&[
            must("action", &ACTION_NAME),
            may("arguments", &OPAQUE),
            may("timeout_seconds", &TIMEOUT),
            must("success", &Shape::Object(&SUCCESS)),
        ]),
    )
    .since(V0_2),
];

static SUCCESS: Object = object(&[
    may("exit_code", &INTEGER),
    may("http_status", &INTEGER),
    may("stdout_regex", &TEXT),
    may("body_regex", &TEXT),
    may("json_pointer_equals", &OPAQUE),
    may("json_pointer_in", &Shape::Map(&SOME_TEXTS)).since(V0_3_1),
    may("json_pointer_exists", &TEXT).since(V0_3_1),
    may("json_pointer_present", &TEXT).since(V0_3_1),
    may("no_error_field", &BOOL),
]);

static KILL_SWITCH: &[Branch] = &[
    branch("none", &object(&[])).since(V0_3_1),
    branch("url", &object(&[must("url", &URI)])),
    branch("shell", &object(&[must("command", &SOME_TEXTS)])),
    branch("manual", &object(&[must("instructions_url", &URI)])).until(V0_3),
    branch(
        "manual",
        &Object::new(
            &[may("instructions_url", &URI), may("instructions", &TEXT_2000)],
            &[Need {
                what: Condition::ExactlyOne(["instructions_url", "instructions"]),
                since: V0_3_1,
            }],
        ),
    )
    .since(V0_3_1),
];

static COST: Object = object(&[
    may("install_fee_cents", &FROM_ZERO),
    may("monthly_fee_cents", &FROM_ZERO),
    may("usage_model", &Shape::Word(UsageModel::WORDS)),
    may("estimate_url", &URI),
]);

static SUPPORT: Object =
    object(&[may("issues_url", &URI), may("security_email", &EMAIL), may("docs_url", &URI)]);
