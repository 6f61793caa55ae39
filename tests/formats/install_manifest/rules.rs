//! Every rule has a document that breaks it and no other; the published linter's
//! findings are all found.

use ::testkit::Rng;
use install_manifest::{rules, testkit, validate};
use manifest_core::json::Document;
use manifest_core::{Limits, Profile, Report, ValidateOptions};
use serde_json::Value;

fn report(text: &str, profile: Profile) -> Report {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    validate(&document, &ValidateOptions { profile, ..ValidateOptions::default() })
}

#[test]
fn a_defect_breaks_its_rule_and_no_other() {
    let mut failures = Vec::new();
    let shared = manifest_core::json::rules::RULES;
    for rule in rules::RULES.iter().chain(shared) {
        for seed in 0..16 {
            let Some(text) = testkit::defect(&mut Rng::new(seed), rule) else {
                let none = ["json/unknown-member", "json/key-case", "json/number-range"];
                assert!(none.contains(&rule.code), "no document breaks {}", rule.code);
                continue;
            };
            if let Err(diagnostic) = Document::parse(text.as_bytes(), &Limits::default()) {
                assert_eq!(diagnostic.rule.code, rule.code);
                continue;
            }
            let report = report(&text, Profile::Spec);
            let mut codes: Vec<_> = report.diagnostics.iter().map(|d| d.rule.code).collect();
            codes.dedup();
            if codes != [rule.code] {
                failures.push(format!("{} breaks {codes:?}:\n{text}", rule.code));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_published_linter_finds_nothing_more() {
    let vectors = include_str!("../../fixtures/install-manifest/cross-version.jsonl");
    let mut found = 0;
    for line in vectors.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        if case["ok"] != true {
            continue;
        }
        let report = report(&case["input"].to_string(), Profile::Spec);
        for lint in case["lint"].as_array().unwrap() {
            let rule = rules::find(lint["code"].as_str().unwrap()).unwrap();
            let place = lint["path"].as_str().unwrap();
            // What is missing is reported at what is there.
            let here =
                |at: &str| place.strip_prefix(at).is_some_and(|t| !t.starts_with(|c| c != '/'));
            let hit = report.diagnostics.iter().any(|d| d.rule == rule && here(d.pointer.as_str()));
            assert!(hit, "{}: {lint}\n{:#?}", case["name"], report.diagnostics);
            found += 1;
        }
    }
    assert!(found > 50, "only {found} findings");
}

#[test]
fn strict_makes_advice_an_error() {
    let text = testkit::defect(&mut Rng::new(0), &rules::URI).unwrap();
    assert!(report(&text, Profile::Spec).is_valid());
    assert!(!report(&text, Profile::Strict).is_valid());
    assert!(report(&text, Profile::Reference).diagnostics.is_empty());
}
