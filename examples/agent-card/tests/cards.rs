//! What a card says: which are valid, what becomes of one, and that it comes back.
//!
//! The members of both versions are those of the published schemas.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use manifest_core::json::Document;
use manifest_core::{Limits, ValidateOptions};

const CARD: &str = include_str!("../agent-card.json");

/// The same agent in version 1.0.
const NEW: &str = r#"{
  "name": "Notes Agent",
  "description": "Finds notes.",
  "version": "1.2.0",
  "supportedInterfaces": [
    {"url": "https://notes.example.com/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
    {"url": "https://grpc.example.com", "protocolBinding": "GRPC", "protocolVersion": "1.0"}
  ],
  "capabilities": {"extendedAgentCard": true},
  "securitySchemes": {"key": {"apiKeySecurityScheme": {"location": "header", "name": "X-Key"}}},
  "securityRequirements": [{"schemes": {"key": {"list": ["notes:read"]}}}],
  "defaultInputModes": ["text/plain"],
  "defaultOutputModes": ["text/plain"],
  "skills": [{"id": "find", "name": "Find", "description": "Finds notes.", "tags": ["notes"]}]
}"#;

/// The pointers of what is wrong with a card.
fn problems(text: &str) -> Vec<String> {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let report = agent_card::validate(&document, &ValidateOptions::default());
    report.diagnostics.iter().map(|found| found.pointer.to_string()).collect()
}

#[test]
fn both_versions_are_valid() {
    for card in [CARD, NEW] {
        assert_eq!(problems(card), Vec::<String>::new());
    }
}

#[test]
fn maps_in_lists_are_checked() {
    for (was, is, at) in [
        (r#"["notes:read"]"#, r#""notes:read""#, "/security/0/oauth"),
        (r#"["notes:read"]"#, "[1]", "/security/0/oauth/0"),
        (r#"{ "oauth": ["notes:write"] }"#, r#""oauth""#, "/skills/1/security/0"),
        (r#""apiKey""#, r#""password""#, "/securitySchemes/key/type"),
    ] {
        assert_eq!(problems(&CARD.replace(was, is)), [at], "{is}");
    }
    let card = NEW.replace(r#"["notes:read"]"#, r#""notes:read""#);
    assert_eq!(problems(&card), ["/securityRequirements/0/schemes/key/list"]);
}

#[test]
fn a_card_is_a_package_that_is_reached_at_a_url() {
    for (card, id, place) in [
        (CARD, "Notes Agent.find_notes", "/url"),
        (NEW, "Notes Agent.find", "/supportedInterfaces/0/url"),
    ] {
        let document = Document::parse(card.as_bytes(), &Limits::default()).unwrap();
        let lifted = agent_card::FORMAT.lift(&document, &Limits::default()).unwrap();
        assert_eq!(lifted.packages().count(), 1);
        let tool = lifted.tools.first().unwrap();
        assert_eq!(tool.id.value, id);
        assert_eq!(tool.call_urls(), [tool.package.url.as_ref().unwrap()]);
        let at = tool.package.url.as_ref().unwrap().at.unwrap();
        assert_eq!(document.node(at.entry).unwrap().pointer().as_str(), place);
        assert!(!tool.has_call());
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("agent-card.json"), CARD).unwrap();
    folder
}

fn run(folder: &Path, words: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_toolglot-with-agent-cards");
    Command::new(program).args(words).current_dir(folder).output().unwrap()
}

/// Returns what a run prints that goes well.
fn printed(folder: &Path, words: &[&str]) -> String {
    let output = run(folder, words);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_card_is_detected() {
    let folder = folder("detect");
    std::fs::write(folder.join("new.json"), NEW).unwrap();
    for (file, version) in [("agent-card.json", "0.3"), ("new.json", "1.0")] {
        let found = printed(&folder, &["detect", file]);
        assert!(found.starts_with(&format!("{file}: agent-card {version}, because ")), "{found}");
        let verdict = printed(&folder, &["validate", file]);
        assert_eq!(verdict, format!("{file}: valid (agent-card {version})\n"));
    }
}

#[test]
fn a_card_comes_back_to_the_byte() {
    let folder = folder("convert");
    for to in ["tools-json", "mcpkg", "jumith", "capability", "mcpb", "server-json", "tool-list"] {
        printed(&folder, &["convert", "agent-card.json", "--to", to, "-o", &format!("{to}/")]);
        assert_eq!(printed(&folder, &["restore", to]), CARD, "{to}");
    }
}

#[test]
fn tools_become_a_card_that_says_that_it_does_not_run() {
    let folder = folder("others");
    let tools = r#"{"tools": [{"name": "now", "command": ["/bin/date"]}]}"#;
    std::fs::write(folder.join("tools.json"), tools).unwrap();
    let words = ["convert", "tools.json", "--to", "agent-card", "-o", "now.json"];
    let output = run(&folder, &words);
    let report = String::from_utf8_lossy(&output.stderr);
    assert!(report.contains("an agent chooses among its skills itself"), "{report}");
    assert_eq!(printed(&folder, &["validate", "now.json"]), "now.json: valid (agent-card 1.0)\n");
    assert_eq!(printed(&folder, &["restore", "now.json"]), tools);
}
