//! `schemas` has the JSON Schema of every format and version, for editors.
//!
//! `TOOLGLOT_BLESS=1 cargo test --test project schema_files` writes them anew.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::{Value, json};

fn folder() -> PathBuf {
    toolglot_tests::root().join("schemas")
}

/// The files that are to be there, and what is to be in them.
fn expected() -> BTreeMap<String, Value> {
    let mut files = BTreeMap::new();
    for format in toolglot::FORMATS {
        let versions = format.tables.first().map_or(&[][..], |table| table.versions);
        for version in versions {
            let of = if versions.len() == 1 { String::new() } else { format!("-{version}") };
            let file = format!("{}{of}.schema.json", format.name);
            let mut schema = format.schema(Some(version)).expect("a schema");
            schema["$id"] =
                json!(format!("{}/raw/main/schemas/{file}", env!("CARGO_PKG_REPOSITORY")));
            files.insert(file, schema);
        }
    }
    files
}

#[test]
fn the_schemas_are_those_of_the_formats() {
    let expected = expected();
    if std::env::var_os("TOOLGLOT_BLESS").is_some() {
        std::fs::create_dir_all(folder()).unwrap();
        for (file, schema) in &expected {
            std::fs::write(folder().join(file), format!("{schema:#}\n")).unwrap();
        }
    }
    let entries = std::fs::read_dir(folder()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let found: BTreeSet<String> = names.filter(|name| name != "README.md").collect();
    assert_eq!(found, expected.keys().cloned().collect());
    for (file, schema) in expected {
        let text = std::fs::read_to_string(folder().join(&file)).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), schema, "{file}");
    }
}

/// An editor has no other judge than the schema itself.
#[test]
fn the_schemas_are_schemas() {
    for (file, schema) in expected() {
        assert!(jsonschema::meta::is_valid(&schema), "{file}");
        assert!(jsonschema::draft202012::new(&schema).is_ok(), "{file}");
    }
}
