//! The JSON Schema that is written from the table takes what is valid.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(feature = "testkit")]

use std::path::Path;

use jsonschema::Validator;
use serde_json::Value;
use testkit::Rng;

/// The valid documents that are files, and their names.
fn files() -> Vec<(String, Value)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [root.join("tests/fixtures/valid"), root.join("../../examples/manifests")];
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    #[allow(clippy::case_sensitive_file_extension_comparisons)] // our own files
    let is_ours = |path: &std::path::PathBuf| {
        let text = path.to_str().unwrap();
        text.ends_with(".tools.json") || text.ends_with(".json") && text.contains("fixtures")
    };
    let read = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        (path.display().to_string(), serde_json::from_str(&text).unwrap())
    };
    paths.filter(is_ours).map(read).collect()
}

/// The valid documents that the generator makes, but for those with a number that only
/// we can hold.
fn generated() -> Vec<(String, Value)> {
    let text = |seed| tools_json::testkit::generate(&mut Rng::new(seed), 3);
    let read = |seed| Some((format!("seed {seed}"), serde_json::from_str(&text(seed)).ok()?));
    (0..200).filter_map(read).collect()
}

#[track_caller]
fn accepts(validator: &Validator, name: &str, value: &Value) {
    let error = validator.validate(value).err();
    assert!(error.is_none(), "{name}: {error:?}");
}

#[test]
fn valid_documents_are_accepted() {
    let validator = jsonschema::draft202012::new(&tools_json::schema()).unwrap();
    for (name, value) in files().into_iter().chain(generated()) {
        accepts(&validator, &name, &value);
    }
}
