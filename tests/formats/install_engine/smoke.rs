//! Smoke tests.

use call::{End, FillError, Missing, Outcome, Plan, Step};
use install_manifest::engine::smoke::{self, Options, SmokeVerdict};
use manifest_core::Limits;
use serde_json::{Value, json};

use super::{changed, codes, is_masked, value, with, with_tools};

fn plan(smoke: Value) -> Result<Plan, Vec<&'static str>> {
    plan_of(&changed(&[("/smoke", smoke)]), &|name| value(name).is_some())
}

fn plan_of(manifest: &Value, has: &dyn Fn(&str) -> bool) -> Result<Plan, Vec<&'static str>> {
    with_tools(manifest, |manifest, tools| {
        smoke::plan(manifest, tools, has, &Options::default()).map_err(|found| codes(&found))
    })
}

fn judge(kind: Value, success: Value, outcome: &Outcome) -> Vec<String> {
    let verdict = verdict(kind, success, outcome, &value, false);
    is_masked(&format!("{verdict:?}"));
    let failed = verdict.failures.iter().map(|failure| failure.pointer.to_string());
    failed.map(|at| at.replace("/smoke/success", "")).collect()
}

fn verdict(
    mut smoke: Value,
    success: Value,
    outcome: &Outcome,
    value: &dyn Fn(&str) -> Option<&'static str>,
    skip_unresolved: bool,
) -> SmokeVerdict {
    smoke["success"] = success;
    let options = Options { skip_unresolved, ..Options::default() };
    with(&changed(&[("/smoke", smoke)]), |manifest| {
        smoke::judge(manifest, outcome, value, &options)
    })
}

fn shell() -> Value {
    json!({"kind": "shell", "command": ["notes"]})
}

fn http() -> Value {
    json!({"kind": "http", "url": "https://example.com"})
}

fn action() -> Value {
    json!({"kind": "action-call", "action": "act"})
}

fn exited(code: i32, stdout: &str) -> Outcome {
    Outcome::Exited { end: End::Exit(code), stdout: stdout.into(), stderr: Vec::new() }
}

fn responded(status: u16, body: &str) -> Outcome {
    Outcome::Responded { status, body: body.into() }
}

#[test]
fn plans() {
    let made = plan(json!({"kind": "shell", "command": ["notes", "${API_KEY}"], "success": {}}));
    let made = made.unwrap();
    assert_eq!(made.timeout_ms, Some(30_000));
    let Step::Run(program) = made.step else { panic!("a program") };
    assert_eq!(
        program.argv,
        ["notes".into(), "${API_KEY}".into()],
        "there are no templates in commands"
    );
    assert_eq!(program.environment(&|_| None, &value).get("API_KEY"), Some(&"hunter2"));

    let made = plan(json!({"kind": "http", "method": "POST",
        "url": "https://example.com/${REGION}?r=${REGION}", "timeout_seconds": 5,
        "headers": {"Authorization": "Bearer ${API_KEY}"}, "body": "{\"key\": \"${API_KEY}\"}",
        "success": {}}))
    .unwrap();
    is_masked(&format!("{made:?}"));
    assert_eq!(made.timeout_ms, Some(5000));
    let Step::Send(request) = made.step else { panic!("a request") };
    let url = request.fill_url(&value).unwrap();
    assert_eq!(url, "https://example.com/eu%20west?r=eu%20west");
    assert_eq!(request.headers[0].1.fill(&value).unwrap(), "Bearer hunter2");
    assert_eq!(request.body.unwrap().fill(&value).unwrap(), "{\"key\": \"hunter2\"}");

    let made =
        plan(json!({"kind": "action-call", "action": "act", "arguments": {}, "success": {}}));
    let Step::Run(program) = made.unwrap().step else { panic!("a program") };
    assert_eq!(program.argv, ["notes".into(), "--json".into(), "act".into()]);
}

#[test]
fn what_cannot_be_planned() {
    let url = |url: &str| plan(json!({"kind": "http", "url": url, "success": {}}));
    assert_eq!(url("https://example.com/${API_KEY}").unwrap_err(), ["secret-place"]);
    assert_eq!(url("https://example.com/${NOPE}").unwrap_err(), ["template-env"]);
    assert_eq!(url("https://example.com/${env.REGION}").unwrap_err(), ["template"]);
    // Whether a value can be a part of a host name is known when it is filled in.
    let Step::Send(request) = url("https://${REGION}.example.com/").unwrap().step else {
        panic!("a request")
    };
    assert!(matches!(request.fill_url(&value), Err(FillError::InvalidValue(..))));
    let fits = request.fill_url(&|_| Some("eu")).unwrap();
    assert_eq!(fits, "https://eu.example.com/");
    assert_eq!(url("${REGION}://example.com/").unwrap_err(), ["value"]);
    assert_eq!(url("file:///etc/passwd").unwrap_err(), ["url"]);
    let header = json!({"kind": "http", "url": "https://example.com/",
        "headers": {"X": "${REGION}"}, "success": {}});
    let missing = plan_of(&changed(&[("/smoke", header)]), &|_| false).unwrap().missing;
    assert_eq!(missing, [Missing::Value("REGION".to_owned())]);
    let nope = json!({"kind": "action-call", "action": "nope", "success": {}});
    assert_eq!(plan(nope).unwrap_err(), ["smoke-action"]);

    let manifest = changed(&[
        ("/smoke", json!({"kind": "action-call", "action": "act", "success": {}})),
        ("/actions/0/side_effects", json!("write")),
    ]);
    assert_eq!(plan_of(&manifest, &|_| true).unwrap_err(), ["smoke-effects"]);
    let manifest = changed(&[
        (
            "/smoke",
            json!({"kind": "action-call", "action": "act", "arguments": {"b": 1}, "success": {}}),
        ),
        ("/actions/0/input", json!({"properties": {"a": {}}})),
    ]);
    assert_eq!(plan_of(&manifest, &|_| true).unwrap_err(), ["unknown-argument"]);
    let tool = json!({"kind": "mcp-tool-call", "tool_name": "x", "success": {}});
    assert_eq!(plan(tool).unwrap_err(), ["action-runtime"]);
}

/// The header of a request is checked here as in a call.
#[test]
fn headers_of_smoke_tests() {
    let header = |name: &str, value: &str| {
        plan(json!({"kind": "http", "url": "https://example.com/", "headers": {name: value},
            "success": {}}))
    };
    assert!(header("X-A", "b").is_ok());
    assert_eq!(header("A B", "x").unwrap_err(), ["header"]);
    assert_eq!(header("Host", "x").unwrap_err(), ["header-reserved"]);
    assert_eq!(header("X-A", "x\r\nHost: evil").unwrap_err(), ["value"]);
}

#[test]
fn exit_codes() {
    for kind in [shell(), action()] {
        assert!(judge(kind.clone(), json!({}), &exited(0, "")).is_empty());
        assert_eq!(judge(kind.clone(), json!({}), &exited(1, "")), ["/exit_code"]);
        assert!(judge(kind.clone(), json!({"exit_code": 2.0}), &exited(2, "")).is_empty());
        assert_eq!(judge(kind.clone(), json!({"exit_code": 2}), &exited(0, "")), ["/exit_code"]);
        let end = End::Signal { number: 9, core_dumped: false };
        let signal = Outcome::Exited { end, stdout: Vec::new(), stderr: Vec::new() };
        assert_eq!(judge(kind, json!({"exit_code": 1e99}), &signal), ["/exit_code"]);
    }
    assert_eq!(judge(shell(), json!({}), &Outcome::TimedOut), [""]);
    assert_eq!(judge(shell(), json!({}), &Outcome::NotDone("no such file".to_owned())), [""]);
}

#[test]
fn patterns() {
    let matches = |pattern: &str, stdout: &str| {
        judge(shell(), json!({"stdout_regex": pattern}), &exited(0, stdout)).is_empty()
    };
    assert!(matches("^OK$", "OK\n"));
    assert!(matches("^OK$", "OK\r\n"));
    assert!(!matches("^OK$", "OK\n\n"));
    assert!(matches("K", "OK"));
    assert!(!matches("(", "("), "a broken pattern matches nothing");
    assert!(!matches("(?=O)", "O"), "nor does one that is not supported");
    let body =
        |pattern: &str| judge(http(), json!({"body_regex": pattern}), &responded(200, "OK\n"));
    assert_eq!(body("^OK$"), ["/body_regex"], "a body is taken as it is");
    assert!(body("^OK\\n$").is_empty());
}

#[test]
fn conditions_that_do_not_fit_fail() {
    let all = json!({"exit_code": 0, "stdout_regex": "x", "http_status": 200, "body_regex": "x"});
    assert_eq!(judge(http(), all.clone(), &responded(200, "x")), ["/exit_code", "/stdout_regex"]);
    assert_eq!(judge(shell(), all.clone(), &exited(0, "x")), ["/http_status", "/body_regex"]);
    let returned = Outcome::Returned("{}".to_owned());
    assert_eq!(judge(action(), all, &returned).len(), 4);
    assert_eq!(judge(http(), json!({"http_status": 200}), &responded(204, "")), ["/http_status"]);
    assert!(judge(http(), json!({}), &responded(500, "")).is_empty(), "nothing is asserted");
}

/// Row T40 of the catalogue of attacks.
#[test]
fn conditions_on_json() {
    let failed = |success: Value, stdout: &str| judge(action(), success, &exited(0, stdout));
    let output = r#"{"ok": true, "n": 1.0, "list": ["a", "b"], "empty": " ", "none": null, "o": {"b":2,"a":1}}"#;
    let holds = [
        json!({"json_pointer_equals": {"/ok": true, "/n": 1, "/list/1": "b", "/o": {"a": 1, "b": 2}}}),
        json!({"json_pointer_in": {"/list/0": ["x", "a"]}}),
        json!({"json_pointer_exists": "/none"}),
        json!({"json_pointer_present": "/ok"}),
        json!({"json_pointer_exists": ""}),
        json!({"no_error_field": true}),
    ];
    for success in holds {
        assert_eq!(failed(success.clone(), output), [""; 0], "{success}");
    }
    let fails = [
        (json!({"json_pointer_equals": {"/ok": "true"}}), "/json_pointer_equals/~1ok"),
        (json!({"json_pointer_equals": {"/nope": null}}), "/json_pointer_equals/~1nope"),
        (json!({"json_pointer_equals": {"/list/-": "b"}}), "/json_pointer_equals/~1list~1-"),
        (json!({"json_pointer_equals": {"/list/01": "b"}}), "/json_pointer_equals/~1list~101"),
        (json!({"json_pointer_equals": {"ok": true}}), "/json_pointer_equals/ok"),
        (json!({"json_pointer_in": {"/n": ["1"]}}), "/json_pointer_in/~1n"),
        (json!({"json_pointer_exists": "/nope"}), "/json_pointer_exists"),
        (json!({"json_pointer_present": "/none"}), "/json_pointer_present"),
        (json!({"json_pointer_present": "/empty"}), "/json_pointer_present"),
    ];
    for (success, at) in fails {
        assert_eq!(failed(success.clone(), output), [at], "{success}");
    }
    let no_error = json!({"no_error_field": true});
    assert_eq!(failed(no_error.clone(), r#"{"error": null}"#), ["/no_error_field"]);
    assert!(failed(no_error.clone(), "[1]").is_empty());
    assert_eq!(failed(no_error.clone(), "oops"), ["/no_error_field"]);
    assert_eq!(failed(json!({"no_error_field": false}), "oops"), [""; 0]);
    let two = json!({"json_pointer_exists": "/x", "json_pointer_equals": {"/a": 1, "/b": 2}});
    assert_eq!(failed(two, "oops").len(), 3, "each is named");
}

#[test]
fn variables_in_expected_values() {
    let success = json!({"json_pointer_equals": {"/region": "${REGION}", "/key": "k-${API_KEY}"}});
    let output = r#"{"region": "eu west", "key": "k-hunter2"}"#;
    assert!(judge(action(), success.clone(), &exited(0, output)).is_empty());
    let other = exited(0, r#"{"region": "us", "key": "k-x"}"#);
    assert_eq!(judge(action(), success, &other).len(), 2);

    let success = json!({"json_pointer_equals": {"/region": "${REGION}"}});
    let unset = |_: &str| None;
    let failed = verdict(action(), success.clone(), &exited(0, output), &unset, false);
    assert_eq!(failed.failures[0].message, "unresolved: \"REGION\" has no value");
    let skipped = verdict(action(), success, &exited(0, output), &unset, true);
    assert!(skipped.passed());
    assert_eq!(skipped.skipped[0].pointer.as_str(), "/smoke/success/json_pointer_equals/~1region");
    // Only what an owner may leave out can be skipped.
    let undeclared = json!({"json_pointer_equals": {"/region": "${NOPE}"}});
    assert!(!verdict(action(), undeclared, &exited(0, output), &unset, true).passed());
}

/// Filled in, a text is as long as it may be, and no longer.
#[test]
fn filled_texts_are_bounded() {
    let success = json!({"json_pointer_equals": {"/region": "${REGION}"}});
    let most = "x".repeat(Limits::default().filled_bytes);
    let more = format!("{most}x");
    for (value, fits) in [(most, true), (more, false)] {
        let output = exited(0, &json!({"region": &value}).to_string());
        let value: &'static str = value.leak();
        let found = verdict(action(), success.clone(), &output, &|_| Some(value), false);
        assert_eq!(found.passed(), fits, "{:?}", found.failures);
    }
}

#[test]
fn results_of_mcp_tools() {
    let tool = || json!({"kind": "mcp-tool-call", "tool_name": "x"});
    let success = json!({"json_pointer_equals": {"/a": 1}});
    let returned = |result: &str| Outcome::Returned(result.to_owned());
    let structured = returned(r#"{"content": [], "structuredContent": {"a": 1}}"#);
    assert!(judge(tool(), success.clone(), &structured).is_empty());
    let text = returned(r#"{"content": [{"type": "text", "text": "{\"a\":1}"}]}"#);
    assert!(judge(tool(), success.clone(), &text).is_empty());
    let error = returned(r#"{"content": [], "isError": true}"#);
    assert_eq!(judge(tool(), json!({}), &error), [""]);
}
