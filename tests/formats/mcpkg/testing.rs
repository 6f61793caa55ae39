//! Test cases: how results are judged, how runs go, and what reports say.

use std::time::Duration;

use call::Outcome;
use manifest_core::json::Document;
use manifest_core::{Limits, Profile};
use mcpkg::Manifest;
use mcpkg::rank::{ToolRecord, Weights, compare, rank};
use mcpkg::testing::{TestCase, TestOptions, TestReport, TestResult, TestRun, Verdict, judge};

fn document(text: &str) -> Document<'_> {
    Document::parse(text.as_bytes(), &Limits::default()).unwrap()
}

/// Whether an assertion passes, under `spec` and under `reference`.
fn passes(assertion: &str, result: &str) -> (bool, bool) {
    let case = format!(r#"{{"name": "a", "input": {{}}, "assertions": [{assertion}]}}"#);
    let case = document(&case);
    let case = TestCase::read(&case);
    assert_eq!(case.assertions.len(), 1, "{assertion}");
    let result = document(result);
    let verdict = |profile| judge(&case, result.root(), profile, &Limits::default()).is_empty();
    (verdict(Profile::Spec), verdict(Profile::Reference))
}

/// The table of the notes: what the published tool does, and what we read.
///
/// Row Q15 of the catalogue of attacks.
#[test]
fn assertions_are_judged() {
    let result = r#"{"status": "ok", "none": null, "n": 1.0, "list": [1, 2], "o": {"a": [1]}}"#;
    for (assertion, spec, reference) in [
        (r#"{"path": "$.status", "equals": "ok"}"#, true, true),
        (r#"{"path": "$.status", "equals": "no"}"#, false, false),
        (r#"{"path": "$.status", "notEquals": "no"}"#, true, true),
        (r#"{"path": "$.status", "notEquals": "ok"}"#, false, false),
        (r#"{"path": "$.status", "exists": true}"#, true, true),
        (r#"{"path": "$.status", "exists": false}"#, false, false),
        (r#"{"path": "$.status", "notExists": true}"#, false, false),
        // Here the published tool finds no assertion.
        (r#"{"path": "$.status", "notExists": false}"#, true, false),
        (r#"{"path": "$.gone", "exists": true}"#, false, false),
        // And here it stops at the missing path.
        (r#"{"path": "$.gone", "exists": false}"#, true, false),
        (r#"{"path": "$.gone", "notExists": true}"#, true, true),
        (r#"{"path": "$.gone", "notExists": false}"#, false, false),
        // A missing value is no evidence.
        (r#"{"path": "$.gone", "equals": 1}"#, false, false),
        (r#"{"path": "$.gone", "notEquals": 1}"#, false, false),
        // Null is a value; to the published tool it is the absence of one.
        (r#"{"path": "$.none", "equals": null}"#, true, false),
        (r#"{"path": "$.status", "notEquals": null}"#, true, false),
        (r#"{"path": "$.none", "exists": true}"#, true, true),
        // Numbers by value, containers as a whole.
        (r#"{"path": "$.n", "equals": 1}"#, true, true),
        (r#"{"path": "$.o", "equals": {"a": [1]}}"#, true, true),
        (r#"{"path": "$.list", "equals": [2, 1]}"#, false, false),
        // Of several matches, the first counts.
        (r#"{"path": "$.list[*]", "equals": 1}"#, true, true),
        (r#"{"path": "$.list[*]", "equals": 2}"#, false, false),
    ] {
        assert_eq!(passes(assertion, result), (spec, reference), "{assertion}");
    }
}

/// Row Q16 of the catalogue of attacks.
#[test]
fn numbers_and_texts_are_compared_exactly() {
    let equals = |a: &str, b: &str| {
        passes(&format!(r#"{{"path": "$.v", "equals": {a}}}"#), &format!(r#"{{"v": {b}}}"#)).0
    };
    assert!(equals("1", "1.0"));
    assert!(equals("100", "1e2"));
    assert!(!equals("9007199254740993", "9007199254740992"));
    assert!(!equals("\"\u{e9}\"", "\"e\u{301}\""));
    assert!(equals("\"\u{e9}\"", "\"\\u00e9\""));
}

#[test]
fn expected_is_a_subset() {
    let judged = |expected: &str, result: &str, profile| {
        let case = format!(r#"{{"name": "a", "input": {{}}, "expected": {expected}}}"#);
        let case = document(&case);
        let result = document(result);
        let reasons = judge(&TestCase::read(&case), result.root(), profile, &Limits::default());
        reasons.into_iter().map(|r| (r.path.unwrap_or_default(), r.message)).collect::<Vec<_>>()
    };
    let spec = |expected, result| judged(expected, result, Profile::Spec);
    assert_eq!(spec(r#"{"a": {"b": 1}}"#, r#"{"a": {"b": 1.0, "c": 2}, "d": 3}"#), []);
    assert_eq!(spec(r#"{"a": [1]}"#, r#"{"a": [1]}"#), []);
    let one = |path: &str, message: &str| [(path.to_owned(), message.to_owned())];
    assert_eq!(
        spec(r#"{"a": [1]}"#, r#"{"a": [1, 2]}"#),
        one("/a", "expected an array, found an array")
    );
    assert_eq!(
        spec(r#"{"a": {"b": 1}}"#, r#"{"a": {}}"#),
        one("/a/b", "expected 1, found nothing")
    );
    assert_eq!(spec("1", "2"), one("", "expected 1, found 2"));
    assert_eq!(judged("1", "2", Profile::Reference), []);
}

const MANIFEST: &str = r#"{
  "toolId": "acme.demo.echo", "version": "1.0.0",
  "endpoint": {"type": "http", "timeoutMs": 100},
  "input_schema": {"type": "object", "required": ["m"]}
}"#;

/// Runs tests against a tool that answers as it is told.
fn run(cases: &[&str], profile: Profile, answers: &[(Outcome, u64)]) -> TestReport {
    let manifest = document(MANIFEST);
    let documents: Vec<_> = cases.iter().map(|text| document(text)).collect();
    let cases = documents
        .iter()
        .enumerate()
        .map(|(i, case)| (format!("tests/{i}.test.json"), TestCase::read(case)))
        .collect();
    let options = TestOptions { profile, ..TestOptions::default() };
    let mut run = TestRun::new(&Manifest::read(&manifest), cases, options);
    let mut answers = answers.iter();
    while run.next().is_some() {
        assert_eq!(
            run.next().map(|call| call.name.to_owned()),
            run.next().map(|c| c.name.to_owned())
        );
        let Some((outcome, latency)) = answers.next() else { break };
        run.resume(outcome, Duration::from_millis(*latency));
    }
    assert!(answers.next().is_none(), "a call was not made");
    run.finish()
}

fn returned(body: &str) -> Outcome {
    Outcome::Responded { status: 200, body: body.into() }
}

const OK: &str = r#"{"name": "ok", "input": {"m": 1}, "expected": {"m": 1}}"#;

fn verdicts(report: &TestReport) -> Vec<Verdict> {
    report.results.iter().map(|result| result.verdict).collect()
}

#[test]
fn a_run_goes_through_every_verdict() {
    use Verdict::{Errored, Failed, NotRun, Passed, TimedOut};

    let slow = r#"{"name": "slow", "input": {"m": 1}, "expected": {}, "timeoutMs": 50}"#;
    let bad = r#"{"name": "bad", "input": {}, "expected": {}}"#;
    let broken = r#"{"name": "broken", "input": {"m": 1}, "assertions": [{"path": "$.a"}]}"#;
    let good = returned(r#"{"m": 1}"#);
    let report = run(
        &[OK, OK, slow, slow, OK, OK, bad, broken, OK],
        Profile::Spec,
        &[
            (good.clone(), 10),
            (returned(r#"{"m": 2}"#), 20),
            (Outcome::TimedOut, 50),
            (good, 51),
            (Outcome::NotDone("refused\u{1b}[2J".to_owned()), 1),
            (returned("<html>"), 1),
        ],
    );
    let expected = [Passed, Failed, TimedOut, TimedOut, Errored, Errored, Errored, Errored, NotRun];
    assert_eq!(verdicts(&report), expected);
    let reason = |index: usize| report.results[index].reasons[0].message.clone();
    assert_eq!(reason(1), "expected 1, found 2");
    assert_eq!(reason(3), "the call took more than 50 ms");
    assert_eq!(reason(4), "refused\\u{1b}[2J");
    assert!(reason(5).starts_with("the result is not JSON: "));
    assert!(reason(6).starts_with("the input does not match input_schema: "), "{}", reason(6));
    assert!(reason(7).starts_with("the test is broken: "));
    let summary = report.summary();
    assert_eq!((summary.total, summary.passed, summary.failed), (9, 1, 8));
    assert!(!report.is_success());
}

/// Section 4.1: `output_schema` describes the output, so a result that breaks it is not one.
#[test]
fn a_result_must_match_the_output_schema() {
    let manifest = document(
        r#"{"toolId": "a.b", "output_schema": {"required": ["n"],
            "properties": {"n": {"type": "integer"}}}}"#,
    );
    let case =
        document(r#"{"name": "a", "input": {}, "assertions": [{"path": "$", "exists": true}]}"#);
    let judged = |profile, body| {
        let cases = vec![("a".to_owned(), TestCase::read(&case))];
        let options = TestOptions { profile, ..TestOptions::default() };
        let mut run = TestRun::new(&Manifest::read(&manifest), cases, options);
        run.next().unwrap();
        run.resume(&returned(body), Duration::ZERO);
        run.finish().results.remove(0)
    };
    assert_eq!(judged(Profile::Spec, r#"{"n": 1}"#).verdict, Verdict::Passed);
    let failed = judged(Profile::Spec, r#"{"n": "1"}"#);
    assert_eq!(failed.verdict, Verdict::Failed);
    assert_eq!(failed.reasons[0].path.as_deref(), Some("/n"));
    let message = &failed.reasons[0].message;
    assert!(message.starts_with("the result does not match output_schema: "), "{message}");
    assert_eq!(judged(Profile::Spec, "{}").verdict, Verdict::Failed);
    // The published tool does not look.
    assert_eq!(judged(Profile::Reference, "{}").verdict, Verdict::Passed);
}

#[test]
fn the_published_tool_sends_any_input() {
    let bad = r#"{"name": "bad", "input": {}, "expected": {"a": 1}}"#;
    let report = run(&[bad], Profile::Reference, &[(returned("{}"), 1)]);
    assert_eq!(verdicts(&report), [Verdict::Passed]);
}

#[test]
fn time_outs_come_from_the_test_then_the_tool_then_the_host() {
    let timeout = |manifest: &str, case: &str| {
        let (manifest, case) = (document(manifest), document(case));
        let cases = vec![(String::new(), TestCase::read(&case))];
        let mut run = TestRun::new(&Manifest::read(&manifest), cases, TestOptions::default());
        run.next().unwrap().timeout.as_millis()
    };
    let own = r#"{"name": "a", "input": {"m": 1}, "timeoutMs": 0.5}"#;
    assert_eq!(timeout(MANIFEST, own), 0);
    assert_eq!(timeout(MANIFEST, OK), 100);
    assert_eq!(timeout("{}", OK), 30_000);
}

fn result(name: &str, verdict: Verdict, latency: u64) -> TestResult {
    TestResult {
        name: name.to_owned(),
        file: format!("tests/{name}.test.json"),
        verdict,
        reasons: Vec::new(),
        latency: Some(Duration::from_millis(latency)),
    }
}

fn report(results: Vec<TestResult>) -> TestReport {
    TestReport { tool_id: "a.b".to_owned(), version: "1.0.0".to_owned(), results }
}

#[test]
fn the_summary_has_mean_and_95th_percentile() {
    let of = |latencies: &[u64]| {
        let results = latencies.iter().map(|ms| result("a", Verdict::Passed, *ms));
        let summary = report(results.collect()).summary();
        (summary.average_latency_ms, summary.p95_latency_ms)
    };
    assert_eq!(of(&[]), (None, None));
    assert_eq!(of(&[7]), (Some(7.0), Some(7.0)));
    let twenty: Vec<u64> = (1..=20).rev().collect();
    assert_eq!(of(&twenty), (Some(10.5), Some(19.0)));
    let hundred: Vec<u64> = (1..=100).collect();
    assert_eq!(of(&hundred), (Some(50.5), Some(95.0)));
}

#[test]
fn reports_are_json_and_junit() {
    let case = r#"{"name": "a<b>&\"\u0001", "input": {"m": 1}, "expected": {"m": "<"}}"#;
    let report = run(&[OK, case, OK], Profile::Spec, &[(returned(r#"{"m": 1}"#), 1500)]);
    assert_eq!(verdicts(&report)[0], Verdict::TimedOut);
    let report = run(
        &[OK, case, OK],
        Profile::Spec,
        &[(returned(r#"{"m": 1}"#), 15), (returned(r#"{"m": 1}"#), 5)],
    );
    assert_eq!(serde_json::from_str::<TestReport>(&report.to_json()).unwrap(), report);
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    assert_eq!(json["summary"]["passed"], 1);
    assert_eq!(json["results"][1]["verdict"], "failed");
    assert_eq!(json["results"][1]["reasons"][0]["path"], "/m");
    assert_eq!(json["results"][2]["latency_ms"], serde_json::Value::Null);
    assert_eq!(
        report.to_junit(),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\" time=\"0.020000\">\n  \
         <testsuite name=\"acme.demo.echo\" tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\" time=\"0.020000\">\n    \
         <testcase name=\"ok\" classname=\"acme.demo.echo\" file=\"tests/0.test.json\" time=\"0.015000\"/>\n    \
         <testcase name=\"a&lt;b&gt;&amp;&quot;\u{FFFD}\" classname=\"acme.demo.echo\" file=\"tests/1.test.json\" time=\"0.005000\">\n      \
         <failure type=\"assertion\" message=\"expected &quot;&lt;&quot;, found 1\">/m: expected &quot;&lt;&quot;, found 1</failure>\n    \
         </testcase>\n    \
         <testcase name=\"ok\" classname=\"acme.demo.echo\" file=\"tests/2.test.json\" time=\"0.000000\">\n      \
         <skipped/>\n    \
         </testcase>\n  \
         </testsuite>\n\
         </testsuites>\n"
    );
}

#[test]
fn regressions_are_found() {
    use Verdict::{Failed, Passed};
    let before = report(vec![
        result("broken", Passed, 10),
        result("fixed", Failed, 10),
        result("slower", Passed, 20),
        result("steady", Passed, 1),
        result("missing", Passed, 10),
    ]);
    let after = report(vec![
        result("broken", Failed, 10),
        result("fixed", Passed, 10),
        result("slower", Passed, 60),
        result("steady", Passed, 9),
        result("added", Passed, 10),
    ]);
    let found = compare(&before, &after, 2.0);
    assert_eq!(found.broken, ["broken"]);
    assert_eq!(found.fixed, ["fixed"]);
    assert_eq!(found.slower, ["slower"]);
    assert_eq!(found.missing, ["missing"]);
    assert_eq!(found.added, ["added"]);
    assert!(found.is_worse());
    assert!(!compare(&before, &before, 2.0).is_worse());
}

#[test]
fn better_tools_rank_higher() {
    let good = document(r#"{"toolId": "a.good", "capabilities": ["pdf", "local"]}"#);
    let poor = document(r#"{"toolId": "a.poor", "capabilities": ["pdf"]}"#);
    let (good, poor) = (Manifest::read(&good), Manifest::read(&poor));
    let summary = |passed: usize, ms: u64| {
        let results = (0..4).map(|index| {
            result("a", if index < passed { Verdict::Passed } else { Verdict::Failed }, ms)
        });
        report(results.collect()).summary()
    };
    let first = |wanted: &[&str], good_runs: &[_], poor_runs: &[_]| {
        let records = [
            ToolRecord { manifest: &poor, runs: poor_runs, fit: 1.0 },
            ToolRecord { manifest: &good, runs: good_runs, fit: 1.0 },
        ];
        let ranked = rank(wanted, &records, &Weights::default());
        assert!(ranked.iter().all(|tool| (0.0..=1.0).contains(&tool.score)), "{ranked:?}");
        ranked[0].tool_id.to_owned()
    };
    let same = [summary(4, 10)];
    assert_eq!(first(&["PDF", "local"], &same, &same), "a.good", "by capability");
    assert_eq!(first(&["pdf"], &same, &[summary(2, 10)]), "a.good", "by pass rate");
    assert_eq!(first(&["pdf"], &same, &[summary(4, 900)]), "a.good", "by latency");
    let shaky = [summary(0, 10), summary(4, 10)];
    let steady = [summary(4, 10), summary(4, 10)];
    assert_eq!(first(&["pdf"], &steady, &shaky), "a.good", "by stability");
    assert_eq!(first(&["pdf"], &same, &[]), "a.good", "untested");
    assert_eq!(first(&[], &same, &same), "a.good", "by id, when nothing else differs");
    let by_fit = |good_fit: f64, good_runs: &[_], poor_fit: f64, poor_runs: &[_]| {
        let records = [
            ToolRecord { manifest: &poor, runs: poor_runs, fit: poor_fit },
            ToolRecord { manifest: &good, runs: good_runs, fit: good_fit },
        ];
        rank(&["pdf"], &records, &Weights::default())[0].tool_id.to_owned()
    };
    assert_eq!(by_fit(0.75, &same, 1.0, &same), "a.poor", "by how it fits the machine");
    assert_eq!(by_fit(0.0, &same, 0.1, &[]), "a.poor", "what cannot be called comes last");
}
