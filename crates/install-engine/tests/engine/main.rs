//! Plans and judgements.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(all(feature = "acquire", feature = "schema"))]

mod acquire;
mod consent;
mod diff;
mod env;
mod generated;
mod index;
mod invoke;
mod judge;
mod large;
mod revoke;
mod scaffold;
mod smoke;
mod template;

use install_engine::env::{Sensitive, Values};
use install_manifest::Manifest;
use manifest_core::Limits;
use manifest_core::json::{Document, Edit, apply};
use manifest_core::{Diagnostic, Pointer};
use serde_json::{Value, json};

/// A manifest to change.
fn base() -> Value {
    json!({
        "manifest_version": "0.4",
        "tool": {"id": "notes", "version": "1.0.0", "name": "Notes", "summary": "Keeps notes.",
            "homepage": "https://example.com/notes"},
        "runtime": {"kind": "shell-binary", "install": {"method": "pip", "package": "notes"},
            "entrypoint": {"command": ["notes", "--json"]},
            "endpoint_url": "https://api.good.com/v1/"},
        "env": [
            {"name": "API_KEY", "prompt": "Key?", "secret": true},
            {"name": "REGION", "prompt": "Region?", "secret": false, "required": false}
        ],
        "actions": [{"name": "act", "summary": "Acts.", "side_effects": "read",
            "invocation": {"kind": "subcommand", "argv_template": ["act"]},
            "input": {"type": "object", "additionalProperties": true}}],
        "smoke": {"kind": "shell", "command": ["notes", "--version"], "success": {}},
        "kill_switch": {"kind": "manual", "instructions_url": "https://example.com/revoke"}
    })
}

/// The base with some values replaced or added.
fn changed(changes: &[(&str, Value)]) -> Value {
    let mut value = base();
    for (pointer, new) in changes {
        let (holder, name) = pointer.rsplit_once('/').unwrap();
        match value.pointer_mut(holder).unwrap() {
            Value::Array(list) => list[name.parse::<usize>().unwrap()] = new.clone(),
            object => object[name] = new.clone(),
        }
    }
    value
}

/// Does something with a manifest.
fn with<T>(manifest: &Value, run: impl FnOnce(&Manifest<'_>) -> T) -> T {
    let text = manifest.to_string();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    run(&Manifest::read(&document).expect("a manifest"))
}

fn values() -> Values {
    let mut values = Values::default();
    values.insert("API_KEY", Sensitive::secret("hunter2"));
    values.insert("REGION", Sensitive::public("eu west"));
    values
}

/// The codes of problems, without the name of the format.
fn codes(problems: &[Diagnostic]) -> Vec<&'static str> {
    problems.iter().map(|found| found.rule.code.split('/').nth(1).unwrap()).collect()
}

/// Nothing that is printed may show the secret.
fn is_masked(printed: &str) {
    assert!(!printed.contains("hunter2"), "{printed}");
}

/// The helpers of this file do what they say.
#[test]
fn changes_are_made() {
    let value = changed(&[("/tool/id", json!("other")), ("/env/1/secret", json!(true))]);
    let text = base().to_string();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let edits = [("/tool/id", "\"other\""), ("/env/1/secret", "true")]
        .map(|(at, new)| Edit::Set(Pointer::parse(at).unwrap(), new.to_owned()));
    let edited: Value = serde_json::from_str(&apply(&document, &edits).unwrap()).unwrap();
    assert_eq!(value, edited);
}
