//! How calls are planned and answers judged, and what models are told.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use manifest_core::json::Document;
use manifest_core::{Limits, Profile};
use mcpkg::Manifest;
use mcpkg::archive::Entry;
use mcpkg::expose::{Shape, expose, list};
use mcpkg::invoke::{Plan, PlanError, answer, plan};
use mcpkg::package::Package;
use mcpkg::testing::{TestReport, TestResult, Verdict};

fn document(text: &str) -> Document<'_> {
    Document::parse(text.as_bytes(), &Limits::default()).unwrap()
}

/// The plan for a tool with this endpoint and these members.
fn planned(endpoint: &str, members: &str) -> Result<String, PlanError> {
    let text = format!("{{\"endpoint\": {endpoint}{members}}}");
    let document = document(&text);
    let manifest = Manifest::read(&document);
    let endpoint = manifest.endpoint.as_ref().unwrap();
    plan(&manifest, endpoint, "{\"a\": \"it's\"}").map(|plan| match plan {
        Plan::Command { argv } => argv.join("|"),
        Plan::Http { method, url, body, credential } => {
            let credential = credential.map(|credential| {
                format!(" {}: {}{:?}", credential.header, credential.prefix, credential.env)
            });
            format!("{method} {url} {body}{}", credential.unwrap_or_default())
        }
        _ => panic!("another plan"),
    })
}

#[test]
fn a_plan_says_exactly_what_to_do() {
    let http = r#"{"type": "http", "method": "post", "url": "https://a.example/"}"#;
    let sent = r#"POST https://a.example/ {"a": "it's"}"#;
    assert_eq!(planned(http, "").unwrap(), sent);
    let auth = |kind: &str| {
        let auth =
            format!(r#", "auth": {{"type": "{kind}", "configHints": {{"env": ["A", "B"]}}}}"#);
        planned(http, &auth)
    };
    assert_eq!(auth("none").unwrap(), sent);
    assert_eq!(auth("bearer").unwrap(), format!("{sent} Authorization: Bearer [\"A\", \"B\"]"));
    assert_eq!(auth("api_key").unwrap(), format!("{sent} X-API-Key: [\"A\", \"B\"]"));
    assert_eq!(auth("oauth2"), Err(PlanError::Auth));

    // Section 10.3: the input is the last argument.
    let local = |line: &str| planned(&format!(r#"{{"type": "local", "command": "{line}"}}"#), "");
    let found = local("node ./sdk/javascript/pdf-read.js").unwrap();
    assert_eq!(found, r#"node|./sdk/javascript/pdf-read.js|{"a": "it's"}"#);
    assert_eq!(local("a 'b c'").unwrap(), r#"a|b c|{"a": "it's"}"#);
    for line in ["a; rm -rf b", "a $HOME", "a `b`", "a > b", "", "a 'b"] {
        assert_eq!(local(line), Err(PlanError::Shell), "{line}");
    }
    assert_eq!(planned(r#"{"type": "grpc"}"#, ""), Err(PlanError::Endpoint));
    assert_eq!(planned(r#"{"type": "http", "method": "GET"}"#, ""), Err(PlanError::Endpoint));
}

#[test]
fn an_answer_is_a_result_or_a_reason() {
    let judged = |status, body: &str, profile| {
        answer(status, body.as_bytes(), profile, &Limits::default())
            .map(|result| String::from_utf8(result.into_owned()).unwrap())
    };
    let spec = |status, body| judged(status, body, Profile::Spec);
    assert_eq!(spec(200, "{\"a\": 1}").unwrap(), "{\"a\": 1}");
    assert_eq!(spec(500, "{\"a\": 1}").unwrap_err(), "the server answered with status 500");
    assert_eq!(spec(204, "").unwrap_err(), "the server answered with nothing");
    // The published tool takes anything.
    let reference = |status, body| judged(status, body, Profile::Reference).unwrap();
    assert_eq!(reference(500, "{\"a\": 1}"), "{\"a\": 1}");
    assert_eq!(reference(204, " \n"), "{}");
    assert_eq!(reference(502, "<a \"b\">"), r#"{"response":"<a \"b\">","statusCode":502}"#);
}

const MANIFEST: &str = r#"{"toolId": "demo.text.echo", "name": "Echo Tool", "version": "1.0.0",
  "description": "Echoes.", "capabilities": ["demo", "echo"],
  "input_schema": {"type": "object", "maximum": 1e2}, "examples": ["a.md", "gone.md", "b.md", "c.md"]}"#;

#[test]
fn models_are_told_in_three_shapes() {
    let document = document(MANIFEST);
    let manifest = Manifest::read(&document);
    let shown = |shape| serde_json::to_string(&expose(&manifest, shape)).unwrap();
    let schema = r#""input_schema":{"type": "object", "maximum": 1e2}"#;
    assert_eq!(
        shown(Shape::Tools),
        format!(r#"{{"name":"demo.text.echo","description":"Echoes.",{schema}}}"#)
    );
    assert_eq!(
        shown(Shape::Logical),
        format!(r#"{{"tool":"demo.text.echo","description":"Echoes.",{schema}}}"#)
    );
    assert_eq!(
        shown(Shape::Reference),
        format!(
            r#"{{"name":"Echo Tool","description":"Echoes.",{schema},"capabilities":["demo","echo"]}}"#
        )
    );
    assert_eq!(list(&[]), "[]\n");
}

#[test]
fn examples_and_tests_are_told_on_request() {
    let document = document(MANIFEST);
    let manifest = Manifest::read(&document);
    let package = Package::new(vec![
        Entry::new("manifest.json", MANIFEST.as_bytes()),
        Entry::new("a.md", b"# A".as_slice()),
        Entry::new("b.md", b"\xff".as_slice()),
        Entry::new("c.md", b"# C, which is long".as_slice()),
    ]);
    let package = package.unwrap();
    let result = |verdict, latency| TestResult {
        name: "a".to_owned(),
        file: "a".to_owned(),
        verdict,
        reasons: Vec::new(),
        latency: Some(std::time::Duration::from_millis(latency)),
    };
    let report = TestReport {
        results: vec![result(Verdict::Passed, 10), result(Verdict::Failed, 20)],
        ..TestReport::default()
    };
    let exposed = |most| {
        let tool = expose(&manifest, Shape::Reference)
            .with_examples(&manifest, &package, most)
            .with_summary(&report.summary());
        serde_json::to_value(tool).unwrap()
    };
    assert_eq!(exposed(1000)["examples"], serde_json::json!(["# A", "# C, which is long"]));
    assert_eq!(exposed(4)["examples"], serde_json::json!(["# A"]), "no room for the other");
    let summary =
        serde_json::json!({"total": 2, "passed": 1, "failed": 1, "average_latency_ms": 15.0});
    assert_eq!(exposed(0)["test_summary"], summary);
}
