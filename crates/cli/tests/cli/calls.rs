//! Tools that are called, and converted tools that are called as their hosts call them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::program::{Folder, Ran, command, run};

/// A tool whose program gets its arguments in templates.
const NOTES: &str = r#"{
  "manifest_version": "0.4",
  "tool": {"id": "notes", "version": "1.0.0", "name": "Notes", "summary": "Notes.",
    "homepage": "https://example.com"},
  "runtime": {"kind": "shell-binary",
    "install": {"method": "preinstalled", "locator": {"kind": "binary-on-path", "binary": "echo"}},
    "entrypoint": {"command": ["/bin/echo"]}},
  "actions": [{"name": "find", "summary": "Finds.", "side_effects": "read",
    "invocation": {"kind": "subcommand",
      "argv_template": ["found", "--limit=${input.limit}", "--", "${input.query}"]},
    "input": {"type": "object", "required": ["query"], "properties": {
      "query": {"type": "string"}, "limit": {"type": "integer", "default": 25}}},
    "output": {"format": "text"}}],
  "smoke": {"kind": "shell", "command": ["/bin/echo"], "success": {"exit_code": 0}},
  "kill_switch": {"kind": "manual", "instructions_url": "https://example.com"}
}"#;

/// What the tool answers.
const ANSWER: &str = "found --limit=25 -- ; rm -rf / $(id)\n";
const ARGUMENTS: &str = r#"{"query": "; rm -rf / $(id)"}"#;

fn notes(folder: &Folder) -> String {
    folder.write("notes.install.json", NOTES.as_bytes())
}

#[test]
fn a_tool_is_called_and_answers() {
    let folder = Folder::new("call");
    let file = notes(&folder);
    let ran = run(&["call", &file, "find", "--args", ARGUMENTS]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ANSWER), "{}", ran.err);
    // The only tool need not be named, and text is text.
    let ran = run(&["call", &file, "--arg", "query=7", "--arg", "limit=3"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "found --limit=3 -- 7\n"), "{}", ran.err);
}

/// Names, never values, in a file of the user's own.
#[test]
fn a_call_leaves_a_line() {
    let folder = Folder::new("call-record");
    let file = notes(&folder);
    let state = folder.path("state");
    let ran: Ran = command(&["call", &file, "find", "--args", ARGUMENTS])
        .env("XDG_STATE_HOME", &state)
        .output()
        .unwrap()
        .into();
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let log = format!("{state}/toolglot/calls.jsonl");
    assert_eq!(fs::metadata(&log).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&log).unwrap();
    let line: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(line["tool"], "notes.find");
    assert_eq!(line["targets"][0], "/bin/echo");
    assert_eq!(line["end"], "answered");
    assert!(!text.contains("rm -rf"), "{text}");
}

#[test]
fn wrong_arguments_are_told_and_nothing_is_called() {
    let folder = Folder::new("call-wrong");
    let file = notes(&folder);
    let ran = run(&["call", &file, "--args", r#"{"limit": "many"}"#]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("call/arguments"), "{}", ran.err);
    let ran = run(&["call", &file, "fnd", "--args", ARGUMENTS]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("there is no tool \"fnd\""), "{}", ran.err);
}

#[test]
fn what_needs_approval_is_refused_without_it() {
    let folder = Folder::new("call-approval");
    let risky = NOTES.replace(r#""side_effects": "read""#, r#""side_effects": "destructive""#);
    let file = folder.write("notes.install.json", risky.as_bytes());
    let ran = run(&["call", &file, "--args", ARGUMENTS]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{}", ran.err);
    assert!(ran.err.contains("cannot be undone"), "{}", ran.err);
    let ran = run(&["call", &file, "--args", ARGUMENTS, "--dry-run"]);
    assert_eq!(ran.code, Some(0));
    let plan: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(plan["step"]["argv"][0], "/bin/echo");
    let ran = run(&["call", &file, "--args", ARGUMENTS, "--yes"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ANSWER));
}

#[test]
fn a_call_that_fails_has_an_exit_code_of_its_own() {
    let folder = Folder::new("call-fails");
    let text = NOTES.replace(r#""command": ["/bin/echo"]}}"#, r#""command": ["/bin/false"]}}"#);
    let file = folder.write("notes.install.json", text.as_bytes());
    let ran = run(&["call", &file, "--args", ARGUMENTS]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "{}", ran.err);
}

/// The folder of the built program, before the rest of the search path.
fn search_path() -> std::ffi::OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_toolglot")).parent().unwrap().to_owned();
    let rest = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([program].into_iter().chain(std::env::split_paths(&rest))).unwrap()
}

/// Converts into a folder, and gives the one document that came of it.
fn converted(folder: &Folder, to: &str) -> (Folder, serde_json::Value) {
    converted_from(&notes(folder), folder, to)
}

pub(crate) fn converted_from(file: &str, folder: &Folder, to: &str) -> (Folder, serde_json::Value) {
    let out = folder.inside("out");
    let path = out.path("");
    let ran = run(&["convert", file, "--to", to, "-o", &path]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let documents = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
    let is_residue = |path: &PathBuf| path.ends_with("toolglot.residue.json");
    let document = documents.filter(|path| path.is_file()).find(|path| !is_residue(path)).unwrap();
    (out, serde_json::from_str(&fs::read_to_string(document).unwrap()).unwrap())
}

/// Runs a program as a host does, without a shell and with nothing of our environment but the
/// search path.
pub(crate) fn hosted(folder: &Folder, argv: &[String], input: Option<&str>) -> Ran {
    use std::io::Write;
    let (program, arguments) = argv.split_first().unwrap();
    let mut child = Command::new(program);
    child
        .args(arguments)
        .current_dir(folder.path(""))
        .env_clear()
        .env("PATH", search_path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    if let Some(input) = input {
        stdin.write_all(input.as_bytes()).unwrap();
    }
    drop(stdin);
    child.wait_with_output().unwrap().into()
}

pub(crate) fn words(list: &serde_json::Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
}

/// agentcli: a program below `./tools/bin`, the arguments on standard input, the answer on one
/// line.
#[test]
fn a_converted_tool_answers_the_host_of_tools_json() {
    let folder = Folder::new("bridge-tools-json");
    let (out, manifest) = converted(&folder, "tools-json");
    let argv = words(&manifest["tools"][0]["command"]);
    assert_eq!(argv.first().map(String::as_str), Some("./tools/bin/toolglot-bridge"));
    let mode = fs::metadata(out.path("tools/bin/toolglot-bridge")).unwrap().permissions().mode();
    assert_eq!(mode & 0o111, 0o111);
    let ran = hosted(&out, &argv, Some(ARGUMENTS));
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ANSWER), "{}", ran.err);
}

/// MCPKG: a command line, the arguments as one more argument, the answer as JSON.
#[test]
fn a_converted_tool_answers_the_host_of_mcpkg() {
    let folder = Folder::new("bridge-mcpkg");
    let (out, manifest) = converted(&folder, "mcpkg");
    let line = manifest["endpoint"]["command"].as_str().unwrap();
    let mut argv: Vec<String> = line.split(' ').map(str::to_owned).collect();
    argv.push(ARGUMENTS.to_owned());
    let ran = hosted(&out, &argv, None);
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, answer.as_str()), (Some(0), Some(ANSWER)), "{}", ran.err);
}

/// What is not the source is not called.
#[test]
fn a_bridge_calls_its_source_and_nothing_else() {
    let folder = Folder::new("bridge-other");
    let (out, manifest) = converted(&folder, "tools-json");
    let argv = words(&manifest["tools"][0]["command"]);
    let digest = argv.iter().find_map(|word| word.strip_prefix("sha256:")).unwrap();
    let file = format!(".toolglot/sources/{digest}.json");
    let other = NOTES.replace("/bin/echo", "/bin/cat");
    fs::write(out.path(&file), other).unwrap();
    let ran = hosted(&out, &argv, Some(ARGUMENTS));
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
    assert!(ran.err.contains("other bytes"), "{}", ran.err);
    fs::remove_file(out.path(&file)).unwrap();
    let ran = hosted(&out, &argv, Some(ARGUMENTS));
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
}

/// Approval that nobody gave is not given by a bridge.
#[test]
fn a_bridge_refuses_what_its_line_does_not_accept() {
    let folder = Folder::new("bridge-approval");
    let risky = NOTES.replace(r#""side_effects": "read""#, r#""side_effects": "destructive""#);
    let digest = toolglot::core::sha256_hex(risky.as_bytes());
    folder.write(&format!(".toolglot/sources/{digest}.json"), risky.as_bytes());
    let source = format!("sha256:{digest}");
    let path = folder.path("");
    let line = |more: &[&str]| {
        let mut line = vec!["bridge", "--for", "tools-json", "--source", &source];
        line.extend(["--tool", "notes.find", "--folder", &path]);
        line.extend(more);
        let ran: Ran = command(&line).arg(ARGUMENTS).output().unwrap().into();
        ran
    };
    assert_eq!(line(&[]).code, Some(3));
    let ran = line(&["--accept", "approval"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ANSWER), "{}", ran.err);
}

/// What a person grants may stand in a file of theirs; what is no policy is refused.
#[test]
fn a_policy_file_grants() {
    let folder = Folder::new("call-policy");
    let text = NOTES.replace(r#""side_effects": "read""#, r#""side_effects": "write""#);
    let file = folder.write("notes.install.json", text.as_bytes());
    let called = |policy: &str| {
        let policy = folder.write("policy.json", policy.as_bytes());
        run(&["call", &file, "--args", ARGUMENTS, "--policy", &policy])
    };
    assert_eq!(called("{}").code, Some(3));
    assert_eq!(called(r#"{"effects": "write"}"#).code, Some(0));
    assert_eq!(called(r#"{"grants": ["approved"]}"#).code, Some(0));
    let wrong = called(r#"{"grant": ["approved"]}"#);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("is no policy") && wrong.err.contains("line 1"), "{}", wrong.err);
}

/// The line that agentcli writes of a call, in a file of the day: names of variables, no values.
#[test]
fn a_call_leaves_the_line_of_agentcli() {
    let folder = Folder::new("call-audit");
    let program = folder.write("tools/bin/greet", "#!/bin/sh\nprintf '{\"a\": 1}'\n");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let file = folder.write(
        "tools.json",
        r#"{"tools": [{"name": "greet", "command": ["./tools/bin/greet", "--as", "secret-1"],
            "envPassthrough": ["GREETING", "NONE"]}]}"#,
    );
    let ran: Ran = command(&["call", &file, "--yes", "--audit", &folder.path("audit")])
        .env("GREETING", "not to be seen")
        .env("GOAGENT_REDACT", "secret-[0-9]")
        .output()
        .unwrap()
        .into();
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let entries: Vec<_> = fs::read_dir(folder.path("audit")).unwrap().collect();
    let [Ok(entry)] = entries.as_slice() else { panic!("{entries:?}") };
    let name = entry.file_name().into_string().unwrap();
    let day = name.strip_suffix(".log").unwrap();
    assert!(day.len() == 8 && day.bytes().all(|b| b.is_ascii_digit()), "{name}");
    let text = fs::read_to_string(entry.path()).unwrap();
    assert!(text.ends_with("}\n") && !text.contains("not to be seen"), "{text}");
    let line: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(line["tool"], "greet");
    assert_eq!((&line["exit"], &line["stdoutBytes"]), (&0.into(), &8.into()));
    assert_eq!(line["envKeys"], serde_json::json!(["GREETING"]));
    assert_eq!(line["argv"][2], "***REDACTED***");
    let other = run(&["call", &notes(&folder), "--args", ARGUMENTS, "--audit", &folder.path("b")]);
    assert_eq!(other.code, Some(2), "{}", other.err);
}

/// A variable with patterns is used even if some of its bytes are not UTF-8.
#[test]
fn the_log_is_redacted_by_a_variable_that_is_not_utf8() {
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new("call-audit-bytes");
    let program = folder.write("tools/bin/greet", "#!/bin/sh\nprintf '{}'\n");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let file = folder.write(
        "tools.json",
        r#"{"tools": [{"name": "greet", "command": ["./tools/bin/greet", "secret-1"]}]}"#,
    );
    let ran: Ran = command(&["call", &file, "--yes", "--audit", &folder.path("audit")])
        .env("GOAGENT_REDACT", std::ffi::OsStr::from_bytes(b"\xff,secret-[0-9]"))
        .output()
        .unwrap()
        .into();
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let entries: Vec<_> = fs::read_dir(folder.path("audit")).unwrap().collect();
    let [Ok(entry)] = entries.as_slice() else { panic!("{entries:?}") };
    let text = fs::read_to_string(entry.path()).unwrap();
    assert!(text.contains("***REDACTED***") && !text.contains("secret-1"), "{text}");
}
