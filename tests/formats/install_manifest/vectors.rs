//! What the reference answered, line by line.

use install_manifest::validate;
use manifest_core::json::Document;
use manifest_core::{Limits, Profile, ValidateOptions};
use serde_json::Value;

/// Verdict and places agree. A place is the reference's own, or inside the union
/// that the reference could not decide on.
fn agree(vectors: &str) {
    let mut lines = 0;
    for line in vectors.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let name = case["name"].as_str().unwrap();
        let input = case["input"].to_string();
        let document = Document::parse(input.as_bytes(), &Limits::default()).unwrap();
        let options = ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() };
        let report = validate(&document, &options);
        // Python's `$` also matches before a line break at the end.
        let ok = case.get("ecma_expected_ok").unwrap_or(&case["ok"]).as_bool().unwrap();
        assert_eq!(report.is_valid(), ok, "{name}: {:#?}", report.diagnostics);
        lines += 1;

        let quirk = case.get("ecma_expected_ok").is_some();
        let found: Vec<&str> = report.errors().map(|d| d.pointer.as_str()).collect();
        for error in case["errors"].as_array().unwrap() {
            let place = error[0].as_str().unwrap().trim_end_matches('/');
            let union = error[1].as_str().unwrap().contains("is not valid under any");
            let inside = |pointer: &&str| {
                let tail = pointer.strip_prefix(place);
                tail.is_some_and(|tail| tail.is_empty() || union && tail.starts_with('/'))
            };
            assert!(quirk || found.iter().any(inside), "{name}: {place} is not in {found:?}");
        }
        for place in found {
            let known = case["errors"].as_array().unwrap().iter().any(|error| {
                let known = error[0].as_str().unwrap().trim_end_matches('/');
                place.strip_prefix(known).is_some_and(|t| t.is_empty() || t.starts_with('/'))
            });
            assert!(quirk || known, "{name}: nobody else complains about {place}");
        }
    }
    assert!(lines > 100, "only {lines} vectors");
}

#[test]
fn version_0_2() {
    agree(include_str!("../../fixtures/install-manifest/v0.2-validate.jsonl"));
}

#[test]
fn all_versions() {
    agree(include_str!("../../fixtures/install-manifest/cross-version.jsonl"));
}
