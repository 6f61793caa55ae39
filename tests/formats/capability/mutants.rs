//! A differential test of structure: thousands of damaged manifests, judged by us
//! and by another implementation, over the schema that we publish and over one that was
//! written by hand, which a mistake in our table does not change.
//!
//! `TOOLGLOT_CASES=100` runs a hundred times as many. When `TOOLGLOT_SPECS` names a
//! folder with the published schemas, that one judges too. With `TOOLGLOT_VERDICTS`, the
//! test prints what it compared, for `.ci/ajv` to judge once more.

use jsonschema::Validator;
use manifest_core::json::Document;
use manifest_core::{Depth, Limits, Profile, ValidateOptions};
use serde_json::Value;
use testkit::{Rng, Tree, value};
use toolglot_tests::times;

const CASES: u64 = 1000;

fn by_hand() -> Value {
    serde_json::from_str(include_str!("manifest.schema.json")).unwrap()
}

fn published() -> Option<Value> {
    let folder = std::env::var_os("TOOLGLOT_SPECS")?;
    let file = std::path::Path::new(&folder)
        .join("reference-schemas/capability.manifest.v0.1.schema.json");
    Some(serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap())
}

#[test]
fn verdicts_agree() {
    let judges: Vec<Validator> = [Some(capability::schema()), Some(by_hand()), published()]
        .into_iter()
        .flatten()
        .map(|schema| jsonschema::draft202012::new(&schema).unwrap())
        .collect();
    let (mut valid, mut invalid) = (0_u64, 0_u64);
    for seed in 0..CASES * times() {
        let text = mutant(&mut Rng::new(seed));
        let Ok(instance) = serde_json::from_str::<Value>(&text) else {
            continue; // a number that only we can hold
        };
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let options = ValidateOptions {
            profile: Profile::Reference,
            depth: Depth::Structure,
            ..ValidateOptions::default()
        };
        let ours = capability::validate(&document, &options);
        for judge in &judges {
            let theirs = judge.validate(&instance);
            assert_eq!(
                ours.is_valid(),
                theirs.is_ok(),
                "seed {seed}: {theirs:?}\n{ours:?}\n{text}"
            );
        }
        if std::env::var_os("TOOLGLOT_VERDICTS").is_some() {
            println!("{}", serde_json::json!(["0.1", ours.is_valid(), text]));
        }
        *(if ours.is_valid() { &mut valid } else { &mut invalid }) += 1;
    }
    // Both verdicts must be common, or the comparison says little.
    assert!(valid > CASES / 10 && invalid > CASES / 4, "{valid} valid, {invalid} invalid");
}

/// One manifest is not compared with others, but for those in a list that does not
/// belong there: what is wrong with it must not keep them from being looked at.
#[test]
fn ids_in_a_manifest_are_compared() {
    for seed in 0..CASES {
        let text = mutant(&mut Rng::new(seed));
        let mut value: Value = serde_json::from_str(&text).unwrap_or_default();
        let Some(members) = value.as_object_mut() else { continue };
        let list = serde_json::json!([{"id": "gmail.send"}, {"id": "Gmail_Send"}]);
        members.insert("capabilities".to_owned(), list);
        let text = value.to_string();
        let options = ValidateOptions::default();
        let document = Document::parse(text.as_bytes(), &options.limits).unwrap();
        let report = capability::validate(&document, &options);
        let similar = report.diagnostics.iter().any(|found| found.rule.code == "names/similar");
        assert!(similar, "seed {seed}: {report:?}\n{text}");
    }
}

/// A valid manifest with up to two defects, or none.
fn mutant(rng: &mut Rng) -> String {
    let mut tree = capability::testkit::manifest(rng, 0, 2);
    for _ in 0..rng.below(3) {
        damage(&mut tree, rng);
    }
    tree.render()
}

fn damage(tree: &mut Tree, rng: &mut Rng) {
    match tree {
        Tree::Object(members) if !members.is_empty() && !rng.once_in(4) => {
            let index = rng.below(members.len());
            match rng.below(8) {
                0 => drop(members.remove(index)),
                1 => {
                    let name = value::name(rng);
                    if members.iter().all(|(found, _)| *found != name) {
                        members.insert(index, (name, value::value(rng, 2)));
                    }
                }
                _ => damage(&mut members[index].1, rng),
            }
        }
        Tree::Array(elements) if !elements.is_empty() && !rng.once_in(4) => {
            let index = rng.below(elements.len());
            match rng.below(4) {
                0 => drop(elements.remove(index)),
                1 => elements.insert(index, value::value(rng, 2)),
                _ => damage(&mut elements[index], rng),
            }
        }
        Tree::Text(text) if !rng.once_in(3) => match rng.below(4) {
            0 => text.clear(),
            1 => drop(text.pop()),
            2 => text.push_str(rng.word(&["x", "0", ".", "-", "+b", "\n", "é", "A", ":"])),
            _ => *text = text.to_uppercase(),
        },
        Tree::Plain(plain) if !rng.once_in(3) => {
            let others = ["0", "-1", "-0", "-0.0", "1e2", "true", "false", "null"];
            rng.word(&others).clone_into(plain);
        }
        other => *other = value::value(rng, 3),
    }
}
