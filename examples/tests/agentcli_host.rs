//! The example host, with real processes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program;

const MANIFEST: &str = r#"{"tools": [
  {"name": "echo", "description": "Says it again.", "schema": {"type": "object", "properties": {"zone": {"type": "string"}}},
   "command": ["./tools/bin/agentcli_tool"]},
  {"name": "fail", "command": ["./tools/bin/agentcli_tool", "fail"]},
  {"name": "hang", "command": ["./tools/bin/agentcli_tool", "hang"], "timeoutSec": 1},
  {"name": "garbage", "command": ["./tools/bin/agentcli_tool", "garbage"]},
  {"name": "flood", "command": ["./tools/bin/agentcli_tool", "flood"]},
  {"name": "environment", "command": ["./tools/bin/agentcli_tool", "environment"],
   "envPassthrough": ["asked_for", "NOT_SET"]},
  {"name": "missing", "command": ["./tools/bin/missing"]},
  {"name": "shell", "command": ["/bin/sh", "-c", "echo outside"]}
]}"#;

/// A folder with a manifest and its program.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("agentcli_host");
    let bin = folder.join("tools").join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    let file = format!("agentcli_tool{}", std::env::consts::EXE_SUFFIX);
    std::fs::copy(program("agentcli_tool"), bin.join(&file)).unwrap();
    let manifest = MANIFEST.replace("agentcli_tool\"", &format!("{file}\""));
    std::fs::write(folder.join("tools.json"), manifest).unwrap();
    folder
});

fn host(arguments: &[&str]) -> Output {
    Command::new(program("agentcli_host"))
        .arg(FOLDER.join("tools.json"))
        .args(arguments)
        .env("ASKED_FOR", "hunter2")
        .env("NOT_ASKED_FOR", "hunter2")
        .output()
        .unwrap()
}

/// What the model sees, and the audit record.
fn call(tool: &str, arguments: &str) -> (String, Value) {
    let output = host(&[tool, arguments]);
    let audit = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{audit}");
    assert!(!audit.contains("hunter2"), "{audit}");
    let content = String::from_utf8(output.stdout).unwrap();
    let content = content.strip_suffix('\n').unwrap().to_owned();
    assert!(!content.contains('\n'), "{content}");
    (content, serde_json::from_str(&audit).unwrap_or_default())
}

#[test]
fn a_tool_that_succeeds() {
    let (content, audit) = call("echo", r#"{"zone":  "UTC"}"#);
    assert_eq!(content, r#"{ "asked": {"zone": "UTC"} }"#);
    assert_eq!(audit["exit"], 0);
    assert_eq!(audit["tool"], "echo");
    assert_eq!(audit["stdoutBytes"], 32);
    assert_eq!(call("echo", "").0, r#"{ "asked": {} }"#);
}

#[test]
fn a_tool_that_fails() {
    let (content, audit) = call("fail", "{}");
    assert_eq!(content, r#"{"error":"no such <zone>"}"#);
    assert_eq!(audit["exit"], 3);
}

#[test]
fn a_tool_that_hangs() {
    let start = Instant::now();
    let (content, audit) = call("hang", "{}");
    assert_eq!(content, r#"{"error":"tool timed out"}"#);
    assert_eq!(audit["exit"], -1);
    assert!(audit["ms"].as_u64() >= Some(1_000));
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_tool_that_prints_garbage() {
    assert_eq!(call("garbage", "{}").0, "\u{fffd}\u{fffd} not JSON\0");
}

#[test]
fn a_tool_that_does_not_stop_writing() {
    let (content, audit) = call("flood", "{}");
    assert!(content.starts_with(r#"{"error":"the tool answered with more than "#), "{content}");
    assert_eq!(audit["truncated"], true);
}

#[test]
fn a_tool_gets_what_it_asks_for_and_no_more() {
    let (content, audit) = call("environment", "{}");
    let given: Vec<&str> = content.split(' ').collect();
    let allowed = ["ASKED_FOR", "HOME", "PATH"];
    assert!(given.contains(&"ASKED_FOR"), "{content}");
    assert!(!given.contains(&"NOT_ASKED_FOR"), "{content}");
    if cfg!(target_os = "linux") {
        assert!(given.iter().all(|name| allowed.contains(name)), "{content}");
    }
    assert_eq!(audit["envKeys"], serde_json::json!(["ASKED_FOR"]));
}

#[test]
fn a_tool_that_is_not_there() {
    assert_eq!(call("fly", "{}").0, r#"{"error":"unknown tool: fly"}"#);
    let (content, audit) = call("missing", "{}");
    assert!(content.starts_with(r#"{"error":"#), "{content}");
    assert_eq!(audit["exit"], -1);
}

#[test]
fn what_a_careful_host_does_not_run() {
    let output = host(&["shell", "{}"]);
    assert!(!output.status.success());
    assert!(output.stdout.is_empty());

    for arguments in ["{", r#"{"zone": 5}"#, "[]"] {
        let (content, audit) = call("echo", arguments);
        assert!(content.starts_with(r#"{"error":"invalid arguments: "#), "{content}");
        assert!(audit.is_null(), "it did not run");
    }
}

#[test]
fn what_there_is() {
    let output = host(&[]);
    let text = String::from_utf8(output.stdout).unwrap();
    let (capabilities, tools) = text.trim_end().rsplit_once('\n').unwrap();
    assert!(capabilities.starts_with("Capabilities (enabled tools):\n- echo: Says it again.\n"));
    let tools: Value = serde_json::from_str(tools).unwrap();
    assert_eq!(tools[0]["function"]["parameters"]["type"], "object");
}
