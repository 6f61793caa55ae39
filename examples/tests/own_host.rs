//! The example host with I/O of its own: a model calls a program, and a person is asked.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::{folder, program, tools};

/// Gives the host some manifests and lines of input. Returns the offers and the answers.
fn host(manifests: &[&str], input: &str) -> (Value, Vec<String>, String) {
    let mut host = Command::new(program("own_host"));
    host.args(manifests).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut host = host.spawn().unwrap();
    host.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = host.wait_with_output().unwrap();
    let person = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{person}");
    let text = String::from_utf8(output.stdout).unwrap();
    let (offers, answers) = text.split_once('\n').unwrap();
    let offers = serde_json::from_str(offers).unwrap();
    (offers, answers.lines().map(str::to_owned).collect(), person)
}

#[test]
fn a_model_calls_and_a_person_is_asked() {
    let tool = tools::program_of_tools_json();
    let broken = folder("broken").join("broken.json");
    std::fs::write(&broken, "{").unwrap();
    let manifests = [broken.to_str().unwrap(), tool.manifest.to_str().unwrap()];
    let call = json!({"name": "Ada", "count": 2}).to_string();
    let input = format!("greet {call}\ny\ngreet {call}\nn\ngreet {{\"name\": \"Ada\"}}\nnobody\n");
    let (offers, answers, person) = host(&manifests, &input);
    assert_eq!(offers[0]["name"], "greet");
    assert!(person.contains("broken.json"), "{person}");
    assert!(person.contains("Call \"greet\"?") && person.contains("[y/n]"), "{person}");

    let [answer, declined, wrong @ ..] = answers.as_slice() else { panic!("{answers:?}") };
    let answer: Value = serde_json::from_str(answer).unwrap();
    assert_eq!(answer, json!({"greeting": "hello Ada", "count": 2}));
    assert!(declined.contains("did not approve"), "{declined}");
    let wrong = wrong.join("\n");
    assert!(wrong.contains("count") && wrong.contains("Correct this"), "{wrong}");
    assert!(wrong.contains("no tool named \"nobody\""), "{wrong}");
}

#[test]
fn it_is_short() {
    let lines = include_str!("../own_host.rs").lines().count();
    assert!(lines <= 90, "{lines}");
}
