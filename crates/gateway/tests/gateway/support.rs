//! Manifests in folders of their own.

use std::fs;
use std::path::{Path, PathBuf};

/// An empty folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

pub(crate) fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A manifest of one tool of `tools.json`.
pub(crate) fn tools_json(name: &str) -> String {
    let command = r#"["./tools/bin/x"]"#;
    format!(r#"{{"tools":[{{"name":"{name}","description":"Does it.","command":{command}}}]}}"#)
}

/// An install manifest of one action, which runs `/bin/echo`.
pub(crate) fn install(action: &str, effects: &str) -> String {
    INSTALL.replace("ACTION", action).replace("EFFECTS", effects)
}

const INSTALL: &str = r#"{
  "manifest_version": "0.4",
  "tool": {"id": "notes", "version": "1.0.0", "name": "Notes", "summary": "Notes.",
    "homepage": "https://example.com"},
  "runtime": {"kind": "shell-binary",
    "install": {"method": "preinstalled", "locator": {"kind": "binary-on-path", "binary": "echo"}},
    "entrypoint": {"command": ["/bin/echo"]}},
  "actions": [{"name": "ACTION", "summary": "Finds.", "side_effects": "EFFECTS",
    "invocation": {"kind": "subcommand",
      "argv_template": ["found", "--limit=${input.limit}", "--", "${input.query}"]},
    "input": {"type": "object", "required": ["query"], "properties": {
      "query": {"type": "string"}, "limit": {"type": "integer", "default": 25}}},
    "output": {"format": "text"}}],
  "smoke": {"kind": "shell", "command": ["/bin/echo"], "success": {"exit_code": 0}},
  "kill_switch": {"kind": "manual", "instructions_url": "https://example.com"}
}"#;

/// A Jumith manifest.
pub(crate) fn jumith(version: &str) -> String {
    format!(
        r#"{{"id": "tool:math.add", "name": "math.add", "version": "{version}", "summary": "Adds.",
            "description": "Adds.", "inputs": {{"type": "object"}},
            "entry": {{"runtime": "node", "main": "index.mjs"}}}}"#
    )
}
