//! The JSON Schema that is written from the table takes what is valid, and refuses what
//! the published one refuses.
//!
//! `TOOLGLOT_SPECS` names a folder with the published schemas: then that one judges too.

use std::path::Path;

use jsonschema::Validator;
use serde_json::Value;
use toolglot_tests::{assert_accepts, valid_documents};

fn manifests() -> Validator {
    jsonschema::draft202012::new(&capability::schema()).unwrap()
}

#[test]
fn valid_documents_are_accepted() {
    let catalogs = jsonschema::draft202012::new(&capability::catalog_schema()).unwrap();
    let manifests = manifests();
    let mut counts = [0, 0];
    for (name, value) in valid_documents(&capability::testkit::TESTKIT, ".capability.json") {
        let is_catalog = value.get("capabilities").is_some();
        assert_accepts(if is_catalog { &catalogs } else { &manifests }, &name, &value);
        counts[usize::from(is_catalog)] += 1;
    }
    assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
}

/// What the published schema says of a document, where it is at hand.
fn published() -> Option<Validator> {
    let folder = std::env::var_os("TOOLGLOT_SPECS")?;
    let path = Path::new(&folder).join("reference-schemas/capability.manifest.v0.1.schema.json");
    let schema: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    Some(jsonschema::draft202012::new(&schema).unwrap())
}

/// The vectors hold the verdicts of the published schema.
#[test]
fn verdicts_are_those_of_the_published_schema() {
    let path = "fixtures/capability/capability.validate.jsonl";
    let vectors = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path));
    let (ours, theirs) = (manifests(), published());
    let mut counts = [0, 0];
    for line in vectors.unwrap().lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let (input, verdict) = (&vector["input"], ours.is_valid(&vector["input"]));
        // Python's `$` takes a line break before the end; ECMAScript's does not.
        let expected = vector.get("ecma_expected_ok").unwrap_or(&vector["ok"]);
        assert_eq!(Value::Bool(verdict), *expected, "{}", vector["name"]);
        if let Some(theirs) = &theirs {
            assert_eq!(verdict, theirs.is_valid(input), "{}", vector["name"]);
        }
        counts[usize::from(verdict)] += 1;
    }
    assert!(counts.iter().all(|count| *count > 5), "{counts:?}");
}
