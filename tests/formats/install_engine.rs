//! Plans and judgements.

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
mod verify;

use call::{Grant, HostFacts, Plan, Policy};
use install_manifest::{FORMAT, Manifest};
use manifest_core::json::{Document, Edit, apply};
use manifest_core::{Diagnostic, Limits, Pointer, ToolDescriptor};
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
    with_tools(manifest, |manifest, _| run(manifest))
}

/// Does something with a manifest that nobody validated, and with its actions as tools.
fn with_tools<T>(
    manifest: &Value,
    run: impl FnOnce(&Manifest<'_>, &[ToolDescriptor<'_>]) -> T,
) -> T {
    let text = manifest.to_string();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let manifest = Manifest::read(&document).expect("a manifest");
    run(&manifest, &FORMAT.lift_valid(&document, 0).tools)
}

/// The plan for a call of the first action, or all that is wrong.
fn called(
    manifest: &Value,
    arguments: &str,
    has: &dyn Fn(&str) -> bool,
) -> Result<Plan, Vec<Diagnostic>> {
    let text = manifest.to_string();
    let limits = Limits::default();
    let document = Document::parse(text.as_bytes(), &limits).unwrap();
    let tool = FORMAT.lift_valid(&document, 0).tools.remove(0);
    let policy = Policy { grants: [Grant::Approved].into(), ..Policy::default() };
    let facts = HostFacts { has_value: has, ..HostFacts::new(&policy) };
    let plan = call::plan_in_manifest(
        &document,
        &tool,
        &(FORMAT.contract)(&tool),
        arguments,
        &facts,
        &limits,
    );
    is_masked(&format!("{plan:?}"));
    is_masked(&serde_json::to_string(&plan).unwrap());
    plan.ready().map_err(|refused| refused.report().expect("errors").diagnostics.clone())
}

/// The values that were collected.
fn value(name: &str) -> Option<&'static str> {
    match name {
        "API_KEY" => Some("hunter2"),
        "REGION" => Some("eu west"),
        _ => None,
    }
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
