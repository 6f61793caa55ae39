//! The JSON Schema that is written from the table takes what is valid.

use toolglot_tests::valid_files;

use install_manifest::Version;
use jsonschema::Validator;
use serde_json::Value;
use testkit::Rng;

/// The valid documents that the generator makes, but for those with a number that only
/// we can hold.
fn generated() -> Vec<(String, Value)> {
    let text = |seed| install_manifest::testkit::generate(&mut Rng::new(seed), 3);
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

#[test]
fn valid_documents_are_accepted() {
    for (name, value) in
        valid_files("install-manifest", ".install.json").into_iter().chain(generated())
    {
        for manifest in manifests(&value) {
            let version = manifest["manifest_version"].as_str().and_then(Version::from_word);
            let schema = install_manifest::schema(version.unwrap());
            accepts(&jsonschema::draft202012::new(&schema).unwrap(), &name, manifest);
        }
    }
}
