//! Schemas of Gemini in the words of JSON Schema.

use json_text::{Document, Limits};
use providers::{from_gemini_schema, to_gemini_schema};
use serde_json::{Value, json};

fn read(text: &str) -> Value {
    let document = Document::parse(text.as_bytes(), Limits::default()).unwrap();
    serde_json::from_str(from_gemini_schema(document.root()).as_str()).unwrap()
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

/// What a schema becomes that is to say something else.
fn edited(was: &str, now: &Value) -> Option<String> {
    let now = now.to_string();
    let [was, now] =
        [was, &now].map(|text| Document::parse(text.as_bytes(), Limits::default()).unwrap());
    to_gemini_schema(was.root(), now.root()).map(|schema| schema.as_str().to_owned())
}

#[test]
fn an_edit_is_made_in_the_words_that_were_there() {
    let was = r##"{"type":"OBJECT","properties":{
        "a":{"type":"string","nullable":true,"enum":["x"],"minLength":"1","nobody":1},
        "r":{"ref":"#/defs/Pet","nullable":true},
        "u":{"any_of":[{"type":"STRING"},{"type":"NUMBER"}],"nullable":true,"example":3},
        "n":{"type":"TYPE_UNSPECIFIED","nullable":false}},
        "defs":{"Pet":{"type":"STRING"}},"required":["a"],"propertyOrdering":["a"]}"##;
    let all: Value = read(was);
    // What says the same already stays as it is.
    let same = edited(was, &all).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&same).unwrap(),
        serde_json::from_str::<Value>(was).unwrap()
    );
    let mut wanted: Value = serde_json::from_str(was).unwrap();
    let mut now = all.clone();
    // A value, in the spelling that it had.
    now["properties"]["a"]["minLength"] = json!(2);
    wanted["properties"]["a"]["minLength"] = json!("2");
    now["properties"]["a"]["enum"] = json!(["x", "y", null]);
    wanted["properties"]["a"]["enum"] = json!(["x", "y"]);
    // Nothing but a text any more.
    now["properties"]["u"] = json!({"anyOf": [{"type": "string"}], "examples": ["s"]});
    wanted["properties"]["u"] = json!({"any_of": [{"type": "STRING"}], "example": "s"});
    now["properties"]["r"]["anyOf"][0]["$ref"] = json!("#/$defs/Dog");
    wanted["properties"]["r"]["ref"] = json!("#/defs/Dog");
    now["$defs"]["Dog"] = json!({"type": ["integer", "null"]});
    wanted["defs"]["Dog"] = json!({"type": "INTEGER", "nullable": true});
    now["properties"]["n"]["type"] = json!(["boolean", "null"]);
    wanted["properties"]["n"] = json!({"type": "BOOLEAN", "nullable": true});
    now["properties"]["new"] = json!({"type": "array", "items": {"type": "number"}, "maxItems": 2});
    wanted["properties"]["new"] =
        json!({"type": "ARRAY", "items": {"type": "NUMBER"}, "maxItems": 2});
    let made = edited(was, &now).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&made).unwrap(), wanted);
    // What is gone is gone.
    let mut less = all.clone();
    less.as_object_mut().unwrap().remove("required");
    less["properties"].as_object_mut().unwrap().remove("u");
    let made: Value = serde_json::from_str(&edited(was, &less).unwrap()).unwrap();
    assert!(made.get("required").is_none() && made["properties"].get("u").is_none());
}

/// The fields of a schema of Gemini are these and no others: one that it does not know refuses the
/// request.
#[test]
fn what_gemini_has_no_words_for_is_no_edit() {
    let was = r#"{"type":"OBJECT","properties":{"a":{"type":"STRING"}}}"#;
    for part in [
        json!({"type": ["string", "integer"]}),
        json!({"type": "string", "const": "x"}),
        json!({"oneOf": [{"type": "string"}]}),
        json!({"type": "integer", "enum": [1, 2]}),
        json!({"type": "string", "examples": ["a", "b"]}),
        json!({"type": "array", "items": true}),
        json!({"type": "string", "x-note": 1}),
        json!(true),
    ] {
        let now = json!({"type": "object", "properties": {"a": part}});
        assert_eq!(edited(was, &now), None, "{now}");
    }
}
