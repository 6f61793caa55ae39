//! The JSON Schemas that editors are given say what validation says of structure.

use jsonschema::Validator;
use serde_json::Value;
use toolglot::testkit::Rng;
use toolglot::{Depth, FORMATS, FormatName, testkits};

/// The schema of each version that a table has, by the version's name.
fn validators(format: &toolglot::Format) -> Vec<(&'static str, Validator)> {
    let versions = format.tables[0].versions;
    let compile = |version: &&'static str| {
        let schema = format.schema(Some(version)).expect("a version of the table");
        (*version, jsonschema::draft202012::new(&schema).expect("a schema"))
    };
    versions.iter().map(compile).collect()
}

/// The version that a document says it is in, if it does.
fn version(text: &str, format: &toolglot::Format) -> Option<String> {
    let document =
        toolglot::json::Document::parse(text.as_bytes(), &toolglot::Limits::default()).unwrap();
    (format.detect)(document.root())?.version
}

#[test]
fn what_is_generated_is_taken() {
    for kit in testkits() {
        let validators = validators(kit.format);
        let mut tried = 0;
        for seed in 0..300 {
            let text = (kit.generate)(&mut Rng::new(seed), 4);
            // Some numbers are larger than the other parser takes.
            let Ok(value) = serde_json::from_str::<Value>(&text) else { continue };
            tried += 1;
            let version = version(&text, kit.format);
            // A document that does not say its version is of one of them.
            let of = |known: &str| {
                version.as_deref().is_none_or(|v| v == known) || validators.len() == 1
            };
            let taken =
                validators.iter().any(|(known, validator)| of(known) && validator.is_valid(&value));
            assert!(taken, "{} {version:?}, seed {seed}: {text}", kit.format.name);
        }
        assert!(tried > 200, "{}: {tried}", kit.format.name);
    }
}

#[test]
fn what_is_not_an_object_is_not_taken() {
    for format in FORMATS {
        for (version, validator) in validators(format) {
            for value in [Value::Null, Value::Array(Vec::new()), serde_json::json!({})] {
                assert!(!validator.is_valid(&value), "{} {version} takes {value}", format.name);
            }
        }
    }
}

#[test]
fn a_version_that_is_not_there_is_told() {
    let said = FormatName::Mcpkg.format().unwrap().schema(Some("9")).unwrap_err();
    assert_eq!(said, "mcpkg has no version \"9\"; there are 0.1, 0.2");
}

/// Rules of structure that the schemas do not say, and why.
const BEYOND: &[(&str, &str)] = &[
    ("capability/argv-length", "a limit that hosts choose"),
    ("tools-json/command-length", "a limit that hosts choose"),
    ("capability/version", "the published pattern takes more than SemVer"),
    ("mcpkg/reference", "a document that is right by the specification"),
];

#[test]
fn what_has_a_defect_of_structure_is_not_taken() {
    for kit in testkits() {
        let validators = validators(kit.format);
        let rules = kit.format.rules.iter().filter(|rule| rule.depth == Depth::Structure);
        for rule in rules.filter(|rule| !BEYOND.iter().any(|(code, _)| *code == rule.code)) {
            for seed in 0..20 {
                let text = (kit.defect)(&mut Rng::new(seed), rule);
                let value = text.and_then(|text| serde_json::from_str::<Value>(&text).ok());
                let Some(value) = value else { continue };
                let taken = validators.iter().find(|(_, validator)| validator.is_valid(&value));
                assert!(taken.is_none(), "{}, seed {seed}: {value}", rule.code);
            }
        }
    }
}
