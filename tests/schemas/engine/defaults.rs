//! Filling in defaults.

use super::compiled;
use json_text::Document;
use toolglot_tests::on_a_small_stack;

/// Schema, instance, and the instance with its defaults.
#[rustfmt::skip]
const DEFAULTS: &[(&str, &str, &str)] = &[
    (r#"{"properties":{"a":{"default":1e2}}}"#, "{}", r#"{"a": 1e2}"#),
    (r#"{"properties":{"a":{"default":1}}}"#, r#"{ "a" : null }"#, r#"{ "a" : null }"#),
    (r#"{"properties":{"a":{"default":1},"b":{"default":2}}}"#, r#"{ "c":0 }"#, r#"{ "c":0, "a": 1, "b": 2 }"#),
    (r#"{"properties":{"a":{"$ref":"\u0023/$defs/x"}},"$defs":{"x":{"default":[1, 2]}}}"#, "{}", r#"{"a": [1, 2]}"#),
    (r#"{"allOf":[{"properties":{"a":{"default":1}}},{"properties":{"a":{"default":2}}}]}"#, "{}", r#"{"a": 1}"#),
    (r#"{"properties":{"o":{"properties":{"a":{"default":true}}}}}"#, r#"{"o":{}}"#, r#"{"o":{"a": true}}"#),
    (r#"{"items":{"properties":{"a":{"default":1}}}}"#, r#"[{},{"a":2},3]"#, r#"[{"a": 1},{"a":2},3]"#),
    (r#"{"prefixItems":[{"properties":{"a":{"default":1}}}],"items":{"properties":{"b":{"default":2}}}}"#, "[{},{}]", r#"[{"a": 1},{"b": 2}]"#),
    (r#"{"properties":{"a":{"$ref":"\u0023","default":{}}}}"#, "{}", r#"{"a": {}}"#),
    (r#"{"anyOf":[{"properties":{"a":{"default":1}}}],"not":{"properties":{"a":{"default":1}}}}"#, "{}", "{}"),
    (r#"{"properties":{"o":{"properties":{"a":{"default":1}}},"z":{"default":2}}}"#, r#"{"o":{}}"#, r#"{"o":{"a": 1},"z": 2}"#),
    (r#"{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"\u0023/definitions/x","default":1}},"definitions":{"x":{}}}"#, "{}", "{}"),
    (r#"{"properties":{"a":{"default":1}}}"#, "[1]", "[1]"),
    ("true", "{}", "{}"),
];

#[test]
fn defaults_are_filled_in() {
    on_a_small_stack(|| {
        for (schema, instance, expected) in DEFAULTS {
            let document =
                Document::parse(instance.as_bytes(), json_text::Limits::default()).unwrap();
            let filled = compiled(schema).fill_defaults(document.root()).unwrap();
            assert_eq!(filled, *expected, "{schema}");
        }
        let fill = |schema: &str, instance: &str| {
            let document =
                Document::parse(instance.as_bytes(), json_text::Limits::default()).unwrap();
            compiled(schema).fill_defaults(document.root())
        };
        let long = format!(
            r#"{{"items":{{"properties":{{"a":{{"default":"{}"}}}}}}}}"#,
            "x".repeat(20_000)
        );
        let objects = format!("[{}{{}}]", "{},".repeat(60));
        assert_eq!(fill(&long, &objects).unwrap_err().rule.code, "schema/size");
        let many = format!("[{}{{}}]", "{},".repeat(60_000));
        assert_eq!(fill(&long, &many).unwrap_err().rule.code, "schema/fuel");
    });
}
