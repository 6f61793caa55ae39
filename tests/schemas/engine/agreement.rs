//! Random schemas: the guard must say what the meta-schemas say, and a schema
//! that is compiled flat must mean what it meant.

use json_schema::Limits;
use json_schema::Schema;
use json_text::Document;
use jsonschema::Draft;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use toolglot_tests::random;

/// Any small value.
fn anything() -> impl Strategy<Value = Value> {
    let scalar = prop::sample::select(vec![
        json!(null),
        json!(true),
        json!(false),
        json!(-1),
        json!(0),
        json!(1),
        json!(2),
        json!(2.0),
        json!(0.5),
        json!(""),
        json!("a"),
        json!("b"),
        json!("string"),
        json!("object"),
    ]);
    scalar.prop_recursive(3, 12, 3, |inner| {
        let name = prop::sample::select(vec!["a", "b", "c", "type"]);
        let object = prop::collection::vec((name, inner.clone()), 0..3);
        prop_oneof![
            prop::collection::vec(inner, 0..3).prop_map(Value::Array),
            object.prop_map(|members| members
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect::<Map<_, _>>()
                .into()),
        ]
    })
}

const NUMBERS: &[&str] =
    &["maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf"];
const COUNTS: &[&str] = &[
    "maxLength",
    "minLength",
    "maxItems",
    "minItems",
    "maxProperties",
    "minProperties",
    "maxContains",
    "minContains",
];
const TEXTS: &[&str] = &["title", "description", "format", "$comment"];
const FLAGS: &[&str] = &["uniqueItems", "readOnly", "writeOnly", "deprecated"];
const SCHEMAS: &[&str] = &[
    "not",
    "if",
    "then",
    "else",
    "contains",
    "items",
    "additionalItems",
    "additionalProperties",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
];
const LISTS: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems", "items"];
const MAPS: &[&str] = &["properties", "definitions", "$defs", "dependentSchemas", "dependencies"];

const TYPES: &[&str] = &["string", "number", "object", "array", "null", "integer", "boolean"];
// Not the empty reference: the engine alone takes it for no reference at all.
const REFERENCES: &[&str] = &["#", "#/definitions/a", "#/definitions/b", "http://x/y", "#c"];

fn pick(names: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::sample::select(names).prop_map(ToOwned::to_owned)
}

/// A keyword with a value that mostly fits.
fn keyword(
    inner: impl Strategy<Value = Value> + Clone + 'static,
) -> impl Strategy<Value = (String, Value)> {
    let name = || prop::sample::select(vec!["a", "b", "c"]);
    let names = prop::collection::vec(name(), 0..3).prop_map(|names| json!(names));
    let map = prop::collection::vec((name(), inner.clone()), 0..3);
    let map = map
        .prop_map(|m| m.into_iter().map(|(k, v)| (k.to_owned(), v)).collect::<Map<_, _>>().into());
    let by_name = prop::collection::vec((name(), names.clone()), 0..3)
        .prop_map(|m| m.into_iter().map(|(k, v)| (k.to_owned(), v)).collect::<Map<_, _>>().into());
    let patterns = inner.clone().prop_map(|schema| json!({ "^[a-b]$": schema }));
    let anything = anything().boxed();
    let value =
        |names: &[&'static str]| prop::sample::select(names.to_vec()).prop_map(|text| json!(text));
    let good = prop_oneof![
        1 => (pick(NUMBERS), prop::sample::select(vec![json!(1), json!(0), json!(2.5)])),
        1 => (pick(COUNTS), (0..4).prop_map(|n| json!(n))),
        1 => (pick(TEXTS), value(&["a"])),
        1 => (pick(FLAGS), any::<bool>().prop_map(Value::Bool)),
        4 => (pick(SCHEMAS), inner.clone()),
        2 => (pick(LISTS), prop::collection::vec(inner, 0..3).prop_map(Value::Array)),
        4 => (pick(MAPS), map),
        1 => (pick(&["patternProperties"]), patterns),
        1 => (pick(&["required", "type", "enum", "examples"]), names),
        1 => (pick(&["dependentRequired", "dependencies"]), by_name),
        2 => (pick(&["type"]), value(TYPES)),
        1 => (pick(&["type"]), prop::collection::vec(value(TYPES), 0..3).prop_map(Value::Array)),
        1 => (pick(&["const", "default"]), anything.clone()),
        1 => (pick(&["enum"]), prop::collection::vec(anything.clone(), 0..3).prop_map(Value::Array)),
        1 => (pick(&["pattern"]), value(&["^a+$"])),
        2 => (pick(&["$ref", "$dynamicRef"]), value(REFERENCES)),
        1 => (pick(&["$id"]), value(&["http://x/y", "z", "z#", "z#f", "#c"])),
        1 => (pick(&["$anchor", "$dynamicAnchor"]), value(&["c", "1c", "_c", "c:d"])),
    ];
    let bad = prop_oneof![
        pick(NUMBERS),
        pick(COUNTS),
        pick(TEXTS),
        pick(FLAGS),
        pick(SCHEMAS),
        pick(LISTS),
        pick(MAPS),
        pick(&[
            "required",
            "type",
            "enum",
            "dependentRequired",
            "$anchor",
            "$vocabulary",
            "patternProperties"
        ]),
    ];
    prop_oneof![12 => good, 1 => (bad, anything)]
}

fn a_schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({})),
        Just(json!({"type": "string"})),
        any::<bool>().prop_map(Value::Bool)
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let members = prop::collection::vec(keyword(inner.boxed()), 0..4);
        members.prop_map(|members| members.into_iter().collect::<Map<_, _>>().into())
    })
}

/// A schema whose root names its dialect.
fn in_dialect(schema: &Value, uri: &str) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(members) = &mut schema {
        members.insert("$schema".to_owned(), json!(uri));
    }
    schema
}

fn compare(schema: &Value, draft: Draft, instances: &[Value]) {
    let limits = Limits::default();
    let text = schema.to_string();
    let document = Document::parse(text.as_bytes(), json_text::Limits::default()).unwrap();
    let found = json_schema::check(document.root(), limits);
    let ours = !found.iter().any(|d| d.rule.code == "schema/invalid");
    let theirs = match draft {
        Draft::Draft4 => jsonschema::draft4::meta::is_valid(schema),
        Draft::Draft6 => jsonschema::draft6::meta::is_valid(schema),
        Draft::Draft7 => jsonschema::draft7::meta::is_valid(schema),
        Draft::Draft201909 => jsonschema::draft201909::meta::is_valid(schema),
        _ => jsonschema::draft202012::meta::is_valid(schema),
    };
    assert_eq!(ours, theirs, "{text}\n{found:?}");
    if !found.is_empty() {
        assert!(Schema::compile(document.root(), limits).is_err());
        return;
    }
    let flat = Schema::compile(document.root(), limits);
    let flat = flat.unwrap_or_else(|d| panic!("{text}: {d:?}"));
    // The engine alone looks for references where the dialect has none. We only
    // show it what is flat.
    let confused = text.contains("http://x/y")
        || (draft != Draft::Draft202012 && text.contains("$dynamicRef"));
    if confused {
        return;
    }
    // A base has no fragment (RFC 3986, 5.1). The engine alone does not find the
    // root below the fragment of its own id; nothing here refers to it.
    let based = serde_json::from_str(&text.replace("\"z#f\"", "\"z\"")).unwrap();
    let direct = jsonschema::options()
        .with_draft(draft)
        .offline()
        .should_validate_formats(false)
        .build(&based)
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    for instance in instances {
        let text_of = instance.to_string();
        let value = Document::parse(text_of.as_bytes(), json_text::Limits::default()).unwrap();
        let outcome = flat.validate(value.root()).unwrap();
        assert_eq!(outcome.is_valid(), direct.is_valid(instance), "{text} on {text_of}");
        let filled = flat.fill_defaults(value.root()).unwrap();
        Document::parse(filled.as_bytes(), json_text::Limits::default()).unwrap();
    }
}

proptest! {
    #![proptest_config(random(1_000))]

    /// Row S23 of the catalogue of attacks.
    #[test]
    fn agreement(schema in a_schema(), instances in prop::collection::vec(anything(), 4)) {
        compare(&schema, Draft::Draft202012, &instances);
        let dialects = [
            ("http://json-schema.org/draft-04/schema#", Draft::Draft4),
            ("http://json-schema.org/draft-06/schema#", Draft::Draft6),
            ("http://json-schema.org/draft-07/schema#", Draft::Draft7),
            ("https://json-schema.org/draft/2019-09/schema", Draft::Draft201909),
        ];
        if schema.is_object() {
            for (uri, draft) in dialects {
                compare(&in_dialect(&schema, uri), draft, &instances);
            }
        }
    }

    /// Row S22 of the catalogue of attacks.
    #[test]
    fn agreement_on_uris(text in "[a0:/?#@%2.~!é\\\\\"<|^ \\[\\]-]{0,8}", host in any::<bool>()) {
        let text = if host { format!("http://{text}") } else { text };
        let draft7 = "http://json-schema.org/draft-07/schema#";
        compare(&json!({ "$schema": draft7, "$id": text }), Draft::Draft7, &[]);
        compare(&json!({ "$schema": draft7, "$ref": text }), Draft::Draft7, &[]);
    }
}

/// A root whose id has a fragment is found by its base.
#[test]
fn agreement_on_ids_with_fragments() {
    let schema = json!({ "$id": "z#f", "type": "object", "additionalProperties": { "$ref": "#" } });
    let instances = [json!({}), json!({ "a": {} }), json!({ "a": 1 }), json!({ "a": { "b": 1 } })];
    for (uri, draft) in [
        ("http://json-schema.org/draft-06/schema#", Draft::Draft6),
        ("http://json-schema.org/draft-07/schema#", Draft::Draft7),
    ] {
        compare(&in_dialect(&schema, uri), draft, &instances);
    }
}
