//! The JSON Schema that is written from the table takes what is valid.

use toolglot_tests::{assert_accepts, valid_documents};

#[test]
fn valid_documents_are_accepted() {
    let validator = jsonschema::draft202012::new(&jumith::schema()).unwrap();
    for (name, value) in valid_documents(&jumith::testkit::TESTKIT, ".jumith.json") {
        // One manifest, or a list of them.
        let manifests = value.as_array().map_or(std::slice::from_ref(&value), Vec::as_slice);
        for manifest in manifests {
            assert_accepts(&validator, &name, manifest);
        }
    }
}
