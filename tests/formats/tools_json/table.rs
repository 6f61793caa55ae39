//! The JSON Schema that is written from the table takes what is valid.

use toolglot_tests::valid_files;

use jsonschema::Validator;
use serde_json::Value;
use testkit::Rng;

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
    for (name, value) in valid_files("tools-json", ".tools.json").into_iter().chain(generated()) {
        accepts(&validator, &name, &value);
    }
}
