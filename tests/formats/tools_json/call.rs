//! What is run for a call, and what is made of its outcome.

use std::collections::BTreeMap;

use call::{
    Answer, End, FailureKind, Grant, HostFacts, Judge, Outcome, Plan, Policy, Program, Step,
};
use manifest_core::Limits;
use manifest_core::format::OutcomeRules;
use manifest_core::json::Document;
use proptest::prelude::*;
use serde_json::{Value, json};
use tools_json::FORMAT;

use super::agentcli;

/// The plan of a call of the tool with these members.
pub(super) fn plan(members: &Value, arguments: &str) -> Plan {
    let mut tool = json!({"name": "t", "command": ["/x"]});
    for (name, value) in members.as_object().unwrap() {
        tool[name] = value.clone();
    }
    let text = json!({"tools": [tool]}).to_string();
    let limits = Limits::default();
    let document = Document::parse(text.as_bytes(), &limits).unwrap();
    // Not checked, because some tests have names of variables that are invalid.
    let tool = FORMAT.lift_valid(&document, 0).tools.remove(0);
    let policy = Policy { grants: [Grant::Approved].into(), ..Policy::default() };
    let facts = HostFacts::new(&policy);
    call::plan(&tool, &(FORMAT.contract)(&tool), arguments, &facts, &limits).ready().unwrap()
}

fn program(plan: &Plan) -> &Program {
    match &plan.step {
        Step::Run(program) => program,
        step => panic!("{step:?}"),
    }
}

fn names() -> impl Strategy<Value = String> {
    let awkward = [
        "PATH",
        "path",
        " Path ",
        "HOME",
        "TZ",
        "tz",
        "\u{a0}TZ",
        "\u{200b}TZ",
        "ß",
        "ﬁ",
        "K",
        "1A",
        "A1",
        "_",
        "",
        " ",
        "A-B",
        "A\n",
    ];
    // The published loader takes these for S and I, and the specification does not.
    let ours = |name: &String| !name.contains(['ſ', 'ı']);
    prop_oneof![
        prop::sample::select(awkward.to_vec()).prop_map(str::to_owned),
        "[A-Z_]{0,2}",
        "\\PC{0,3}".prop_filter("letters that become others", ours),
    ]
}

proptest! {
    #[test]
    fn the_environment_is_the_reference_s(
        asked in prop::collection::vec(names(), 0..8),
        there in prop::collection::btree_map("PATH|HOME|TZ|_|[A-C]", "|v|w", 0..8),
    ) {
        let environment = |name: &str| there.get(name).map(String::as_str);
        let plan = plan(&json!({"envPassthrough": asked}), "");

        // A list of assignments, of which the later ones win.
        let mut assigned: Vec<(String, String)> = Vec::new();
        for name in ["PATH", "HOME"] {
            if let Some(value) = there.get(name).filter(|value| !value.is_empty()) {
                assigned.push((name.to_owned(), value.clone()));
            }
        }
        let mut keys: Vec<String> = Vec::new();
        for name in asked.iter().filter_map(|name| agentcli::env_name(name)) {
            if !keys.contains(&name) {
                keys.push(name.clone());
                assigned.extend(there.get(&name).map(|value| (name, value.clone())));
            }
        }
        prop_assert_eq!(&program(&plan).variables, &keys);
        let expected: BTreeMap<String, String> = assigned.into_iter().collect();
        let found = program(&plan).environment(&environment, &environment);
        let found: BTreeMap<String, String> =
            found.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn arguments_are_passed_on_to_the_byte(blanks in "[ \n]{0,3}", text in "\\PC{0,40}") {
        let arguments = format!("{{{blanks}\"q\"{blanks}: {}{blanks}}}", json!(text));
        let (plan, blank) = (plan(&json!({}), &arguments), plan(&json!({}), &blanks));
        prop_assert_eq!(program(&plan).stdin.as_ref(), Some(&arguments));
        prop_assert_eq!(program(&blank).stdin.as_deref(), Some("{}"));
    }

    #[test]
    fn output_is_put_on_one_line(stdout in noise()) {
        let line = agentcli::one_line(&agentcli::decode_lossy(&stdout));
        let expected = if line.is_empty() { "{}".to_owned() } else { line };
        prop_assert_eq!(judge(&ended(End::Exit(0), &stdout, b"")), Ok(expected));
    }
}

#[test]
fn a_command_stays_as_it_is() {
    let argv = ["./tools/bin/x", "", "-a", "../..", "a b", "${A}"];
    let plan = plan(&json!({"command": argv}), "");
    let found: Vec<String> = program(&plan).argv.iter().map(ToString::to_string).collect();
    assert_eq!(found[..5], argv[..5]);
    assert_eq!(program(&plan).argv.len(), 6);
    assert_eq!(program(&plan).argv[5].variables().count(), 0, "a text, and no placeholder");
}

#[test]
fn the_tool_s_time_out_wins_and_there_is_always_one() {
    for (own, expected) in
        [(json!(5), 5_000), (json!(0), 30_000), (json!(-1), 30_000), (json!(i64::MAX), u64::MAX)]
    {
        assert_eq!(plan(&json!({"timeoutSec": own}), "").timeout_ms, Some(expected));
    }
    assert_eq!(plan(&json!({}), "").timeout_ms, Some(30_000));
}

#[test]
fn secrets_do_not_show() {
    let plan = plan(&json!({"envPassthrough": ["API_KEY"]}), r#"{"password":"hunter2"}"#);
    let shown = format!("{plan:?}");
    assert!(shown.contains("API_KEY"));
    assert!(!shown.contains("hunter2"));
}

fn ended(end: End, stdout: &[u8], stderr: &[u8]) -> Outcome {
    Outcome::Exited { end, stdout: stdout.to_vec(), stderr: stderr.to_vec() }
}

/// The answer or the message of a failure.
fn judge(outcome: &Outcome) -> Result<String, String> {
    match Judge::for_reading(OutcomeRules::OneLine).judge(outcome, &Limits::default()) {
        Ok(Answer::Text(text)) => Ok(text),
        Ok(answer) => panic!("{answer:?}"),
        Err(failure) => Err(failure.message),
    }
}

/// Bytes that are often text, and often not.
fn noise() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        any::<char>().prop_map(|c| c.to_string().into_bytes()),
        prop::sample::select(vec![
            "<", ">", "&", "\u{2028}", "\u{a0}", "\u{85}", "  ", "\n", "\"", "\\", "\u{8}", "\u{c}"
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

#[test]
fn an_answer_is_one_line() {
    for (stdout, answer) in [
        ("", "{}"),
        (" ", "{}"),
        ("\n\t\u{a0}\u{3000}", "{}"),
        // Inside strings, too.
        ("{\"a\":\n  \"two  words\"}", r#"{"a": "two words"}"#),
    ] {
        assert_eq!(judge(&ended(End::Exit(0), stdout.as_bytes(), b"")), Ok(answer.to_owned()));
    }
}

#[test]
fn a_failure_shows_its_errors_or_how_it_ended() {
    let signal = |number| End::Signal { number, core_dumped: number == 11 };
    let dead = |end, stderr: &str| ended(end, b"ignored", stderr.as_bytes());
    for (outcome, error) in [
        (dead(End::Exit(3), "boom"), "boom"),
        (dead(End::Exit(3), ""), "the program ended with exit code 3"),
        (dead(End::Exit(1), " "), "the program ended with exit code 1"),
        (dead(signal(9), ""), "signal 9 ended the program"),
        (dead(signal(9), "dying"), "dying"),
        (Outcome::TimedOut, "tool timed out"),
        (Outcome::NotDone("start: not found".to_owned()), "start: not found"),
    ] {
        assert_eq!(judge(&outcome), Err(error.to_owned()));
    }
    let failed = Judge::for_reading(OutcomeRules::OneLine)
        .judge(&dead(End::Exit(3), "boom"), &Limits::default());
    assert_eq!(failed.unwrap_err().reason, FailureKind::Exit(End::Exit(3)));
}
