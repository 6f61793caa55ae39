//! What conversion writes, judged by the published schemas and as the published tools
//! would.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;
use toolglot::json::Document;
use toolglot::testkit::{Rng, laws};
use toolglot::{FormatName, Limits, Profile, ValidateOptions, convert, validate};

use crate::fixtures;

/// How many generated documents of each format are converted.
const SEEDS: u64 = 96;

fn sources() -> Vec<(FormatName, String)> {
    let mut texts: Vec<_> =
        fixtures().into_iter().map(|fixture| (fixture.format, fixture.text)).collect();
    for format in FormatName::ALL.iter().copied() {
        let generate = |seed| (format.testkit().unwrap().generate)(&mut Rng::new(seed), 3);
        texts.extend((0..SEEDS).map(|seed| (format, generate(seed))));
    }
    texts
}

/// Every document that every source becomes in another format.
fn for_each_target(mut judge: impl FnMut(FormatName, &str, &str)) {
    for (from, text) in sources() {
        let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        for to in FormatName::ALL.iter().copied().filter(|to| *to != from) {
            let Ok(conversion) = convert(&source, from, to, &laws::accept_all()) else { continue };
            for document in &conversion.documents {
                judge(to, &document.text, &text);
            }
        }
    }
}

/// The published tools take what is written, where they can express the call at all: the
/// one of MCPKG knows requests only.
#[test]
fn the_published_tools_take_what_is_written() {
    let mut counts: BTreeMap<FormatName, usize> = BTreeMap::new();
    for_each_target(|to, text, source| {
        // Some numbers are larger than the other reader takes.
        let Ok(value) = serde_json::from_str::<Value>(text) else { return };
        if to == FormatName::Mcpkg && value["endpoint"]["type"] != "http" {
            return;
        }
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let options = ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() };
        let report = validate(&document, to, &options);
        // A schema without a type is the source's own, and stays what it is.
        let own = |message: &str| message.contains("should have a 'type' property");
        let wrong = report.errors().find(|found| !own(&found.message));
        assert!(wrong.is_none(), "{to}: {wrong:?}\n{text}\n{source}");
        *counts.entry(to).or_default() += 1;
    });
    println!("{counts:?}");
    assert_eq!(counts.len(), FormatName::ALL.len());
}

/// The published schemas are not part of this repository: `TOOLGLOT_SPECS` is the folder
/// that holds them.
#[test]
fn the_published_schemas_take_what_is_written() {
    let Some(folder) = std::env::var_os("TOOLGLOT_SPECS").map(PathBuf::from) else {
        println!("TOOLGLOT_SPECS is not set: nothing to compare with");
        return;
    };
    let load = |name: &str| -> jsonschema::Validator {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
    };
    let capability = load("reference-schemas/capability.manifest.v0.1.schema.json");
    let install: BTreeMap<&str, jsonschema::Validator> = [
        ("0.1", "reference-schemas/install-manifest-v0.1.json"),
        ("0.2", "install-manifest-v0.2.schema.json"),
        ("0.3", "reference-schemas/install-manifest-v0.3.json"),
        ("0.3.1", "reference-schemas/install-manifest-v0.3.1.json"),
        ("0.4", "reference-schemas/install-manifest-v0.4.json"),
    ]
    .map(|(version, name)| (version, load(name)))
    .into();
    // Whether a page is a URI is left unchecked, as in our own table.
    let text = std::fs::read_to_string(folder.join("reference-schemas/mcpb-manifest-v0.4.json"));
    let bundle: Value = serde_json::from_str(&text.unwrap()).unwrap();
    let bundle = jsonschema::draft202012::options().offline().build(&bundle).unwrap();
    let mut judged = 0;
    for_each_target(|to, text, source| {
        let Ok(value) = serde_json::from_str::<Value>(text) else { return };
        let (schema, values) = match to {
            FormatName::Capability => {
                let list = value.get("capabilities").and_then(Value::as_array);
                (&capability, list.cloned().unwrap_or_else(|| vec![value.clone()]))
            }
            FormatName::InstallManifest => {
                let version = value["manifest_version"].as_str().unwrap_or_default();
                (&install[version], vec![value.clone()])
            }
            FormatName::Mcpb => (&bundle, vec![value.clone()]),
            _ => return,
        };
        for value in values {
            judged += 1;
            let wrong = schema.iter_errors(&value).next();
            assert!(wrong.is_none(), "{to}: {wrong:?}\n{text}\n{source}");
        }
    });
    println!("{judged} documents");
    assert!(judged > 0);
}
