//! Rows of the attack catalogue that the guard decides: a schema, and the code
//! and place of what is wrong with it.

use super::{compiled, found, nested};
use json_schema::Limits;
use toolglot_tests::on_a_small_stack;

/// The row, the schema, and each diagnostic expected.
type Row = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const OK: &[(&str, &str)] = &[];

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // References out of the document.
    ("S01", r#"{"$ref":"file:///etc/passwd"}"#, &[("schema/remote-ref", "/$ref")]),
    ("S01", r#"{"$ref":"http://169.254.169.254/"}"#, &[("schema/remote-ref", "/$ref")]),
    ("S01", r#"{"$ref":"https://x/y.json"}"#, &[("schema/remote-ref", "/$ref")]),
    ("S01", r#"{"$ref":"../x.json"}"#, &[("schema/remote-ref", "/$ref")]),
    ("S01", r#"{"$ref":"urn:x"}"#, &[("schema/remote-ref", "/$ref")]),
    ("S01", r#"{"$ref":"//h/x"}"#, &[("schema/remote-ref", "/$ref")]),
    ("S01", r#"{"$ref":"FILE:///x"}"#, &[("schema/remote-ref", "/$ref")]),
    ("S01", r#"{"$ref":"?x"}"#, &[("schema/remote-ref", "/$ref")]),
    ("S01", r#"{"$ref":"\u002e./x"}"#, &[("schema/remote-ref", "/$ref")]),
    ("S01", r#"{"\u0024ref":"urn:x"}"#, &[("schema/remote-ref", "/$ref")]),
    ("S01", r#"{"$dynamicRef":"urn:x#a"}"#, &[("schema/remote-ref", "/$dynamicRef")]),
    ("S01", r#"{"properties":{"a":{"items":{"$ref":"x"}}}}"#, &[("schema/remote-ref", "/properties/a/items/$ref")]),
    ("S01", r#"{"$ref":"https://json-schema.org/draft/2020-12/schema"}"#, &[("schema/remote-ref", "/$ref")]),
    // Dialects and vocabularies.
    ("S02", r#"{"$schema":"http://127.0.0.1:9/m.json"}"#, &[("schema/dialect", "/$schema")]),
    ("S02", r#"{"$schema":"urn:unknown"}"#, &[("schema/dialect", "/$schema")]),
    ("S02", r#"{"$schema":5}"#, &[("schema/invalid", "/$schema")]),
    ("S02", r#"{"$vocabulary":{"urn:mine":true}}"#, &[("schema/dialect", "/$vocabulary/urn:mine")]),
    ("S02", r#"{"$vocabulary":{"https://json-schema.org/draft/2020-12/vocab/core":true}}"#, OK),
    ("S02", r#"{"items":{"$id":"x","$schema":"http://json-schema.org/draft-07/schema#"}}"#, &[("schema/dialect", "/items/$schema")]),
    // Older dialects keep their own meaning.
    ("S03", r#"{"$schema":"http://json-schema.org/draft-04/schema#","id":"x","minimum":1,"exclusiveMinimum":true}"#, OK),
    ("S03", r#"{"$schema":"http://json-schema.org/draft-04/schema#","exclusiveMinimum":true}"#, &[("schema/invalid", "/exclusiveMinimum")]),
    ("S03", r#"{"$schema":"http://json-schema.org/draft-04/schema#","items":true}"#, &[("schema/invalid", "/items")]),
    ("S03", r#"{"$schema":"http://json-schema.org/draft-04/schema#","additionalItems":true,"additionalProperties":false}"#, OK),
    ("S03", r#"{"$schema":"http://json-schema.org/draft-07/schema#","items":[{},{}],"dependencies":{"a":["b"],"c":{}}}"#, OK),
    ("S03", r#"{"items":[{}]}"#, &[("schema/invalid", "/items")]),
    ("S03", r#"{"exclusiveMinimum":true}"#, &[("schema/invalid", "/exclusiveMinimum")]),
    ("S03", r##"{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/a","definitions":{"a":{"$id":"#a"},"b":{"$ref":"#a"}}}"##, OK),
    // Cycles that stay at one value.
    ("S04", r##"{"$ref":"#"}"##, &[("schema/ref-cycle", "")]),
    ("S04", r#"{"$ref":""}"#, &[("schema/ref-cycle", "")]),
    ("S04", r##"{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##, &[("schema/ref-cycle", "/$defs/a")]),
    ("S04", r##"{"allOf":[{"$ref":"#"}]}"##, &[("schema/ref-cycle", "")]),
    ("S04", r##"{"not":{"$ref":"#"}}"##, &[("schema/ref-cycle", "")]),
    ("S04", r##"{"if":{"$ref":"#"}}"##, &[("schema/ref-cycle", "")]),
    ("S04", r##"{"dependentSchemas":{"a":{"$ref":"#"}}}"##, &[("schema/ref-cycle", "")]),
    ("S04", r##"{"$dynamicAnchor":"a","$dynamicRef":"#a"}"##, &[("schema/ref-cycle", "")]),
    // Recursion into the value is fine.
    ("S05", r##"{"properties":{"next":{"$ref":"#"}}}"##, OK),
    ("S05", r##"{"properties":{"children":{"items":{"$ref":"#"}}}}"##, OK),
    ("S05", r##"{"$dynamicAnchor":"n","properties":{"a":{"$dynamicRef":"#n"}}}"##, OK),
    // Only schemas are schemas.
    ("S13", "5", &[("schema/invalid", "")]),
    ("S13", r#""x""#, &[("schema/invalid", "")]),
    ("S13", "null", &[("schema/invalid", "")]),
    ("S13", "[]", &[("schema/invalid", "")]),
    ("S13", "true", OK),
    ("S14", r#"{"type":"strnig"}"#, &[("schema/invalid", "/type")]),
    ("S14", r#"{"type":5}"#, &[("schema/invalid", "/type")]),
    ("S14", r#"{"type":["string","null","string"]}"#, &[("schema/invalid", "/type/2")]),
    ("S14", r#"{"type":[]}"#, &[("schema/invalid", "/type")]),
    ("S14", r#"{"required":"a"}"#, &[("schema/invalid", "/required")]),
    ("S14", r#"{"required":["a","\u0061"]}"#, &[("schema/invalid", "/required/1")]),
    ("S14", r#"{"properties":[]}"#, &[("schema/invalid", "/properties")]),
    ("S14", r#"{"properties":{"a":1}}"#, &[("schema/invalid", "/properties/a")]),
    ("S14", r#"{"minLength":-1}"#, &[("schema/invalid", "/minLength")]),
    ("S14", r#"{"minLength":1.5}"#, &[("schema/invalid", "/minLength")]),
    ("S14", r#"{"minLength":2.0}"#, OK),
    ("S14", r#"{"$id":"::::"}"#, &[("schema/invalid", "/$id")]),
    ("S14", r#"{"$ref":5}"#, &[("schema/invalid", "/$ref")]),
    ("S14", r#"{"multipleOf":0}"#, &[("schema/invalid", "/multipleOf")]),
    ("S14", r#"{"allOf":[]}"#, &[("schema/invalid", "/allOf")]),
    ("S14", r#"{"x-unknown":{"type":5}}"#, OK),
    // Data is not a schema.
    ("S14", r#"{"enum":[{"type":5,"$ref":"urn:x"}],"const":{"$ref":5},"default":{"$id":1},"examples":[{"type":1}]}"#, OK),
    ("S14", r#"{"properties":{"$ref":{"type":"string"},"type":{},"properties":{"properties":{"$id":{}}}}}"#, OK),
    // Pointers and anchors.
    ("S16", r##"{"$defs":{"a/b":{}},"items":{"$ref":"#/$defs/a~1b"}}"##, OK),
    ("S16", r##"{"$defs":{"a%b":{}},"items":{"$ref":"#/$defs/a%25b"}}"##, OK),
    ("S16", r##"{"$defs":{"\u0000":{}},"items":{"$ref":"#/$defs/\u0000"}}"##, OK),
    ("S16", r##"{"$defs":{},"items":{"$ref":"#/$defs/\u0000"}}"##, &[("schema/ref-unresolved", "/items/$ref")]),
    ("S16", r##"{"items":{"$ref":"#anchor"}}"##, &[("schema/ref-unresolved", "/items/$ref")]),
    ("S16", r##"{"items":{"$ref":"#/a~2"}}"##, &[("schema/ref-unresolved", "/items/$ref")]),
    ("S16", r##"{"items":{"$ref":"#/%FF"}}"##, &[("schema/ref-unresolved", "/items/$ref")]),
    ("S16", r##"{"items":{"$ref":"#/enum/0"},"enum":[{"type":"string"}]}"##, OK),
    ("S16", r##"{"items":{"$ref":"#/enum/0"},"enum":["x"]}"##, &[("schema/invalid", "/enum/0")]),
    ("S16", r##"{"items":{"$ref":"#/enum/00"},"enum":[{}]}"##, &[("schema/ref-unresolved", "/items/$ref")]),
    ("S16", r##"{"items":{"$ref":"#/x/y"},"x":{"y":{"$ref":"urn:z"}}}"##, &[("schema/remote-ref", "/x/y/$ref")]),
    // Identifiers move the base, and nothing else.
    ("S17", r#"{"$id":"file:///a/b","$defs":{"c":{"$id":"c"}},"items":{"$ref":"c"}}"#, OK),
    ("S17", r#"{"$id":"file:///a/b","items":{"$ref":"c"}}"#, &[("schema/remote-ref", "/items/$ref")]),
    ("S17", r#"{"$id":"https://x/a","items":{"$id":"sub/","properties":{"p":{"$ref":"../a#/items"}}}}"#, OK),
    ("S17", r#"{"$id":"https://x/a","items":{"$ref":"https://x/a#/$defs/d"},"$defs":{"d":{}}}"#, OK),
    ("S18", r#"{"items":{"$id":"x"},"contains":{"$id":"./x"}}"#, &[("schema/duplicate-id", "/contains")]),
    ("S18", r#"{"items":{"$anchor":"x"},"contains":{"$anchor":"x"}}"#, &[("schema/duplicate-id", "/contains")]),
    ("S18", r#"{"items":{"$anchor":"x"},"contains":{"$id":"y","$anchor":"x"}}"#, OK),
    // A dynamic reference with two targets.
    ("dynamic", r##"{"$id":"a","$dynamicAnchor":"n","items":{"$id":"b","$dynamicAnchor":"n","items":{"$dynamicRef":"#n"}}}"##, &[("schema/dynamic-ref", "/items/items/$dynamicRef")]),
    // Patterns.
    ("S11", r#"{"pattern":"("}"#, &[("schema/pattern", "/pattern")]),
    ("S11", r#"{"pattern":"(?=x)"}"#, &[("schema/pattern", "/pattern")]),
    ("S11", r#"{"pattern":"(a)\\1"}"#, &[("schema/pattern", "/pattern")]),
    ("S11", r#"{"pattern":"(?i)a"}"#, &[("schema/pattern", "/pattern")]),
    ("S11", r#"{"pattern":"\\w{5000}"}"#, &[("schema/pattern", "/pattern")]),
    ("S11", r#"{"pattern":"a{1000}{1000}"}"#, &[("schema/pattern", "/pattern")]),
    ("S11", r#"{"pattern":"^(a+)+$"}"#, OK),
    ("S11", r#"{"patternProperties":{"[":{},"a":{}}}"#, &[("schema/pattern", "/patternProperties/[")]),
];

#[test]
fn every_row() {
    on_a_small_stack(|| {
        for (id, schema, expected) in ROWS {
            let found = found(schema, &Limits::default());
            let found: Vec<_> = found.iter().map(|(code, at)| (*code, at.as_str())).collect();
            assert_eq!(found, *expected, "{id} {schema}");
            if expected.is_empty() {
                compiled(schema);
            }
        }
    });
}

#[test]
fn long_and_many_patterns() {
    on_a_small_stack(|| {
        let limits = Limits::default();
        let long = format!(r#"{{"pattern":"{}"}}"#, "a".repeat(4097));
        assert_eq!(found(&long, &limits), [("schema/pattern", "/pattern".into())]);
        let deep = nested(65, "(", "a", ")");
        let deep = found(&format!(r#"{{"pattern":"{deep}"}}"#), &limits);
        assert_eq!(deep, [("schema/pattern", "/pattern".into())]);
    });
}

#[test]
fn diagnostics_are_capped() {
    let members: Vec<_> = (0..200).map(|n| format!(r#""p{n}":5"#)).collect();
    let schema = format!(r#"{{"properties":{{{}}}}}"#, members.join(","));
    assert_eq!(found(&schema, &Limits::default()).len(), 100);
}

#[test]
fn every_rule_is_listed_once() {
    let codes: Vec<_> = json_schema::rules::RULES.iter().map(|r| r.code).collect();
    assert!(codes.iter().all(|code| code.starts_with("schema/")));
    let mut unique = codes.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), codes.len());
}
