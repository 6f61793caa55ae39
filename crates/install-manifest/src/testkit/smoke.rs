//! What shows that a tool works, and what ends its access.

use testkit::{Rng, Tree, member, value};

use super::draw::{flag, maybe, text, texts};
use super::plan::Plan;
use crate::words::Version;

pub(super) fn smoke(rng: &mut Rng, plan: &Plan) -> Tree {
    let version = plan.version;
    let kind = match (plan.actions.first(), rng.below(3)) {
        (Some(_), _) if plan.smoked => "action-call",
        (_, 0) => "http",
        (_, 1) => "mcp-tool-call",
        _ => "shell",
    };
    let mut members = vec![member("kind", kind)];
    match kind {
        "http" => {
            members.push(member("url", "https://api.example.com/health"));
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
        "action-call" => {
            let action = plan.actions.first().map(String::as_str);
            members.push(member("action", action.unwrap_or_default()));
            maybe(rng, &mut members, "arguments", |rng| {
                vec![member("to", value::value(rng, 2))].into()
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
    let (process, http) = (kind != "http", kind != "shell");
    // What another kind of test would look at is never seen, and does no harm.
    let looks = |rng: &mut Rng, fits: bool| rng.once_in(if fits { 2 } else { 5 });
    if looks(rng, process) {
        members.push(member("exit_code", Tree::plain(rng.word(&["0", "1", "0.0"]))));
    }
    if looks(rng, process) {
        members.push(member("stdout_regex", "^OK$"));
    }
    if looks(rng, http) {
        members.push(member("http_status", Tree::plain(rng.word(&["200", "2.04e2"]))));
    }
    if looks(rng, http) {
        members.push(member("body_regex", "ok"));
    }
    if rng.once_in(3) {
        members.push(member("no_error_field", flag(rng)));
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

pub(super) fn kill_switch(rng: &mut Rng, plan: &Plan) -> Tree {
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
