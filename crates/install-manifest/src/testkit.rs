//! Documents to test with: valid ones, ones with one defect, and mutants that may
//! be either.

use manifest_core::Rule;
use manifest_core::testkit::{
    Rng, Testkit, Tree, Vocabulary, defect as defect_in_text, member, value,
};

use crate::words::{
    Cadence, Layout, Method, Place, Sensitivity, ThirdPartyRetention, UsageModel, Verb, Version,
};

mod broken;
mod mutant;

pub use mutant::mutate;

/// What makes documents of this format.
pub static TESTKIT: Testkit = Testkit {
    format: &crate::FORMAT,
    generate,
    defect,
    tables: &[&crate::table::TABLE],
    vocabulary: &VOCABULARY,
};

/// What it takes to put strange members into a document: only schemas and sample
/// arguments have room for them.
pub static VOCABULARY: Vocabulary =
    Vocabulary { names: &[], maps: &[], open: &["input", "schema", "arguments"] };

/// Members of an object.
type Members = Vec<(String, Tree)>;

/// A valid manifest, with schemas of about that size. Every version, every kind of
/// object and every member is there at times.
pub fn generate(rng: &mut Rng, size: usize) -> String {
    manifest(rng, size).render()
}

/// A document that breaks that rule and no other, where there is one.
pub fn defect(rng: &mut Rng, rule: &'static Rule) -> Option<String> {
    // Every object is closed: these have rules of this format's own.
    if matches!(rule.code, "json/unknown-member" | "json/key-case" | "json/number-range") {
        return None;
    }
    broken::document(rng, rule)
        .map(|tree| tree.render())
        .or_else(|| defect_in_text(&broken::clean().render(), rule, rng))
}

/// What the parts of a manifest must agree on.
struct Plan {
    version: Version,
    runtime: &'static str,
    /// The kinds of invocation that the runtime can serve.
    ways: &'static [&'static str],
    /// Names of actions.
    actions: Vec<String>,
    /// Names of variables, and whether each is secret.
    env: Vec<(&'static str, bool)>,
    scopes: Vec<&'static str>,
    /// Whether there is nothing to revoke.
    stateless: bool,
}

const COMMANDS: &[&str] = &["subcommand", "stdin-json"];

fn plan(rng: &mut Rng, size: usize) -> Plan {
    use Version::{V0_1, V0_2, V0_3, V0_3_1, V0_4};
    let versions = [V0_1, V0_2, V0_2, V0_3, V0_3_1, V0_4, V0_4];
    let version = versions.get(rng.below(versions.len())).copied().unwrap_or(V0_4);
    let (runtime, ways): (_, &[&str]) = match rng.below(7) {
        0 => ("mcp-stdio", &["mcp-tool", "stdin-json"]),
        1 => ("mcp-http", &["mcp-tool", "http"]),
        2 => ("python-module", COMMANDS),
        3 => ("node-module", COMMANDS),
        4 => ("container", &["http"]),
        _ => ("shell-binary", COMMANDS),
    };
    let least = usize::from(runtime != "mcp-stdio");
    let count = if version == V0_1 { 0 } else { least + rng.below(size.min(3)) };
    let names = ["send", "list_mail", "x", "get_1"];
    let actions = (0..count).map(|index| format!("{}{index}", rng.word(&names)));
    let actions = actions.collect();
    let stateless = version >= V0_3_1 && rng.once_in(4);
    let mut env = vec![("API_KEY", true), ("REGION", false), ("USER_EMAIL", false)];
    env.truncate(if stateless { 0 } else { rng.below(4) });
    let mut scopes = vec!["net.outbound", "gmail.messages", "", "a/b ~ é", "fs.local"];
    scopes.truncate(rng.below(4));
    Plan { version, runtime, ways, actions, env, scopes, stateless }
}

fn manifest(rng: &mut Rng, size: usize) -> Tree {
    let plan = plan(rng, size);
    let mut members = vec![
        member("manifest_version", plan.version.word()),
        member("tool", tool(rng, &plan)),
        member("runtime", runtime(rng, &plan)),
        member("smoke", smoke(rng, &plan)),
        member("kill_switch", kill_switch(rng, &plan)),
    ];
    if !plan.env.is_empty() || rng.once_in(4) {
        let env = plan.env.iter().map(|(name, secret)| variable(rng, &plan, name, *secret));
        members.push(member("env", env.collect::<Vec<_>>()));
    }
    if !plan.scopes.is_empty() || rng.once_in(4) {
        let scopes = plan.scopes.iter().map(|resource| scope(rng, resource));
        members.push(member("scopes", scopes.collect::<Vec<_>>()));
    }
    if plan.version >= Version::V0_2 && (!plan.actions.is_empty() || rng.once_in(2)) {
        let actions = plan.actions.iter().map(|name| action(rng, &plan, name, size));
        members.push(member("actions", actions.collect::<Vec<_>>()));
    }
    if plan.version >= Version::V0_3 {
        if rng.once_in(2) {
            members.push(member("verify", verify(rng)));
        }
        let private = plan.scopes.contains(&"gmail.messages");
        if private || rng.once_in(2) {
            members.push(member("data_boundary", boundary(rng, &plan)));
        }
    }
    if rng.once_in(2) {
        members.push(member("cost", cost(rng)));
    }
    if rng.once_in(2) {
        let texts = [
            ("issues_url", "https://example.com/issues"),
            ("security_email", "security@example.com"),
            ("docs_url", "not a link"),
        ];
        members.push(member("support", some_of(rng, &texts)));
    }
    if rng.once_in(2) {
        rng.shuffle(&mut members);
    }
    members.into()
}

/// Each of these texts, at times.
fn some_of(rng: &mut Rng, texts: &[(&str, &str)]) -> Tree {
    let texts = texts.iter().filter(|_| rng.once_in(2));
    texts.map(|(name, text)| member(name, *text)).collect::<Vec<_>>().into()
}

fn texts(words: &[&str]) -> Tree {
    words.iter().map(|word| Tree::from(*word)).collect::<Vec<_>>().into()
}

/// The words of a line.
fn split(line: &str) -> Tree {
    texts(&line.split_terminator(' ').collect::<Vec<_>>())
}

/// A list of one object.
fn one(members: Members) -> Tree {
    Tree::Array(vec![members.into()])
}

fn flag(rng: &mut Rng) -> Tree {
    Tree::plain(rng.word(&["true", "false"]))
}

/// A text of at least one character and no more than `max`.
fn text(rng: &mut Rng, max: usize) -> String {
    let text = match rng.below(8) {
        0 => rng.word(&["x", "é", "\u{1f600}"]).repeat(max),
        1 => value::text(rng),
        _ => value::words(rng),
    };
    let text: String = text.chars().take(max).collect();
    if text.is_empty() { "x".to_owned() } else { text }
}

/// Adds a member, every other time.
fn maybe(rng: &mut Rng, members: &mut Members, name: &str, value: impl FnOnce(&mut Rng) -> Tree) {
    if rng.once_in(2) {
        let value = value(rng);
        members.push(member(name, value));
    }
}

fn tool(rng: &mut Rng, plan: &Plan) -> Tree {
    let id = rng.word(&["tinytool", "gmail-yep", "a-b", "123"]);
    let versions = ["1.0.0", "0.1.0", "10.20.30", "1.0.0-rc.1"];
    let mut members = vec![
        member("id", format!("{id}0")),
        member("version", rng.word(&versions)),
        member("name", text(rng, 80)),
        member("summary", text(rng, 280)),
        member("homepage", rng.word(&["https://example.com/tool", "not a link", ""])),
    ];
    maybe(rng, &mut members, "description", |rng| value::text(rng).into());
    maybe(rng, &mut members, "license", |rng| rng.word(&["MIT", "", "PROPRIETARY"]).into());
    maybe(rng, &mut members, "tags", |rng| {
        split(rng.word(&["", "mail", "mail a-1", "mail - mail"]))
    });
    let author = [("name", "A. Author"), ("email", "a@example.com"), ("url", "https://a.example")];
    maybe(rng, &mut members, "author", |rng| some_of(rng, &author));
    if plan.version >= Version::V0_3_1 {
        maybe(rng, &mut members, "namespace", |rng| rng.word(&["muninn", "a1", "x-y"]).into());
    }
    members.into()
}

fn runtime(rng: &mut Rng, plan: &Plan) -> Tree {
    let mut members =
        vec![member("kind", plan.runtime), member("install", install(rng, plan.version))];
    // Both are allowed, and both together at times.
    let command = plan.ways.iter().any(|way| COMMANDS.contains(way));
    let server = plan.ways.contains(&"http");
    if command || rng.once_in(6) {
        let commands = ["tool", "python -m tool", "/usr/bin/x y", "./tools/bin/x"];
        let mut entrypoint = vec![member("command", split(rng.word(&commands)))];
        maybe(rng, &mut entrypoint, "cwd", |rng| rng.word(&["/srv", ""]).into());
        members.push(member("entrypoint", entrypoint));
    }
    if server || rng.once_in(8) {
        let url = rng.word(&["https://api.example.com", "https://api.example.com/v1"]);
        members.push(member("endpoint_url", url));
    }
    members.into()
}

fn install(rng: &mut Rng, version: Version) -> Tree {
    let kinds = if version >= Version::V0_4 { 6 } else { 5 };
    let mut members: Members;
    match rng.below(kinds) {
        method @ (0 | 1) => {
            let (method, specs) = if method == 0 {
                ("pip", ["==1.0.0", ">=1.2,<2"])
            } else {
                ("npm", ["^1.2.3", "1"])
            };
            members = vec![member("method", method), member("package", "tinytool")];
            maybe(rng, &mut members, "version_spec", |rng| rng.word(&specs).into());
        }
        2 => {
            members = vec![
                member("method", "git"),
                member("url", "https://git.example/x.git"),
                member(
                    "ref",
                    rng.word(&["main", "v1.0.0", "0123456789abcdef0123456789abcdef01234567"]),
                ),
            ];
            maybe(rng, &mut members, "subpath", |rng| rng.word(&["a/b", "x"]).into());
            if version >= Version::V0_3_1 {
                maybe(rng, &mut members, "layout", |rng| rng.word(Layout::WORDS).into());
            }
        }
        3 => {
            let image = rng.word(&["ghcr.io/x/y:1", "x/y"]).to_owned();
            let digest =
                if rng.once_in(2) { format!("@sha256:{}", "a1".repeat(32)) } else { String::new() };
            members = vec![member("method", "container"), member("image", image + &digest)];
        }
        4 => {
            members = vec![
                member("method", "url"),
                member("url", "https://dl.example/x"),
                member("sha256", "0f".repeat(32)),
            ];
        }
        _ => {
            let (kind, name, value) = match rng.below(3) {
                0 => ("python-module", "module", "tiny_tool"),
                1 => ("binary-on-path", "binary", "git"),
                _ => ("mcp-server-id", "server_id", "yep_tools"),
            };
            let locator = vec![member("kind", kind), member(name, value)];
            members = vec![member("method", "preinstalled"), member("locator", locator)];
        }
    }
    members.into()
}

fn variable(rng: &mut Rng, plan: &Plan, name: &str, secret: bool) -> Tree {
    let longest = if plan.version == Version::V0_1 { 280 } else { 800 };
    let mut members = vec![
        member("name", name),
        member("prompt", text(rng, longest)),
        member("secret", Tree::plain(if secret { "true" } else { "false" })),
    ];
    maybe(rng, &mut members, "required", flag);
    maybe(rng, &mut members, "validation_regex", |rng| {
        rng.word(&["^[a-z]+$", "[0-9]+", "^\\S+@\\S+$"]).into()
    });
    if !secret {
        maybe(rng, &mut members, "default", |rng| value::text(rng).into());
    }
    maybe(rng, &mut members, "obtain_url", |_| "https://example.com/key".into());
    members.into()
}

fn scope(rng: &mut Rng, resource: &str) -> Tree {
    let verbs: Vec<_> = (0..=rng.below(3)).map(|_| Tree::from(rng.word(Verb::WORDS))).collect();
    let mut members = vec![
        member("resource", resource),
        member("actions", verbs),
        member("rationale", text(rng, 280)),
    ];
    maybe(rng, &mut members, "provider_scope", |_| "https://scope.example/mail".into());
    members.into()
}

fn action(rng: &mut Rng, plan: &Plan, name: &str, size: usize) -> Tree {
    let mut members = vec![
        member("name", name),
        member("summary", text(rng, 280)),
        member("invocation", invocation(rng, plan)),
        member("side_effects", rng.word(crate::manifest::SIDE_EFFECTS)),
    ];
    maybe(rng, &mut members, "description", |rng| value::text(rng).into());
    members.push(member("input", input(rng, size)));
    maybe(rng, &mut members, "output", |rng| {
        let mut output = vec![member("format", rng.word(crate::manifest::OUTPUT_FORMATS))];
        maybe(rng, &mut output, "schema", |rng| value::schema(rng, size));
        output.into()
    });
    maybe(rng, &mut members, "idempotent", flag);
    maybe(rng, &mut members, "scopes_used", |rng| {
        let declared = plan.scopes.iter().filter(|_| rng.once_in(2)).copied();
        texts(&declared.chain(["not.declared"]).collect::<Vec<_>>())
    });
    maybe(rng, &mut members, "error_envelope", |rng| {
        rng.word(crate::manifest::ERROR_ENVELOPES).into()
    });
    maybe(rng, &mut members, "examples", |rng| {
        let examples = (0..rng.below(3)).map(|_| {
            let mut example = vec![member("description", value::text(rng))];
            maybe(rng, &mut example, "input", |rng| value::value(rng, size));
            maybe(rng, &mut example, "output", |rng| value::value(rng, size));
            Tree::from(example)
        });
        examples.collect::<Vec<_>>().into()
    });
    if plan.version >= Version::V0_3 {
        let docs = [
            ("goal", "Send mail."),
            ("inputs_brief", "to"),
            ("outputs_brief", ""),
            ("errors_brief", "é"),
            ("example", "send"),
        ];
        maybe(rng, &mut members, "docs", |rng| some_of(rng, &docs));
        maybe(rng, &mut members, "runtime_telemetry", |rng| {
            vec![member("any", value::value(rng, size))].into()
        });
    }
    members.into()
}

/// A schema with the property that the templates refer to.
fn input(rng: &mut Rng, size: usize) -> Tree {
    let mut schema = value::schema(rng, size);
    let to = vec![member("type", "string"), member("default", "me")];
    if let Tree::Object(members) = &mut schema {
        match members.iter_mut().find(|(name, _)| name == "properties") {
            Some((_, Tree::Object(properties))) => properties.push(member("to", to)),
            _ => members.push(member("properties", vec![member("to", to)])),
        }
    }
    schema
}

fn invocation(rng: &mut Rng, plan: &Plan) -> Tree {
    let kind = rng.word(plan.ways);
    let public = plan.env.iter().find(|(_, secret)| !secret).map(|(name, _)| *name);
    let arguments = |rng: &mut Rng| {
        let mut arguments = vec![Tree::from("send")];
        for _ in 0..rng.below(3) {
            arguments.push(match (rng.below(4), public) {
                (0, Some(name)) => format!("--with=${{env.{name}}}").into(),
                (1, _) => "${input.to}".into(),
                (2, _) => value::text(rng).replace('\0', "").into(),
                _ => "--flag".into(),
            });
        }
        Tree::from(arguments)
    };
    let mut members = vec![member("kind", kind)];
    match kind {
        "subcommand" => members.push(member("argv_template", arguments(rng))),
        "stdin-json" => maybe(rng, &mut members, "argv_template", |rng| match rng.below(3) {
            0 => arguments(rng),
            1 => texts(&["send", "--now"]),
            _ => texts(&[]),
        }),
        "http" => {
            members.push(member("method", rng.word(Method::WORDS)));
            members.push(member("path", rng.word(&["/send", "/v1/x?y=z", "/to/${input.to}", "/"])));
            let secret = plan.env.iter().find(|(_, secret)| *secret).map(|(name, _)| *name);
            maybe(rng, &mut members, "headers", |_| {
                let secret =
                    secret.map(|name| member("Authorization", format!("Bearer ${{env.{name}}}")));
                secret.into_iter().chain([member("X-To", "${input.to}")]).collect::<Vec<_>>().into()
            });
        }
        _ => members.push(member("tool_name", rng.word(&["send_mail", "a/b"]))),
    }
    members.into()
}

fn verify(rng: &mut Rng) -> Tree {
    let mut members = Vec::new();
    maybe(rng, &mut members, "suite", |rng| {
        let mut suite = vec![member("ref", "tests/cases.jsonl"), member("format", "jsonl-cases")];
        maybe(rng, &mut suite, "pass_threshold", |rng| {
            Tree::plain(rng.word(&["0", "1", "0.95", "1.0"]))
        });
        maybe(rng, &mut suite, "case_count", |rng| Tree::plain(rng.word(&["1", "20", "2.0"])));
        suite.into()
    });
    maybe(rng, &mut members, "sla", |rng| {
        let mut sla = Vec::new();
        maybe(rng, &mut sla, "p50_latency_ms", |_| Tree::plain("100"));
        maybe(rng, &mut sla, "p95_latency_ms", |_| Tree::plain("1e3"));
        maybe(rng, &mut sla, "error_rate_max", |_| Tree::plain("0.01"));
        sla.into()
    });
    maybe(rng, &mut members, "schedule", |rng| {
        let mut schedule = Vec::new();
        maybe(rng, &mut schedule, "cadence", |rng| rng.word(Cadence::WORDS).into());
        maybe(rng, &mut schedule, "on_install", flag);
        schedule.into()
    });
    members.into()
}

fn boundary(rng: &mut Rng, plan: &Plan) -> Tree {
    let mut members = Vec::new();
    maybe(rng, &mut members, "reads", |rng| {
        let sensitivity = rng.word(Sensitivity::WORDS);
        one(vec![member("resource", "gmail.messages"), member("sensitivity", sensitivity)])
    });
    maybe(rng, &mut members, "transmits", |rng| {
        let retention = rng.word(ThirdPartyRetention::WORDS);
        let mut transmits = vec![
            member("fields", texts(&["/body"])),
            member("purpose", text(rng, 280)),
            member("third_party_retention", retention),
        ];
        if plan.version >= Version::V0_4 && rng.once_in(2) {
            transmits.push(member("to_kind", "agent-supplied"));
            maybe(rng, &mut transmits, "to_constraint", |rng| text(rng, 280).into());
        } else {
            transmits.push(member("to", "api.example.com"));
        }
        if retention == "none-per-vendor-tos" || rng.once_in(4) {
            transmits.push(member("vendor_tos_url", "https://example.com/terms"));
        }
        one(transmits)
    });
    maybe(rng, &mut members, "persists", |rng| {
        if plan.stateless {
            return texts(&[]);
        }
        let place = rng.word(Place::WORDS);
        one(vec![member("where", place), member("fields", texts(&["/id"]))])
    });
    maybe(rng, &mut members, "retention", |rng| {
        let mut retention = Vec::new();
        maybe(rng, &mut retention, "tool_local_days", |_| Tree::plain("0"));
        maybe(rng, &mut retention, "tool_cloud_days", |_| Tree::plain("30"));
        maybe(rng, &mut retention, "transmit_log_days", |_| Tree::plain("7.0"));
        retention.into()
    });
    members.into()
}

fn smoke(rng: &mut Rng, plan: &Plan) -> Tree {
    let version = plan.version;
    let mcp = plan.runtime.starts_with("mcp");
    let kind = match rng.below(4) {
        0 => "http",
        1 if mcp => "mcp-tool-call",
        _ => "shell",
    };
    let mut members = vec![member("kind", kind)];
    match kind {
        "http" => {
            members.push(member("url", rng.word(&["https://api.example.com/health"])));
            maybe(rng, &mut members, "method", |rng| rng.word(&["GET", "POST"]).into());
            let variable = plan.env.first().map_or("none".to_owned(), |(n, _)| format!("${{{n}}}"));
            let headers = vec![member("X-Key", variable.as_str())];
            maybe(rng, &mut members, "headers", |_| headers.into());
            maybe(rng, &mut members, "body", |_| variable.into());
        }
        "mcp-tool-call" => {
            members.push(member("tool_name", "ping"));
            maybe(rng, &mut members, "arguments", |rng| {
                vec![member("x", value::value(rng, 2))].into()
            });
        }
        _ => members.push(member("command", texts(&["tool", "--version"]))),
    }
    maybe(rng, &mut members, "timeout_seconds", |rng| {
        Tree::plain(rng.word(&["1", "300", "2.0", "6e1"]))
    });
    members.push(member("success", success(rng, kind, version)));
    members.into()
}

fn success(rng: &mut Rng, kind: &str, version: Version) -> Tree {
    let mut members = Vec::new();
    match kind {
        "shell" => {
            maybe(rng, &mut members, "exit_code", |rng| Tree::plain(rng.word(&["0", "1", "0.0"])));
            maybe(rng, &mut members, "stdout_regex", |_| "^OK$".into());
        }
        "http" => {
            maybe(rng, &mut members, "http_status", |_| Tree::plain("200"));
            maybe(rng, &mut members, "body_regex", |_| "ok".into());
        }
        _ => maybe(rng, &mut members, "no_error_field", flag),
    }
    maybe(rng, &mut members, "json_pointer_equals", |rng| {
        vec![member("/a~1b", value::value(rng, 2)), member("", "x")].into()
    });
    if version >= Version::V0_3_1 {
        maybe(rng, &mut members, "json_pointer_in", |_| {
            vec![member("/verdict", texts(&["YES", "MAYBE"]))].into()
        });
        maybe(rng, &mut members, "json_pointer_exists", |_| "/a".into());
        maybe(rng, &mut members, "json_pointer_present", |_| "/b/0".into());
    }
    members.into()
}

fn kill_switch(rng: &mut Rng, plan: &Plan) -> Tree {
    let mut members = Vec::new();
    if plan.stateless {
        return vec![member("kind", "none")].into();
    }
    match rng.below(3) {
        0 => {
            members.push(member("kind", "url"));
            members.push(member("url", "https://api.example.com/revoke"));
        }
        1 => {
            members.push(member("kind", "shell"));
            members.push(member("command", texts(&["tool", "revoke"])));
        }
        _ => {
            members.push(member("kind", "manual"));
            if plan.version >= Version::V0_3_1 && rng.once_in(2) {
                members.push(member("instructions", text(rng, 2000)));
            } else {
                members.push(member("instructions_url", "https://example.com/revoke"));
            }
        }
    }
    members.into()
}

fn cost(rng: &mut Rng) -> Tree {
    let mut members = Vec::new();
    maybe(rng, &mut members, "install_fee_cents", |rng| {
        Tree::plain(rng.word(&["0", "500", "5e2"]))
    });
    maybe(rng, &mut members, "monthly_fee_cents", |rng| Tree::plain(rng.word(&["0", "999"])));
    maybe(rng, &mut members, "usage_model", |rng| rng.word(UsageModel::WORDS).into());
    maybe(rng, &mut members, "estimate_url", |_| "https://example.com/estimate".into());
    members.into()
}
