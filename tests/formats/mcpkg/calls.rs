//! How calls are planned and answers judged, and what models are told.

use call::{Answer, FailureKind, Grant, HostFacts, Judge, Outcome, Policy, Step, plan};
use manifest_core::Limits;
use manifest_core::format::{Contract, OutcomeRules};
use manifest_core::json::Document;
use mcpkg::archive::Entry;
use mcpkg::expose::{Shape, expose, render_list};
use mcpkg::package::Package;
use mcpkg::testing::{TestReport, TestResult, Verdict};
use mcpkg::{FORMAT, Manifest};

fn document(text: &str) -> Document<'_> {
    Document::parse(text.as_bytes(), &Limits::default()).unwrap()
}

/// The plan for a tool with this endpoint and these members, where the variable B is set.
fn planned(endpoint: &str, members: &str) -> Result<String, &'static str> {
    let text = format!("{{\"toolId\": \"a.b\", \"endpoint\": {endpoint}{members}}}");
    let document = document(&text);
    let tool = FORMAT.lift_valid(&document, 0).tools.remove(0);
    let policy = Policy { grants: [Grant::Approved].into(), ..Policy::default() };
    let has = |name: &str| name == "B";
    let facts = HostFacts { has_value: &has, ..HostFacts::new(&policy) };
    let contract = (FORMAT.contract)(&tool);
    let made = plan(&tool, &contract, "{\"a\": \"it's\"}", &facts, &Limits::default()).ready();
    let made = made.map_err(|refused| refused.report().unwrap().diagnostics[0].rule.code)?;
    let warned = made.warnings.iter().map(|found| format!(" ({})", found.rule));
    let warned = warned.collect::<Vec<_>>().concat();
    match made.step {
        Step::Run(program) => {
            let argv: Vec<String> = program.argv.iter().map(ToString::to_string).collect();
            Ok(argv.join("|"))
        }
        Step::Send(request) => {
            let headers = request.headers.iter().filter(|(name, _)| name != "Content-Type");
            let headers = headers.map(|(name, value)| format!(" {name}: {value}"));
            let headers = headers.collect::<Vec<_>>().concat();
            let body = request.body.unwrap_or_default();
            Ok(format!("{} {} {body}{headers}{warned}", request.method, request.url))
        }
        step => panic!("{step:?}"),
    }
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
    // The first that has a value counts.
    assert_eq!(auth("bearer").unwrap(), format!("{sent} Authorization: Bearer ${{B}}"));
    assert_eq!(auth("api_key").unwrap(), format!("{sent} X-API-Key: ${{B}}"));
    // As the published tool sends it; what is lacking is said.
    assert_eq!(auth("oauth2").unwrap(), format!("{sent} (call/credential)"));

    // Section 10.3: the input is the last argument.
    let local = |line: &str| planned(&format!(r#"{{"type": "local", "command": "{line}"}}"#), "");
    let found = local("node ./sdk/javascript/pdf-read.js").unwrap();
    assert_eq!(found, r#"node|./sdk/javascript/pdf-read.js|{"a": "it's"}"#);
    assert_eq!(local("a 'b c'").unwrap(), r#"a|b c|{"a": "it's"}"#);
    for line in ["a; rm -rf b", "a $HOME", "a `b`", "a > b", "", "a 'b"] {
        assert_eq!(local(line), Err("call/shell"), "{line}");
    }
    assert_eq!(planned(r#"{"type": "grpc"}"#, ""), Err("call/no-call"));
    assert_eq!(planned(r#"{"type": "http", "method": "GET"}"#, ""), Err("call/url"));
}

#[test]
fn an_answer_is_a_result_or_a_reason() {
    let judged = |status, body: &str, reading| {
        let outcome = Outcome::Responded { status, body: body.into() };
        Judge::for_reading(reading).judge(&outcome, &Limits::default())
    };
    let json = |text: &str| Ok(Answer::Json(text.to_owned()));
    let spec = |status, body| judged(status, body, OutcomeRules::Json);
    assert_eq!(spec(200, "{\"a\": 1}"), json("{\"a\": 1}"));
    let failed = spec(500, "{\"a\": 1}").unwrap_err();
    assert_eq!(failed.message, "the server answered with status 500");
    assert!(matches!(spec(204, "").unwrap_err().reason, FailureKind::Output(_)));
    // The published tool takes anything, and so does a host that calls as it does.
    let text = r#"{"toolId": "a.b", "endpoint": {"type": "http", "method": "POST", "url": "https://a.example/"}}"#;
    let document = document(text);
    let tool = FORMAT.lift_valid(&document, 0).tools.remove(0);
    let reading = (FORMAT.contract)(&tool).host_rules.outcome_rules;
    assert_eq!(reading, OutcomeRules::AnyStatus);
    let reference = |status, body| judged(status, body, reading);
    assert_eq!(reference(500, "{\"a\": 1}"), json("{\"a\": 1}"));
    assert_eq!(reference(204, " \n"), json("{}"));
    assert_eq!(reference(502, "<a \"b\">"), json(r#"{"response":"<a \"b\">","statusCode":502}"#));
}

const MANIFEST: &str = r#"{"toolId": "demo.text.echo", "name": "Echo Tool", "version": "1.0.0",
  "description": "Echoes.", "capabilities": ["demo", "echo"],
  "input_schema": {"type": "object", "maximum": 1e2}, "examples": ["a.md", "gone.md", "b.md", "c.md"],
  "tests": ["a.test.json", "b.test.json", "gone.test.json"]}"#;

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
    assert_eq!(render_list(&[]), "[]\n");
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
        Entry::new("a.test.json", br#"{"name": "a", "input": {"n": 1.10}}"#.as_slice()),
        Entry::new("b.test.json", b"{".as_slice()),
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
            .with_calls(&manifest, &package, most)
            .with_summary(&report.summary());
        serde_json::to_value(tool).unwrap()
    };
    assert_eq!(exposed(1000)["examples"], serde_json::json!(["# A", "# C, which is long"]));
    assert_eq!(exposed(4)["examples"], serde_json::json!(["# A"]), "no room for the other");
    let call = serde_json::json!({"name": "a", "input": {"n": 1.10}});
    assert_eq!(exposed(1000)["calls"], serde_json::json!([call]));
    assert_eq!(exposed(4)["calls"], serde_json::json!([]));
    let summary =
        serde_json::json!({"total": 2, "passed": 1, "failed": 1, "average_latency_ms": 15.0});
    assert_eq!(exposed(0)["test_summary"], summary);
}

/// What a host does around a call: with requests as the published runner, with programs as the
/// text says.
#[test]
fn each_kind_of_call_has_its_contract() {
    let contract = |members: &str| {
        let text = format!("{{\"toolId\": \"a.b\", {members}}}");
        let document = document(&text);
        let tool = FORMAT.lift_valid(&document, 0).tools.remove(0);
        (FORMAT.contract)(&tool)
    };
    let http = r#"{"type": "http", "url": "https://a.example"}"#;
    let local = r#"{"type": "local", "command": "/bin/x"}"#;
    let [request, program] =
        [http, local].map(|endpoint| contract(&format!("\"endpoint\": {endpoint}")));
    let chain = contract(r#""chain": [{"step": "s", "toolId": "c.d"}]"#);
    assert_eq!(request.host_rules.outcome_rules, OutcomeRules::AnyStatus);
    assert_eq!(request.host_rules.default_timeout_ms, Some(30_000));
    assert!(request.timeout.contains("30 seconds") && request.keeps_timeout);
    assert!(request.failure.contains("status is not looked at"), "{}", request.failure);
    assert!(request.environment.contains("nothing") && request.directory.contains("no program"));
    assert_eq!(program.failure, "an exit code other than 0");
    assert_eq!(program.result, "standard output as JSON");
    assert_eq!(program.environment, "that of the host");
    assert_eq!(program.timeout, Contract::UNSPECIFIED);
    assert!(chain.fills_defaults && !request.fills_defaults && !program.fills_defaults);
    // Which it is depends on who calls.
    let choice = contract(&format!(
        r#""implementations": [{{"id": "a", "endpoint": {http}}}, {{"id": "b", "endpoint": {local}}}]"#
    ));
    let chosen =
        [choice.environment, choice.directory, choice.timeout, choice.result, choice.failure];
    assert_eq!(chosen, ["as the chosen implementation is called"; 5]);
    // None is told of in the words of another.
    let told = [request, program, chain]
        .map(|one| [one.environment, one.directory, one.timeout, one.result, one.failure]);
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        for (one, other) in told[a].iter().zip(told[b]) {
            assert_ne!(*one, other);
        }
    }
}
