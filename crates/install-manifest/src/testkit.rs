//! Documents to test with: valid ones, ones with one defect, and mutants that may
//! be either.

use testkit::{Rng, Testkit, Tree, Vocabulary, member, value};

use crate::conditions;
use crate::words::{Cadence, Place, Sensitivity, ThirdPartyRetention, UsageModel, Verb, Version};

mod action;
mod broken;
mod draw;
mod mutant;
mod plan;
mod runtime;
mod smoke;

pub use broken::defect;
pub use mutant::mutate;

use draw::{flag, maybe, one, some_of, split, text, texts};
use plan::{Plan, plan};

/// What makes documents of this format.
pub static TESTKIT: Testkit =
    Testkit { format: &crate::FORMAT, generate, defect, vocabulary: &VOCABULARY };

/// What it takes to put strange members into a document: only schemas and sample
/// arguments have room for them.
pub static VOCABULARY: Vocabulary =
    Vocabulary { names: &[], maps: &[], open: &["input", "schema", "arguments"] };

/// A valid manifest, with schemas of about that size. Every version, every kind of
/// object and every member is there at times.
pub fn generate(rng: &mut Rng, size: usize) -> String {
    manifest(rng, size).render()
}

fn manifest(rng: &mut Rng, size: usize) -> Tree {
    let plan = plan(rng, size);
    let mut members = vec![
        member("manifest_version", plan.version.word()),
        member("tool", tool(rng, &plan)),
        member("runtime", runtime::runtime(rng, &plan)),
        member("smoke", smoke::smoke(rng, &plan)),
        member("kill_switch", smoke::kill_switch(rng, &plan)),
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
        let actions = plan.actions.iter().enumerate();
        let actions = actions.map(|(index, name)| action::action(rng, &plan, (index, name), size));
        members.push(member("actions", actions.collect::<Vec<_>>()));
    }
    if plan.version >= Version::V0_3 {
        if rng.once_in(2) {
            members.push(member("verify", verify(rng)));
        }
        let private = plan.scopes.iter().any(|scope| conditions::is_private(scope));
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
            ("docs_url", rng.word(&["https://example.com/docs", "not a link"])),
        ];
        members.push(member("support", some_of(rng, &texts)));
    }
    if rng.once_in(2) {
        rng.shuffle(&mut members);
    }
    members.into()
}

fn tool(rng: &mut Rng, plan: &Plan) -> Tree {
    let id = rng.word(&["tinytool", "gmail-yep", "a-b", "123", "a--b"]);
    // The longest ones are cut where a name may be shorter.
    let id = if rng.once_in(8) { id.repeat(16) } else { id.to_owned() };
    let id: String = id.chars().take(63).collect();
    let versions = ["1.0.0", "0.1.0", "10.20.30", "1.0.0-rc.1", "01.2.3", "1.0.0-a..b-"];
    let mut members = vec![
        member("id", format!("{id}0")),
        member("version", rng.word(&versions)),
        member("name", text(rng, 80)),
        member("summary", text(rng, 280)),
        member("homepage", rng.word(&["https://example.com/tool", "not a link", ""])),
    ];
    maybe(rng, &mut members, "description", |rng| text(rng, 4000).into());
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
        let reads = (0..rng.below(3)).map(|_| {
            let resource = rng.word(&["gmail.messages", "fs.local", "é"]);
            let sensitivity = rng.word(Sensitivity::WORDS);
            Tree::from(vec![member("resource", resource), member("sensitivity", sensitivity)])
        });
        reads.collect::<Vec<_>>().into()
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
            let hosts = ["api.example.com", "https://api.example.com/v1", "the vendor", "*.a.org"];
            transmits.push(member("to", rng.word(&hosts)));
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
