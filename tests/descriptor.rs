//! A descriptor is data: it can be written and read again, and its derived JSON
//! Schema describes what is written.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(all(feature = "schemars", feature = "testkit"))]

use schemars::generate::SchemaSettings;
use toolglot::json::Document;
use toolglot::testkit::{Rng, Testkit};
use toolglot::{FORMATS, Lifted, Limits, Options, Residue, ToolDescriptor, convert, testkits};

fn schema<T: schemars::JsonSchema>() -> serde_json::Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

#[test]
fn descriptors_are_what_their_schema_says() {
    let described = jsonschema::validator_for(&schema::<ToolDescriptor<'_>>()).unwrap();
    let mut checked = 0;
    for Testkit { format, generate, .. } in testkits() {
        for seed in 0..64 {
            let text = generate(&mut Rng::new(seed), 3);
            let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
            let Lifted { tools, .. } = format.lift(&document, &Limits::default()).unwrap();
            for tool in &tools {
                let written = serde_json::to_string(tool).unwrap();
                let again: ToolDescriptor<'_> = serde_json::from_str(&written).unwrap();
                assert_eq!(serde_json::to_string(&again).unwrap(), written, "{}", format.name);
                // Numbers of any size are kept, and the other reader cannot hold them.
                let Ok(value) = serde_json::from_str(&written) else { continue };
                checked += 1;
                let wrong: Vec<_> = described.iter_errors(&value).map(|e| e.to_string()).collect();
                assert!(wrong.is_empty(), "{}: {wrong:?}\n{written}", format.name);
            }
        }
    }
    assert!(checked > 200, "{checked}");
}

#[test]
fn residues_are_what_their_schema_says() {
    let described = jsonschema::validator_for(&schema::<Residue>()).unwrap();
    let mut checked = 0;
    for Testkit { format: from, generate, .. } in testkits() {
        for to in FORMATS {
            for seed in 0..4 {
                let text = generate(&mut Rng::new(seed), 2);
                let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
                let Ok(converted) = convert(&document, *from, *to, &Options::default()) else {
                    continue;
                };
                let Ok(value) = serde_json::from_str(&converted.residue(&document).to_json())
                else {
                    continue;
                };
                checked += 1;
                let wrong: Vec<_> = described.iter_errors(&value).map(|e| e.to_string()).collect();
                assert!(wrong.is_empty(), "{wrong:?}\n{value}");
            }
        }
    }
    assert!(checked > 50, "{checked}");
}
