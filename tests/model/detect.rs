//! A document with a slip of the pen, or without what marks its format, is still told what it is.

use toolglot::json::Document;
use toolglot::{DetectError, FORMATS, Limits, ValidateOptions, detect};

/// The valid fixtures of a format.
fn fixtures(format: &str) -> Vec<(String, String)> {
    let folder = toolglot_tests::fixtures(format).join("valid");
    let files = std::fs::read_dir(folder).expect("fixtures").map(|file| file.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|end| end == "json"));
    files.map(|path| (path.display().to_string(), std::fs::read_to_string(path).unwrap())).collect()
}

/// Names with a slip: a letter is gone, two are exchanged, one is doubled.
fn slips(name: &str) -> Vec<String> {
    let middle = name.len() / 2;
    let (head, tail) = name.split_at(middle);
    let mut swapped: Vec<char> = name.chars().collect();
    swapped.swap(middle - 1, middle);
    vec![
        format!("{head}{}", &tail[1..]),
        swapped.into_iter().collect(),
        format!("{head}{}{tail}", &tail[..1]),
    ]
}

#[test]
fn one_misspelt_name_does_not_hide_the_format() {
    let mut tried = 0;
    for format in FORMATS {
        for (file, text) in fixtures(format.name) {
            let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
            for member in document.root().members() {
                let name = member.name();
                for slip in slips(&name).into_iter().filter(|slip| *slip != *name) {
                    let edited = text.replacen(&format!("\"{name}\""), &format!("\"{slip}\""), 1);
                    let edited = Document::parse(edited.as_bytes(), &Limits::default()).unwrap();
                    let found = match detect(&edited) {
                        Ok((found, _)) => found.name,
                        Err(DetectError::Near(near)) => near.format,
                        Err(other) => panic!("{file}: `{slip}` for `{name}`: {other}"),
                    };
                    assert_eq!(found, format.name, "{file}: `{slip}` for `{name}`");
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 500, "only {tried}");
}

#[test]
fn what_is_no_manifest_is_told_so() {
    for text in ["{}", "[]", "null", r#"{"name": "x", "version": "1.0.0"}"#, r#"{"a": {"b": 1}}"#] {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        assert_eq!(detect(&document).unwrap_err(), DetectError::Unrecognized, "{text}");
    }
}

fn detected(text: &str) -> Result<&'static str, DetectError> {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    detect(&document).map(|(format, _)| format.name)
}

/// The specifications require neither `$schema` nor `manifest_version`.
#[test]
fn a_valid_document_without_a_marker_is_what_it_is_valid_as() {
    let server = r#"{"name": "io.github.ann/notes", "description": "Notes.", "version": "1.0.0"}"#;
    let oldest = r#"{"name": "io.github.ann/notes", "description": "Notes.",
        "version_detail": {"version": "1.0.0"}}"#;
    let bundle = r#"{"name": "notes", "version": "1.0.0", "description": "Notes.",
        "author": {"name": "Ann"}, "server": {"type": "uv", "entry_point": "main.py"}}"#;
    let answer = r#"{"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}"#;
    for (text, format) in [
        (server, "server-json"),
        (oldest, "server-json"),
        (bundle, "mcpb"),
        (answer, "tool-list"),
        (r#"{"capabilities": []}"#, "capability"),
    ] {
        assert_eq!(detected(text), Ok(format), "{text}");
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let format = toolglot::format(format).unwrap();
        assert!((format.detect)(document.root()).is_none(), "{text} has a marker");
        let (_, detection) = detect(&document).unwrap();
        assert_eq!(detection.evidence, ["it resembles this format most", "it is valid"]);
    }
}

/// With one error more, the same documents are described as before.
#[test]
fn an_invalid_document_without_a_marker_is_only_near() {
    for (text, format) in [
        (r#"{"name": "io.github.ann/notes", "description": "", "version": "1"}"#, "server-json"),
        (r#"{"name": "io.github.ann/notes", "description": "Notes."}"#, "server-json"),
    ] {
        match detected(text) {
            Err(DetectError::Near(near)) => assert_eq!(near.format, format, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

/// An empty list of tools is valid as both, and other members hide the markers.
#[test]
fn what_two_formats_accept_is_ambiguous() {
    let both = DetectError::Ambiguous(vec!["tools-json", "tool-list"]);
    assert_eq!(detected(r#"{"tools": [], "manifest_version": "0.1"}"#), Err(both));
}

/// These have the required members of a `server.json`, whose documents may have any others.
#[test]
fn a_look_alike_that_an_open_format_accepts_is_named() {
    let composer = r#"{"name": "acme/widget", "description": "Widgets.", "version": "1.0.0",
        "require": {"php": ">=8.1"}}"#;
    let block = r#"{"$schema": "https://schemas.wp.org/trunk/block.json", "apiVersion": 3,
        "name": "acme/notice", "title": "Notice", "version": "1.0.0", "description": "A notice."}"#;
    for text in [composer, block] {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let format = toolglot::format("server-json").unwrap();
        assert!(format.validate(&document, &ValidateOptions::default()).is_valid(), "{text}");
        let found = detected(text);
        assert!(matches!(found, Err(DetectError::LookAlike(_))), "{text}: {found:?}");
    }
}

/// Documents of others that programs find beside manifests.
#[test]
fn documents_of_others_are_not_detected() {
    for text in [
        r#"{"openapi": "3.1.0", "info": {"title": "Notes", "version": "1.0.0"}, "paths": {}}"#,
        r#"{"name": "notes", "version": "1.0.0", "description": "Notes.", "scripts": {}}"#,
        r#"{"name": "@ann/notes", "version": "1.0.0", "description": "Notes."}"#,
        r#"{"mcpServers": {"notes": {"command": "notes", "args": []}}}"#,
        r#"{"servers": {"notes": {"type": "http", "url": "https://notes.example/mcp"}}}"#,
        r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}"#,
        r#"{"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}}, "serverInfo": {"name": "notes", "version": "1"}}}"#,
    ] {
        assert!(detected(text).is_err(), "{text}");
    }
}
