//! The example host of install manifests, with a real process and a real server.

use std::process::Command;

use crate::program;

/// Runs the host: whether it succeeded, what it printed, and why it failed.
fn flow(key: &str, arguments: &[&str]) -> (bool, String, String) {
    program("install_flow_tool");
    let ran = Command::new(program("install_flow")).args(arguments).env("API_KEY", key).output();
    let ran = ran.unwrap();
    let (out, err) =
        (String::from_utf8(ran.stdout).unwrap(), String::from_utf8(ran.stderr).unwrap());
    assert!(key.len() < 3 || !format!("{out}{err}").contains(key), "{out}{err}");
    (ran.status.success(), out, err)
}

fn steps(out: &str) -> Vec<&str> {
    let words =
        ["discovered", "Install:", "collected", "installed", "smoke", "answered", "revoked"];
    out.lines().filter_map(|line| words.into_iter().find(|word| line.starts_with(word))).collect()
}

#[test]
fn a_program() {
    let (ok, out, err) = flow("k-4711", &["notes-cli", "find", r#"{"query": "; rm -rf /"}"#]);
    assert!(ok, "{out}{err}");
    let all = ["discovered", "Install:", "collected", "installed", "smoke", "answered", "revoked"];
    assert_eq!(steps(&out), all);
    assert!(out.contains(r#"collected Values({"API_KEY": "<secret, 6 chars>"})"#), "{out}");
    assert!(out.contains(r#"\"query\":\"; rm -rf /\""#), "{out}");
    assert!(out.contains(r#"\"limit\":\"25\""#) && out.contains(r#"\"key\":true"#), "{out}");
    assert!(out.contains("revoked, and forgot [\"API_KEY\"]"), "{out}");

    let (ok, out, err) = flow("k-4711", &["notes-cli", "add", r#"{"text": "a\nb"}"#]);
    assert!(ok && out.contains("answered"), "{out}{err}");
}

#[test]
fn a_service() {
    let (ok, out, err) =
        flow("k-4711", &["notes-api", "add", r#"{"folder": "a/b c", "text": "x"}"#]);
    assert!(ok, "{out}{err}");
    assert_eq!(steps(&out).len(), 7);
    assert!(out.contains(r#"\"sent\":{\"text\":\"x\"}"#), "the folder is in the path only: {out}");
    assert!(out.contains("\"127.0.0.1\""), "a private address is a concern: {out}");
}

#[test]
fn a_smoke_test_that_fails_ends_in_revocation() {
    let (ok, out, err) = flow("k-4711", &["notes-old", "find", r#"{"query": "x"}"#]);
    assert!(!ok);
    assert_eq!(steps(&out), ["discovered", "Install:", "collected", "installed", "revoked"]);
    assert!(err.contains("smoke-failed] at /smoke/success/json_pointer_equals/~1ok"), "{err}");

    // A key that the service does not know fails the smoke test, and the revocation.
    let (ok, out, err) = flow("k-1", &["notes-api"]);
    assert!(!ok && !out.contains("smoke test passed"), "{out}{err}");
}

#[test]
fn what_is_refused() {
    let (ok, out, err) = flow("k-4711", &["notes-cli", "find", r#"{"query": "x", "other": 1}"#]);
    assert!(!ok && err.contains("unknown-argument") && out.contains("revoked"), "{out}{err}");
    let (ok, out, err) = flow("k-4711", &["notes-cli", "add", r#"{"text": ""}"#]);
    assert!(
        !ok && err.contains("empty_note: A note needs a text.") && out.contains("revoked"),
        "{err}"
    );
    let (ok, out, err) = flow("k-4711", &["notes-cli", "fly"]);
    assert!(!ok && err.contains("unknown-tool") && out.contains("revoked"), "{err}");
    // A key of the wrong shape is asked for again, and nobody answers.
    let (ok, out, err) = flow("no", &["notes-cli"]);
    assert!(!ok && err.contains("API_KEY: stdin closed") && !out.contains("installed"), "{err}");
}
