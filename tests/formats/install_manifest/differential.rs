//! Our verdicts and those of a JSON Schema validator are the same: on the schema
//! that is written from our own shapes, and on the published ones where they are.
//!
//! `TOOLGLOT_MUTANTS=100000` looks at as many mutants. `TOOLGLOT_SPECS` names the
//! folder with the published schemas; without it, that test has nothing to do.
//! With `TOOLGLOT_VERDICTS`, it prints what it compared, for `.ci/ajv` to judge once more.

use std::collections::BTreeMap;

use install_manifest::testkit::{generate, mutate};
use install_manifest::{Version, schema, validate};
use jsonschema::Validator;
use manifest_core::json::Document;
use manifest_core::{Limits, Profile, ValidateOptions};
use serde_json::Value;
use testkit::Rng;

const VERSIONS: [Version; 5] =
    [Version::V0_1, Version::V0_2, Version::V0_3, Version::V0_3_1, Version::V0_4];

fn mutants() -> u64 {
    std::env::var("TOOLGLOT_MUTANTS").map_or(1000, |count| count.parse().unwrap())
}

fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::options().offline().build(schema).unwrap()
}

#[test]
fn agrees_with_the_schema_of_our_shapes() {
    let schemas = VERSIONS.map(|version| (version.word(), validator(&schema(version))));
    let (valid, invalid) = compare(&schemas.into());
    assert!(valid * 20 > mutants() && invalid * 20 > mutants(), "{valid} valid, {invalid} not");
}

#[test]
fn agrees_with_the_published_schemas() {
    let Ok(folder) = std::env::var("TOOLGLOT_SPECS") else { return };
    let schemas = VERSIONS.map(|version| {
        let name = match version {
            Version::V0_2 => "install-manifest-v0.2.schema.json".to_owned(),
            version => format!("reference-schemas/install-manifest-v{}.json", version.word()),
        };
        let path = std::path::Path::new(&folder).join(name);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        (version.word(), validator(&serde_json::from_str(&text).unwrap()))
    });
    let (valid, invalid) = compare(&schemas.into());
    eprintln!("{valid} valid and {invalid} invalid mutants, no disagreement");
}

/// How many mutants are valid, and how many are not.
fn compare(schemas: &BTreeMap<&str, Validator>) -> (u64, u64) {
    let mut counts = [0, 0];
    for seed in 0..mutants() {
        let rng = &mut Rng::new(seed);
        let mut text = generate(rng, 2);
        // Beyond what the other side's numbers can hold.
        text = text.replace("1e400", "1").replace("1E-400", "0.1");
        if !rng.once_in(16) {
            text = mutate(&text, rng);
        }
        counts[usize::from(!agree(schemas, &text, seed))] += 1;
    }
    (counts[0], counts[1])
}

/// The verdict on a document, which both sides share.
fn agree(schemas: &BTreeMap<&str, Validator>, text: &str, seed: u64) -> bool {
    // A mutant may have 65 copies of something long, and faults in each: schemas have no limits.
    let many = 1 << 28;
    let limits =
        Limits { document_bytes: many, nodes: many, diagnostics: many, ..Limits::default() };
    let document = Document::parse(text.as_bytes(), &limits).unwrap();
    let options =
        ValidateOptions { profile: Profile::Reference, limits, ..ValidateOptions::default() };
    let report = validate(&document, &options);
    let value: Value = serde_json::from_str(text).unwrap();
    let Some(validator) = value["manifest_version"].as_str().and_then(|v| schemas.get(v)) else {
        assert!(!report.is_valid(), "seed {seed}: no version\n{text}");
        return false;
    };
    let verdict = validator.is_valid(&value);
    if std::env::var_os("TOOLGLOT_VERDICTS").is_some() {
        println!("{}", serde_json::json!([value["manifest_version"], verdict, text]));
    }
    assert_eq!(report.is_valid(), verdict, "seed {seed}: {:#?}\n{text}", report.diagnostics);

    // What the schema complains about, we complain about there, or inside the
    // union that it could not decide on.
    let ours: Vec<&str> = report.errors().map(|d| d.pointer.as_str()).collect();
    for error in validator.iter_errors(&value) {
        let place = error.instance_path().as_str();
        let union = error.to_string().contains("oneOf") || error.to_string().contains("any of");
        let found = ours.iter().any(|ours| {
            let tail = ours.strip_prefix(place);
            tail.is_some_and(|tail| tail.is_empty() || union && tail.starts_with('/'))
        });
        assert!(found, "seed {seed}: {place:?} ({error}) is not in {ours:?}\n{text}");
    }
    verdict
}
