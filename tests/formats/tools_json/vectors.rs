//! What the published loader answered, under the `reference` profile.

use manifest_core::json::Document;
use manifest_core::{Limits, Profile, ValidateOptions};
use serde_json::Value;

/// Last wins, for Go. We refuse duplicate keys in every profile: another reader
/// would see another tool.
const DUPLICATE_KEYS: [&str; 2] = ["root/duplicate-tools-key-last-wins", "root/duplicate-name-key"];

/// The first error in the words of the reference, or `Ok`.
fn load(text: &str) -> Result<(), String> {
    let document = Document::parse(text.as_bytes(), &Limits::default())
        .map_err(|refusal| refusal.rule.code.to_owned())?;
    let options = ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() };
    let report = tools_json::validate(&document, &options);
    match report.diagnostics.first() {
        Some(first) => {
            assert!(!report.is_valid(), "only errors under this profile: {first}");
            Err(first.message.clone())
        }
        None => Ok(()),
    }
}

#[test]
fn every_case() {
    let cases: Vec<Value> = include_str!("../../fixtures/tools-json/tools-json.load.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(cases.len(), 73);
    for case in cases {
        let text = |name: &str| case.get(name).and_then(Value::as_str);
        let name = text("name").unwrap();
        let loaded = load(text("input").unwrap());
        match text("error") {
            _ if DUPLICATE_KEYS.contains(&name) => {
                assert_eq!(loaded, Err("json/duplicate-key".to_owned()), "{name}");
            }
            // The reference's own words, to the letter.
            Some(error) if error.starts_with("tool[") => {
                assert_eq!(loaded, Err(error.to_owned()), "{name}");
            }
            error => assert_eq!(loaded.is_err(), error.is_some(), "{name}: {loaded:?}"),
        }
    }
}
