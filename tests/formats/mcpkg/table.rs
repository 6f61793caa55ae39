//! The JSON Schema that is written from the table takes what is valid.

#![allow(clippy::case_sensitive_file_extension_comparisons)] // our own files

use std::path::Path;
use toolglot_tests::valid_files;

use jsonschema::Validator;
use mcpkg::Version;
use serde_json::Value;
use testkit::Rng;

/// The valid documents that the generator makes, but for those with a number that only
/// we can hold.
fn generated() -> Vec<(String, Value)> {
    let text = |seed| mcpkg::testkit::generate(&mut Rng::new(seed), 3);
    let read = |seed| Some((format!("seed {seed}"), serde_json::from_str(&text(seed)).ok()?));
    (0..200).filter_map(read).collect()
}

#[track_caller]
fn accepts(validator: &Validator, name: &str, value: &Value) {
    let error = validator.validate(value).err();
    assert!(error.is_none(), "{name}: {error:?}");
}

/// One manifest, or a list of them.
fn manifests(value: &Value) -> Vec<&Value> {
    value.as_array().map_or_else(|| vec![value], |list| list.iter().collect())
}

fn validator(version: Version) -> Validator {
    jsonschema::draft202012::new(&mcpkg::schema(version)).unwrap()
}

/// Whether a manifest uses what came with 0.2.
fn is_0_2(manifest: &Value) -> bool {
    manifest.get("endpoint").is_none_or(|endpoint| endpoint["type"] == "local")
}

#[test]
fn valid_documents_are_accepted() {
    let (v0_1, v0_2) = (validator(Version::V0_1), validator(Version::V0_2));
    let mut counts = [0, 0];
    for (name, value) in valid_files("mcpkg", ".mcpkg.json").into_iter().chain(generated()) {
        for manifest in manifests(&value) {
            accepts(&v0_2, &name, manifest);
            assert_eq!(v0_1.is_valid(manifest), !is_0_2(manifest), "{name}");
            counts[usize::from(is_0_2(manifest))] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
}

#[test]
fn tests_of_the_specification_are_accepted() {
    let validator = jsonschema::draft202012::new(&mcpkg::test_schema()).unwrap();
    for name in ["05_test.json", "09_test.json"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mcpkg/spec").join(name);
        let text = std::fs::read_to_string(path).unwrap();
        accepts(&validator, name, &serde_json::from_str(&text).unwrap());
    }
}
