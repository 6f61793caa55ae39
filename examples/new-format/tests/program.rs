//! The program knows seven formats, wherever a format is named, detected or read.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MANUAL: &str = include_str!("../manual.json");

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("manual.json"), MANUAL).unwrap();
    folder
}

fn run(folder: &Path, words: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_toolglot-with-utcp");
    Command::new(program).args(words).current_dir(folder).output().unwrap()
}

/// What a run that goes well prints.
fn printed(folder: &Path, words: &[&str]) -> String {
    let output = run(folder, words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_manifest_is_detected_and_valid() {
    let folder = folder("detect");
    let found = printed(&folder, &["detect", "manual.json"]);
    assert!(found.starts_with("manual.json: utcp 1.0.1, because "), "{found}");
    let verdict = printed(&folder, &["validate", "manual.json"]);
    assert_eq!(verdict, "manual.json: valid (utcp 1.0.1)\n");
}

#[test]
fn a_broken_one_is_told_what_is_wrong() {
    let folder = folder("validate");
    let text = MANUAL.replace("write_note", "find_notes");
    std::fs::write(folder.join("manual.json"), text).unwrap();
    let output = run(&folder, &["validate", "manual.json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("error[utcp/duplicate-tool]"));
    assert!(printed(&folder, &["explain", "utcp/duplicate-tool"]).contains("different names"));
}

#[test]
fn it_converts_and_comes_back_to_the_byte() {
    let folder = folder("convert");
    for to in ["tools-json", "mcpkg", "jumith"] {
        printed(&folder, &["convert", "manual.json", "--to", to, "-o", &format!("{to}/")]);
        assert_eq!(printed(&folder, &["restore", to]), MANUAL, "{to}");
    }
}

#[test]
fn others_convert_to_it_and_come_back() {
    let folder = folder("others");
    let tools = r#"{"tools": [{"name": "now", "command": ["/bin/date"]}]}"#;
    std::fs::write(folder.join("tools.json"), tools).unwrap();
    printed(&folder, &["convert", "tools.json", "--to", "utcp", "-o", "now.utcp.json"]);
    let bundle = std::fs::read_to_string(folder.join("now.utcp.json")).unwrap();
    assert!(bundle.contains("\"command\": \"toolglot\""), "{bundle}");
    assert_eq!(printed(&folder, &["restore", "now.utcp.json"]), tools);
}

#[test]
fn it_has_a_schema_and_a_diff() {
    let folder = folder("schema");
    assert!(printed(&folder, &["schema", "utcp"]).contains("\"call_template_type\""));
    let newer = MANUAL.replace("Writes a note.", "Writes a note down.");
    std::fs::write(folder.join("newer.json"), newer).unwrap();
    assert!(printed(&folder, &["diff", "manual.json", "newer.json"]).contains("write_note"));
}

#[test]
fn streams_know_it() {
    let folder = folder("stream");
    let line = MANUAL.replace('\n', " ");
    std::fs::write(folder.join("all.jsonl"), format!("{line}\n{line}\n")).unwrap();
    let verdicts = printed(&folder, &["validate", "--jsonl", "all.jsonl"]);
    assert_eq!(verdicts.matches("valid (utcp 1.0.1)").count(), 2, "{verdicts}");
    let words = ["convert", "--jsonl", "all.jsonl", "--to", "tools-json", "-o", "out.jsonl"];
    printed(&folder, &words);
    let back = printed(&folder, &["restore", "--jsonl", "out.jsonl", "--to", "utcp"]);
    assert_eq!(back.lines().count(), 2);
}

/// Every argument that names a format has seven of them.
#[test]
fn help_and_hints_name_it() {
    let folder = folder("help");
    for verb in ["validate", "convert", "restore", "lint", "diff", "digest", "duplicates"] {
        let help = printed(&folder, &[verb, "--help"]);
        let lists = help.matches("[possible values: install-manifest, ").count();
        assert!(lists > 0, "{verb}");
        assert_eq!(help.matches("jumith, mcpb, utcp]").count(), lists, "{verb}");
    }
    let output = run(&folder, &["validate", "--from", "utpc", "manual.json"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("'utcp'"));
}
