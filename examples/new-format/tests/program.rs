//! The program knows six formats, wherever a format is named, detected or read.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MANIFEST: &str = include_str!("../manifest.json");

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("manifest.json"), MANIFEST).unwrap();
    folder
}

fn run(folder: &Path, words: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_toolglot-with-mcpb");
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
    let found = printed(&folder, &["detect", "manifest.json"]);
    assert!(found.starts_with("manifest.json: mcpb 0.3, because "), "{found}");
    let verdict = printed(&folder, &["validate", "manifest.json"]);
    assert_eq!(verdict, "manifest.json: valid (mcpb 0.3)\n");
}

#[test]
fn a_broken_one_is_told_what_is_wrong() {
    let folder = folder("validate");
    let text = MANIFEST.replace("\"write\"", "\"find\"");
    std::fs::write(folder.join("manifest.json"), text).unwrap();
    let output = run(&folder, &["validate", "manifest.json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("error[mcpb/duplicate-tool]"));
    assert!(printed(&folder, &["explain", "mcpb/duplicate-tool"]).contains("different names"));
}

#[test]
fn it_converts_and_comes_back_to_the_byte() {
    let folder = folder("convert");
    for to in ["tools-json", "mcpkg", "jumith"] {
        printed(&folder, &["convert", "manifest.json", "--to", to, "-o", &format!("{to}/")]);
        assert_eq!(printed(&folder, &["restore", to]), MANIFEST, "{to}");
    }
}

#[test]
fn others_convert_to_it_and_come_back() {
    let folder = folder("others");
    let tools = r#"{"tools": [{"name": "now", "command": ["/bin/date"]}]}"#;
    std::fs::write(folder.join("tools.json"), tools).unwrap();
    printed(&folder, &["convert", "tools.json", "--to", "mcpb", "-o", "now.mcpb.json"]);
    let bundle = std::fs::read_to_string(folder.join("now.mcpb.json")).unwrap();
    assert!(bundle.contains("\"command\": \"toolglot\""), "{bundle}");
    assert_eq!(printed(&folder, &["restore", "now.mcpb.json"]), tools);
}

#[test]
fn it_has_a_schema_and_a_diff() {
    let folder = folder("schema");
    assert!(printed(&folder, &["schema", "mcpb"]).contains("\"mcp_config\""));
    let newer = MANIFEST.replace("Writes a note.", "Writes a note down.");
    std::fs::write(folder.join("newer.json"), newer).unwrap();
    assert!(printed(&folder, &["diff", "manifest.json", "newer.json"]).contains("notes.write"));
}

#[test]
fn streams_know_it() {
    let folder = folder("stream");
    let line = MANIFEST.replace('\n', " ");
    std::fs::write(folder.join("all.jsonl"), format!("{line}\n{line}\n")).unwrap();
    let verdicts = printed(&folder, &["validate", "--jsonl", "all.jsonl"]);
    assert_eq!(verdicts.matches("valid (mcpb 0.3)").count(), 2, "{verdicts}");
    let words = ["convert", "--jsonl", "all.jsonl", "--to", "tools-json", "-o", "out.jsonl"];
    printed(&folder, &words);
    let back = printed(&folder, &["restore", "--jsonl", "out.jsonl", "--to", "mcpb"]);
    assert_eq!(back.lines().count(), 2);
}

/// Every argument that names a format has six of them.
#[test]
fn help_and_hints_name_it() {
    let folder = folder("help");
    for verb in ["validate", "convert", "restore", "lint", "diff", "digest", "duplicates"] {
        let help = printed(&folder, &[verb, "--help"]);
        let lists = help.matches("[possible values: install-manifest, ").count();
        assert!(lists > 0, "{verb}");
        assert_eq!(help.matches("jumith, mcpb]").count(), lists, "{verb}");
    }
    let output = run(&folder, &["validate", "--from", "mpcb", "manifest.json"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("'mcpb'"));
}
