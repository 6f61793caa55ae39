//! The reference's answers, one file of them: its registry, what it sends to
//! the provider, and its first error.

use manifest_core::path::PathStyle;
use manifest_core::{Limits, Profile, ValidateOptions, json::Document};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tools_json::{Location, Manifest};

/// Texts that the reference reads although they have no single meaning.
const AMBIGUOUS: [&str; 2] = ["root/duplicate-tools-key-last-wins", "root/duplicate-name-key"];

fn registry(manifest: &Manifest<'_>) -> Value {
    let location =
        Location { directory: "/DIR", path_style: PathStyle::Posix, allow_absolute: true };
    let mut registry = Map::new();
    for tool in &manifest.tools {
        let mut entry = json!({"name": tool.name, "command": tool.resolve(&location).unwrap()});
        if let Some(description) = tool.description.as_deref().filter(|text| !text.is_empty()) {
            entry["description"] = json!(description);
        }
        if let Some(schema) = &tool.schema {
            entry["schema"] = serde_json::from_str(schema.as_str()).unwrap();
        }
        if let Some(seconds) = tool.timeout_sec.filter(|seconds| *seconds != 0) {
            entry["timeoutSec"] = json!(seconds);
        }
        let names = tool.env_names();
        if !names.is_empty() {
            entry["envPassthrough"] = json!(names);
        }
        registry.insert(tool.name.clone().into_owned(), entry);
    }
    Value::Object(registry)
}

/// Numbers as the file of answers has them, which was written in JavaScript.
fn rounded(value: Value) -> Value {
    match value {
        Value::Number(number) if number.as_i64() == Some(i64::MAX) => {
            json!(9_223_372_036_854_776_000_u64)
        }
        Value::Array(items) => items.into_iter().map(rounded).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, value)| (name, rounded(value))).collect()
        }
        value => value,
    }
}

#[test]
fn every_answer_is_the_reference_s() {
    let cases = include_str!("../../../fixtures/tools-json/tools-json.load.jsonl");
    let mut wrong = Vec::new();
    for case in cases.lines() {
        let case: Value = serde_json::from_str(case).unwrap();
        let name = case["name"].as_str().unwrap();
        let input = case["input"].as_str().unwrap();
        let document = Document::parse(input.as_bytes(), &Limits::default());
        let Ok(document) = document else {
            assert!(AMBIGUOUS.contains(&name), "{name}");
            continue;
        };
        let options = ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() };
        let ours = match tools_json::load(&document, &options) {
            Ok(manifest) => {
                let tools = manifest.openai_tools();
                let tools = if tools.is_empty() { Value::Null } else { json!(tools) };
                json!({"registry": rounded(registry(&manifest)), "openai_tools": tools})
            }
            Err(report) => json!({"error": report.diagnostics[0].message}),
        };
        let mut theirs = case.clone();
        theirs.as_object_mut().unwrap().retain(|key, _| !["name", "input"].contains(&key.as_str()));
        let theirs: Value =
            serde_json::from_str(&theirs.to_string().replace("<DIR>", "/DIR")).unwrap();
        if ours != theirs {
            wrong.push(format!("{name}\n  {input}\n  ours   {ours}\n  theirs {theirs}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The order of members and the spelling of numbers, which values do not show.
#[test]
fn schemas_are_sent_as_they_are_written() {
    let text = br#"{"tools": [
        {"name": "b", "description": "", "schema": {"b" : 1e2, "a":"\u0041<"}, "command": ["/x"]},
        {"name": "a", "description": "d", "schema": null, "command": ["/x"]},
        {"name": "c", "command": ["/x"]}
    ]}"#;
    let document = Document::parse(text, &Limits::default()).unwrap();
    let options = ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() };
    let manifest = tools_json::load(&document, &options).unwrap();
    assert_eq!(
        serde_json::to_string(&manifest.openai_tools()).unwrap(),
        concat!(
            r#"[{"type":"function","function":{"name":"b","parameters":{"b" : 1e2, "a":"\u0041<"}}},"#,
            r#"{"type":"function","function":{"name":"a","description":"d","parameters":null}},"#,
            r#"{"type":"function","function":{"name":"c"}}]"#,
        )
    );
}

/// Wrong types, in the words of the reference, the first in the text first.
#[test]
fn wrong_types_have_the_decoder_s_words() {
    for (input, error) in [
        ("[]", "array into Go value of type tools.Manifest"),
        ("5", "number into Go value of type tools.Manifest"),
        (r#"{"tools":[5]}"#, "number into Go struct field Manifest.tools of type tools.ToolSpec"),
        (
            r#"{"TOOLS":[{"TimeoutSec":"5","name":1}]}"#,
            "string into Go struct field ToolSpec.tools.timeoutSec of type int",
        ),
        (
            r#"{"tools":[{"name":"x","command":["/a",{}]}]}"#,
            "object into Go struct field ToolSpec.tools.command of type string",
        ),
        (
            r#"{"tools":[{"timeoutSec":9223372036854775808}]}"#,
            "number 9223372036854775808 into Go struct field ToolSpec.tools.timeoutSec of type int",
        ),
    ] {
        let document = Document::parse(input.as_bytes(), &Limits::default()).unwrap();
        let options = ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() };
        let report = tools_json::load(&document, &options).unwrap_err();
        let expected = format!("parse manifest: json: cannot unmarshal {error}");
        assert_eq!(report.diagnostics[0].message, expected, "{input}");
    }
}

#[test]
fn capabilities_are_listed_by_name() {
    let text = br#"{"tools": [
        {"name": "img_create", "description": "makes images", "command": ["/x"]},
        {"name": "btool", "description": "b \u001b[2J", "command": ["/x"]},
        {"name": "atool", "command": ["/x"]}
    ]}"#;
    let document = Document::parse(text, &Limits::default()).unwrap();
    assert_eq!(
        Manifest::read(&document).capabilities(),
        "Capabilities (enabled tools):\n\
         - atool: \n\
         - btool: b \\u{1b}[2J\n\
         - img_create: makes images [WARNING: makes outbound network calls and can save files]\n"
    );
}

/// Texts that are not JSON, in the words of Go's scanner.
#[test]
fn what_is_not_json_has_the_scanner_s_words() {
    for (input, error) in [
        ("", "unexpected end of JSON input"),
        (" \n", "unexpected end of JSON input"),
        ("{", "unexpected end of JSON input"),
        ("[1", "unexpected end of JSON input"),
        (r#"{"a"#, "unexpected end of JSON input"),
        (r#"{"a":"#, "unexpected end of JSON input"),
        ("\u{feff}{}", "invalid character 'ï' looking for beginning of value"),
        ("//c", "invalid character '/' looking for beginning of value"),
        ("'a'", r"invalid character '\'' looking for beginning of value"),
        ("[1,]", "invalid character ']' looking for beginning of value"),
        (r#"[1 "a"]"#, r#"invalid character '"' after array element"#),
        ("{a:1}", "invalid character 'a' looking for beginning of object key string"),
        (r#"{"a":1,}"#, "invalid character '}' looking for beginning of object key string"),
        (r#"{"a" 1}"#, "invalid character '1' after object key"),
        (r#"{"a":1 2}"#, "invalid character '2' after object key:value pair"),
        ("{} x", "invalid character 'x' after top-level value"),
        ("{}\0", r"invalid character '\x00' after top-level value"),
        ("01", "invalid character '1' after top-level value"),
        ("-", "invalid character ' ' in numeric literal"),
        ("-a", "invalid character 'a' in numeric literal"),
        ("1.", "invalid character ' ' after decimal point in numeric literal"),
        ("[1.]", "invalid character ']' after decimal point in numeric literal"),
        ("1e+", "invalid character ' ' in exponent of numeric literal"),
        ("tru", "invalid character ' ' in literal true (expecting 'e')"),
        ("nul]", "invalid character ']' in literal null (expecting 'l')"),
        ("False", "invalid character 'F' looking for beginning of value"),
        ("\"a\nb\"", r"invalid character '\n' in string literal"),
        (r#""\x""#, "invalid character 'x' in string escape code"),
        (r#""\u12g4""#, r"invalid character 'g' in \u hexadecimal character escape"),
    ] {
        let options = ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() };
        let refused = tools_json::parse(input.as_bytes(), &options).unwrap_err();
        assert_eq!(refused.message, format!("parse manifest: {error}"), "{input}");
    }
}

proptest! {
    /// Whatever is not JSON to us alone has other words than the scanner's.
    #[test]
    fn the_scanner_finds_fault_with_what_is_not_json(input in r#"[{}\[\],:"\\utrfalsn01.eE+ x-]{0,12}"#) {
        let options = ValidateOptions {
            profile: Profile::Reference,
            ..ValidateOptions::default()
        };
        let is_json = serde_json::from_str::<Value>(&input).is_ok();
        match tools_json::parse(input.as_bytes(), &options) {
            Ok(_) => prop_assert!(is_json),
            Err(refused) if is_json => prop_assert!(!refused.message.starts_with("parse manifest")),
            Err(refused) => {
                // The scanner takes lone surrogates and large exponents for JSON.
                let scanned = refused.message.starts_with("parse manifest");
                prop_assert!(scanned || input.contains("\\u") || input.contains(['e', 'E']));
            }
        }
    }
}
