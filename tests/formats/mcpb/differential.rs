//! Our verdicts and those of a JSON Schema validator are the same: on the schema that is
//! written from our table, and on the published ones where they are.
//!
//! `TOOLGLOT_MUTANTS=100000` looks at as many mutants. `TOOLGLOT_SPECS` names the folder
//! with the published schemas; without it, that test has nothing to do. With
//! `TOOLGLOT_VERDICTS`, it prints what it compared, for `.ci/ajv` to judge once more.

use std::collections::BTreeMap;

use jsonschema::Validator;
use manifest_core::json::Document;
use manifest_core::{Limits, Profile, ValidateOptions};
use mcp::mcpb::testkit::generate;
use mcp::mcpb::{FORMAT, validate};
use serde_json::Value;
use testkit::{Rng, Tree};

fn mutants() -> u64 {
    std::env::var("TOOLGLOT_MUTANTS").map_or(1000, |count| count.parse().unwrap())
}

/// Formats of texts are left unchecked.
fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::options().offline().build(schema).unwrap()
}

#[test]
fn agrees_with_the_schema_of_our_table() {
    let schema = |version: &&'static str| {
        let schema = FORMAT.schema(Some(version)).unwrap();
        (*version, validator(&schema))
    };
    compare(&FORMAT.versions.iter().map(schema).collect(), Profile::Spec);
}

#[test]
fn agrees_with_the_published_schemas() {
    let Ok(folder) = std::env::var("TOOLGLOT_SPECS") else { return };
    let schema = |version: &&'static str| {
        let name = format!("reference-schemas/mcpb-manifest-v{version}.json");
        let path = std::path::Path::new(&folder).join(name);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        (*version, validator(&serde_json::from_str(&text).unwrap()))
    };
    compare(&FORMAT.versions.iter().map(schema).collect(), Profile::Reference);
}

/// Both sides find the same mutants valid, and there are enough of both kinds.
fn compare(schemas: &BTreeMap<&str, Validator>, profile: Profile) {
    let mut counts = [0, 0];
    for seed in 0..mutants() {
        let rng = &mut Rng::new(seed);
        let text = generate(rng, 2);
        let text = if rng.once_in(8) { text } else { mutate(&text, rng) };
        // Some numbers are larger than the other side takes.
        let Ok(value) = serde_json::from_str::<Value>(&text) else { continue };
        let (version, schema) = schema_of(schemas, &value);
        let verdict = schema.is_valid(&value);
        if std::env::var_os("TOOLGLOT_VERDICTS").is_some() {
            println!("{}", serde_json::json!([version, verdict, text]));
        }
        assert_eq!(is_like_the_table(&text, profile), verdict, "seed {seed}\n{text}");
        counts[usize::from(verdict)] += 1;
    }
    let [invalid, valid] = counts;
    assert!(valid * 20 > mutants() && invalid * 20 > mutants(), "{valid} valid, {invalid} not");
}

/// The schema of the version that a document says it is of; without one, the newest.
fn schema_of<'s>(
    schemas: &'s BTreeMap<&str, Validator>,
    value: &Value,
) -> (&'s str, &'s Validator) {
    let stated = value.get("manifest_version").or(value.get("dxt_version"));
    let stated = stated.and_then(Value::as_str).and_then(|version| schemas.get_key_value(version));
    let newest = || schemas.last_key_value().unwrap();
    let (version, schema) = stated.unwrap_or_else(newest);
    (version, schema)
}

/// Whether there are no errors of structure. A schema knows nothing else.
fn is_like_the_table(text: &str, profile: Profile) -> bool {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let depth = manifest_core::Depth::Structure;
    validate(&document, &ValidateOptions { profile, depth, ..ValidateOptions::default() })
        .is_valid()
}

/// A document with one leaf gone, of another type, or another word; or with a member that does
/// not belong there.
fn mutate(text: &str, rng: &mut Rng) -> String {
    let mut tree = Tree::parse(text).unwrap();
    let leaves: Vec<String> = tree.leaves().into_iter().map(|(at, _)| at).collect();
    let at = leaves[rng.below(leaves.len())].clone();
    let parent = at.rsplit_once('/').map_or("", |(parent, _)| parent).to_owned();
    match rng.below(5) {
        0 => tree.remove(&at).map(drop),
        1 => tree.put(&at, Tree::plain(rng.word(&["null", "7", "true", "[]", "{}"]))).map(drop),
        2 => tree.put(&at, rng.word(&["", "uv", "0.2", "0.4", "16x16", "win32"]).into()).map(drop),
        3 if matches!(tree.at(&parent), Some(Tree::Object(_))) => {
            let name = rng.word(&["x", "name", "icons", "_meta", "privacy_policies"]);
            tree.put(&format!("{parent}/{name}"), Tree::plain("[]")).map(drop)
        }
        _ => tree.remove(&parent).map(drop),
    };
    tree.render()
}
