//! What the model is told.

use call::{End, Judge, Outcome};
use manifest_core::Limits;
use manifest_core::format::OutcomeRules;
use proptest::prelude::*;
use tools_json::{content, error_content, unknown_tool};

use super::restated;

fn ended(end: End, stdout: &[u8], stderr: &[u8]) -> Outcome {
    Outcome::Exited { end, stdout: stdout.to_vec(), stderr: stderr.to_vec() }
}

fn succeeded(outcome: &Outcome) -> bool {
    Judge::for_reading(OutcomeRules::OneLine).judge(outcome, &Limits::default()).is_ok()
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

/// What the reference says about a failure.
fn failure(message: &[u8]) -> String {
    let cut = &message[..message.len().min(1000)];
    restated::one_line(&format!("{{\"error\":{}}}", restated::marshal(cut)))
}

proptest! {
    #[test]
    fn output_is_put_on_one_line(stdout in noise()) {
        let text: String = restated::decode(&stdout).into_iter().map(|c| c.unwrap_or('\u{fffd}')).collect();
        let line = restated::one_line(&text);
        let expected = if line.is_empty() { "{}".to_owned() } else { line };
        prop_assert_eq!(content(&ended(End::Exit(0), &stdout, b"")), expected);
    }

    #[test]
    fn errors_are_marshalled_as_go_does(stderr in noise(), repeat in 1..60_usize) {
        let stderr = stderr.repeat(repeat);
        if stderr.is_empty() {
            return Ok(());
        }
        let content = content(&ended(End::Exit(1), b"", &stderr));
        prop_assert_eq!(&content, &failure(&stderr));
        let value: serde_json::Value = serde_json::from_str(&content).unwrap();
        prop_assert!(value["error"].is_string());
    }

    #[test]
    fn an_unknown_tool_is_named_in_full(name in "\\PC{0,2000}") {
        let message = format!("unknown tool: {name}");
        let expected = format!("{{\"error\":{}}}", restated::marshal(message.as_bytes()));
        prop_assert_eq!(unknown_tool(&name), expected);
    }
}

#[test]
fn blank_output_is_an_empty_object() {
    for stdout in ["", " ", "\n\t\u{a0}\u{3000}"] {
        let outcome = ended(End::Exit(0), stdout.as_bytes(), b"");
        assert_eq!(content(&outcome), "{}");
        assert!(succeeded(&outcome));
    }
}

#[test]
fn white_space_inside_strings_collapses_too() {
    let stdout = b"{\"a\":\n  \"two  words\"}";
    assert_eq!(content(&ended(End::Exit(0), stdout, b"")), r#"{"a": "two words"}"#);
}

#[test]
fn a_failure_shows_its_errors_or_how_it_ended() {
    let signal = |number| End::Signal { number, core_dumped: number == 11 };
    let exit = End::Exit;
    let dead = |end, stderr: &str| ended(end, b"ignored", stderr.as_bytes());
    for (outcome, error) in [
        (dead(exit(3), "boom"), "boom"),
        (dead(exit(3), ""), "exit status 3"),
        (dead(exit(1), " "), " "),
        (dead(exit(-1_073_741_819), ""), "exit status 0xc0000005"),
        (dead(signal(9), ""), "signal: killed"),
        (dead(signal(11), ""), "signal: segmentation fault (core dumped)"),
        (dead(signal(40), ""), "signal: signal 40"),
        (dead(signal(9), "dying"), "dying"),
        (Outcome::TimedOut, "tool timed out"),
        (Outcome::NotDone("start: not found".to_owned()), "start: not found"),
    ] {
        assert_eq!(content(&outcome), format!("{{\"error\":\"{error}\"}}"));
        assert!(!succeeded(&outcome));
    }
}

#[test]
fn messages_are_cut_to_a_thousand_bytes() {
    let content = |message: &str| error_content(message.as_bytes());
    let a = "a".repeat(999);
    assert_eq!(content(&format!("{a}bc")), format!("{{\"error\":\"{a}b\"}}"));
    // Half a character is left, as in the reference.
    assert_eq!(content(&format!("{a}é")), format!("{{\"error\":\"{a}\\ufffd\"}}"));
    // What escapes add is not counted.
    assert_eq!(content(&"<".repeat(1001)).len(), r#"{"error":""}"#.len() + 6000);
}
