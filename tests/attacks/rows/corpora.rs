//! Rows that others have a corpus for. None of them is kept here: `TOOLGLOT_CORPORA` names a folder
//! with those that are to be tried, each under the name of its repository. Run the test of a corpus
//! by name; without its corpus it fails:
//!
//! ```sh
//! TOOLGLOT_CORPORA=FOLDER cargo test --test corpora json_test_suite
//! ```

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(dead_code)] // the surfaces are those of the rows, and not all of them are asked here

mod answer;
mod everywhere;
mod generate;
mod surfaces;
mod zip;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use toolglot::core::schema::{self, Schema};
use toolglot::json::Document;
use toolglot::mcpkg::archive;
use toolglot::mcpkg::jsonpath::Query;
use toolglot::{Diagnostic, Limits};

use surfaces::Surface;

/// The files of a corpus.
fn corpus(name: &str) -> Vec<PathBuf> {
    let folder = std::env::var_os("TOOLGLOT_CORPORA").expect("TOOLGLOT_CORPORA names a folder");
    let (mut open, mut files) = (vec![Path::new(&folder).join(name)], Vec::new());
    while let Some(path) = open.pop() {
        match fs::read_dir(&path) {
            Ok(entries) => open.extend(entries.map(|entry| entry.unwrap().path())),
            Err(_) if path.is_file() => files.push(path),
            Err(_) => {}
        }
    }
    assert!(!files.is_empty(), "there is no corpus {name}");
    files.sort();
    files
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap()
}

/// Rows J33 and J34.
#[test]
fn json_test_suite() {
    for file in corpus("JSONTestSuite/test_parsing") {
        let bytes = fs::read(&file).unwrap();
        let refused = Document::parse(&bytes, &Limits::default()).err();
        let refused = refused.map(|found| found.rule.code);
        match name(&file).split_at(2).0 {
            "n_" => assert!(refused.is_some(), "{}", file.display()),
            "y_" if name(&file).starts_with("y_object_duplicated_key") => {
                assert_eq!(refused, Some("json/duplicate-key"));
            }
            "y_" => assert_eq!(refused, None, "{}", file.display()),
            _ => {}
        }
    }
}

/// Row J36.
#[test]
fn naughty_strings() {
    let places = [
        "probe tools-json /tools/0/name",
        "probe tools-json /tools/0/description",
        "probe tools-json /tools/0/command/-",
        "probe mcpkg /tests/0",
        "probe install-http /actions/0/invocation/headers/X",
        "probe install-manifest /env/0/validation_regex",
    ];
    for file in corpus("big-list-of-naughty-strings") {
        if name(&file) != "blns.json" {
            continue;
        }
        let strings: Vec<Value> = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        for string in strings {
            for place in places {
                Surface::named(place).give(&string, &[].into());
            }
        }
    }
}

fn is_archive(path: &Path) -> bool {
    let bytes = fs::read(path).unwrap();
    let read = archive::read(&bytes, &Limits::default());
    read.is_ok()
}

/// Rows Z55 and Z56. The accepted ones that we refuse are refused on purpose.
#[test]
fn archives_of_pypi() {
    let on_purpose = ["comment", "short_usize", "zip64_eocd"];
    for file in corpus("pypi-zip-corpus") {
        let folder = file.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        match folder {
            Some("reject") => assert!(!is_archive(&file), "{}", file.display()),
            Some("accept") => {
                let refused = on_purpose.iter().any(|start| name(&file).starts_with(start));
                assert!(refused || is_archive(&file), "{}", file.display());
            }
            _ => {}
        }
    }
}

/// Row Z57: so many of them are harmless.
#[test]
fn archives_of_zipdiff() {
    assert_eq!(corpus("zipdiff").iter().filter(|file| is_archive(file)).count(), 66);
}

/// Why a schema of a corpus is refused: it goes out of the document, or beyond a limit.
fn declined(found: &[Diagnostic]) -> bool {
    found.iter().all(|found| is_of(found, &["remote-ref", "dialect", "dynamic-ref", "pattern"]))
        || limited(found)
}

fn limited(found: &[Diagnostic]) -> bool {
    let limits = ["size", "count", "depth", "cost", "number"];
    found.iter().any(|found| is_of(found, &limits))
}

fn is_of(found: &Diagnostic, reasons: &[&str]) -> bool {
    reasons.contains(&found.rule.code.split('/').nth(1).unwrap())
}

/// Row S23.
#[test]
fn json_schema_test_suite() {
    let drafts = ["draft4", "draft6", "draft7", "draft2019-09", "draft2020-12"];
    let uris = [
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    ];
    for (draft, uri) in drafts.into_iter().zip(uris) {
        for file in corpus(&format!("JSON-Schema-Test-Suite/tests/{draft}")) {
            if file.components().any(|part| part.as_os_str() == "optional") {
                continue;
            }
            let groups: Vec<Value> = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
            for group in groups {
                group_holds(group, uri);
            }
        }
    }
}

fn group_holds(mut group: Value, uri: &str) {
    if let Some(schema) = group["schema"].as_object_mut() {
        schema.entry("$schema").or_insert(uri.into());
    }
    let schema = group["schema"].to_string();
    let document = Document::parse(schema.as_bytes(), &Limits::default()).unwrap();
    let compiled = match Schema::compile(document.root(), &Limits::default()) {
        Ok(compiled) => compiled,
        Err(found) => return assert!(declined(&found), "{schema}: {found:?}"),
    };
    for test in group["tests"].as_array().unwrap() {
        let text = test["data"].to_string();
        let instance = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let Ok(validation) = compiled.validate(instance.root()) else { continue };
        assert_eq!(Some(validation.is_valid()), test["valid"].as_bool(), "{schema} {text}");
    }
}

/// Row S24. Some of them are broken: two things have one identifier, or `jsonschema` does not take
/// them either. Two of them it takes because it does not look: in `base.json`, definitions that
/// nothing uses point at what is not there, and in `cloudify.json` a definition is a part of itself.
#[test]
fn schemas_of_schemastore() {
    let (mut within, mut all) = (0, 0);
    for file in corpus("schemastore/src/schemas/json") {
        let bytes = fs::read(&file).unwrap();
        let limits = Limits { document_bytes: 32 << 20, nodes: 4 << 20, ..Limits::default() };
        let Ok(document) = Document::parse(&bytes, &limits) else { continue };
        let found = schema::check(document.root(), &Limits::default());
        let twice = found.iter().any(|found| found.rule.code == "schema/duplicate-id");
        let known = ["base.json", "cloudify.json"].contains(&name(&file));
        if !declined(&found) && (twice || known || is_broken(&bytes)) {
            continue;
        }
        assert!(declined(&found), "{}: {found:?}", file.display());
        all += 1;
        within += usize::from(!limited(&found));
    }
    assert!(within * 100 >= all * 98, "{within} of {all} are within the limits");
}

fn is_broken(schema: &[u8]) -> bool {
    let schema: Value = serde_json::from_slice(schema).unwrap();
    jsonschema::options().offline().build(&schema).is_err()
}

/// Row Q14.
#[test]
fn compliance_of_jsonpath() {
    let limits = Limits { jsonpath_bytes: 4096, ..Limits::default() };
    for file in corpus("jsonpath-compliance-test-suite") {
        if name(&file) != "cts.json" {
            continue;
        }
        let suite: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        for test in suite["tests"].as_array().unwrap() {
            let selector = test["selector"].as_str().unwrap();
            let query = Query::parse(selector, &limits);
            if test["invalid_selector"] == true {
                assert!(query.is_err(), "{selector}");
                continue;
            }
            let text = test["document"].to_string();
            let document = Document::parse(text.as_bytes(), &limits).unwrap();
            let found = query.unwrap().select(document.root(), &limits).unwrap();
            let found: Vec<Value> =
                found.iter().map(|node| serde_json::from_str(node.raw()).unwrap()).collect();
            let found = Value::from(found);
            let one_of = test["results"].as_array().is_some_and(|list| list.contains(&found));
            assert!(test["result"] == found || one_of, "{selector}: {found}");
        }
    }
}
