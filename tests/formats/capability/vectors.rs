//! What the published validator answered, under the `reference` profile.

use manifest_core::json::Document;
use manifest_core::{Limits, Profile, ValidateOptions};
use serde_json::Value;

fn is_valid(text: &str) -> (bool, Vec<String>) {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let options = ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() };
    let report = capability::validate(&document, &options);
    let places = report.diagnostics.iter().map(|d| d.pointer.as_str().to_owned()).collect();
    (report.is_valid(), places)
}

#[test]
fn every_case() {
    let lines = include_str!("../../fixtures/capability/capability.validate.jsonl").lines();
    let cases: Vec<Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(cases.len(), 81);
    for case in cases {
        let name = case.get("name").unwrap();
        let text = case.get("input").unwrap().to_string();
        // Python's `$` takes a line break before the end; ECMAScript's does not.
        let expected = case.get("ecma_expected_ok").or_else(|| case.get("ok"));
        let (valid, places) = is_valid(&text);
        assert_eq!(Some(valid), expected.and_then(Value::as_bool), "{name}: {places:?}");
        // The place of the first error is the reference's.
        if let Some(error) = case.get("error").and_then(Value::as_str) {
            let error = error.strip_prefix("manifest schema validation failed: ").unwrap();
            let place = error.split_once(": ").unwrap().0;
            // An unknown member is reported at itself, not at its object.
            let found = places.iter().any(|found| {
                let found = found.trim_start_matches('/');
                found == place || found.rsplit_once('/').map_or("", |(parent, _)| parent) == place
            });
            assert!(found, "{name}: {place} in {places:?}");
        }
    }
}
