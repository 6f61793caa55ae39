//! Schemas of Gemini in the words of JSON Schema.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use json_text::{Document, Limits};
use providers::from_gemini;
use serde_json::{Value, json};

fn read(text: &str) -> Value {
    let document = Document::parse(text.as_bytes(), Limits::default()).unwrap();
    serde_json::from_str(from_gemini(document.root()).as_str()).unwrap()
}

#[test]
fn gemini_schemas_become_json_schemas() {
    let schema = read(
        r#"{"type":"OBJECT","properties":{
            "type":{"type":"STRING","nullable":true,"enum":["a"]},
            "l":{"type":"ARRAY","items":{"type":"INTEGER"},"minItems":"1"},
            "u":{"anyOf":[{"type":"STRING"},{"type":"NUMBER"}],"example":3}},
            "required":["l"],"propertyOrdering":["type","l","u"]}"#,
    );
    let expected = json!({"type":"object","properties":{
        "type":{"type":["string","null"],"enum":["a",null]},
        "l":{"type":"array","items":{"type":"integer"},"minItems":1},
        "u":{"anyOf":[{"type":"string"},{"type":"number"}],"examples":[3]}},
        "required":["l"],"propertyOrdering":["type","l","u"]});
    assert_eq!(schema, expected);
}

#[test]
fn gemini_may_be_spelled_in_two_ways() {
    let schema = read(
        r##"{"type":"OBJECT","defs":{"Pet":{"type":"STRING","min_length":"2"}},
            "properties":{"p":{"ref":"#/defs/Pet"},"q":{"ref":"#/defs/Pet","nullable":true},
            "u":{"any_of":[{"type":"STRING"},{"type":"NUMBER"}],"nullable":true},
            "n":{"type":"NULL","nullable":true},"e":{"type":"STRING","example":1,"examples":[2]},
            "b":{"type":"STRING","min_length":1,"minLength":2},
            "o":{"type":"OBJECT","additional_properties":{"type":"INTEGER"},"max_properties":3}}}"##,
    );
    let expected = json!({"type":"object","$defs":{"Pet":{"type":"string","minLength":2}},
        "properties":{"p":{"$ref":"#/$defs/Pet"},
        "q":{"anyOf":[{"$ref":"#/$defs/Pet"},{"type":"null"}]},
        "u":{"anyOf":[{"type":"string"},{"type":"number"},{"type":"null"}]},
        "n":{"type":"null"},"e":{"type":"string","example":1,"examples":[2]},
        "b":{"type":"string","min_length":1,"minLength":2},
        "o":{"type":"object","additionalProperties":{"type":"integer"},"maxProperties":3}}});
    assert_eq!(schema, expected);
}

/// What Gemini does not take is nobody's to guess at.
#[test]
fn what_is_of_another_kind_stays_what_it_is() {
    for count in [r#""x""#, r#""1},{""#, r#""""#, r#""01""#, "{}"] {
        let schema = read(&format!(r#"{{"anyOf":[{{"type":"ARRAY","minItems":{count}}}]}}"#));
        let count: Value = serde_json::from_str(count).unwrap();
        assert_eq!(schema["anyOf"], json!([{"type": "array", "minItems": count}]));
    }
    for text in [r#"{"type":["a"]}"#, r#"{"enum":"a","properties":[1],"anyOf":{}}"#, "7", "true"] {
        assert_eq!(read(text), serde_json::from_str::<Value>(text).unwrap());
    }
    // Nothing else tells that it may be null.
    assert_eq!(read(r#"{"nullable":true}"#), json!({"nullable": true}));
    assert_eq!(read(r#"{"nullable":false}"#), json!({}));
}
