//! Schemas compared by what they take: every claim is checked against the engine
//! that checks instances.
//!
//! More of the same, on demand: `TOOLGLOT_CASES=1000 cargo test --release
//! --all-features --test relation` runs a thousand times as many.
#![cfg(all(feature = "schema", feature = "testkit"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use manifest_core::compare::tools;
use manifest_core::json::{Document, Raw};
use manifest_core::schema::{Relation, Schema, relation};
use manifest_core::testkit::Rng;
use manifest_core::{Limits, ToolDescriptor};
use serde_json::{Map, Value, json};

fn related(old: &str, new: &str) -> Relation {
    let limits = Limits::default();
    let old = Document::parse(old.as_bytes(), &limits).unwrap();
    let new = Document::parse(new.as_bytes(), &limits).unwrap();
    relation(old.root(), new.root(), &limits)
}

fn reversed(relation: Relation) -> Relation {
    match relation {
        Relation::Narrower => Relation::Wider,
        Relation::Wider => Relation::Narrower,
        other => other,
    }
}

#[test]
fn what_can_be_decided() {
    use Relation::{Equal, Incomparable, Narrower, Undecided, Wider};
    let closed = r#"{"properties": {"a": {}}, "additionalProperties": false}"#;
    let rows: &[(&str, &str, Relation)] = &[
        // Spelling and texts mean nothing.
        ("{}", "true", Equal),
        (r#"{"minimum": 1, "title": "a"}"#, r#"{"title": "b", "minimum": 1.0}"#, Equal),
        (r#"{"required": ["a", "b"]}"#, r#"{"required": ["b", "a"]}"#, Equal),
        (r#"{"enum": [1, "a"]}"#, r#"{"enum": ["a", 1.0]}"#, Equal),
        (r#"{"const": {"a": 1}}"#, r#"{"enum": [{"a": 1e0}]}"#, Equal),
        // Types.
        (r#"{"type": "integer"}"#, r#"{"type": "number"}"#, Wider),
        (r#"{"type": ["number", "integer"]}"#, r#"{"type": "number"}"#, Equal),
        (r#"{"type": "string"}"#, r#"{"type": ["string", "null"]}"#, Wider),
        (r#"{"type": "string"}"#, r#"{"type": "number"}"#, Incomparable),
        (r#"{"type": "string"}"#, "false", Narrower),
        (r#"{"type": "number", "multipleOf": 1}"#, r#"{"type": "integer"}"#, Equal),
        // Numbers.
        (
            r#"{"type": "integer", "minimum": 1}"#,
            r#"{"type": "integer", "exclusiveMinimum": 0}"#,
            Equal,
        ),
        (
            r#"{"type": "number", "minimum": 1}"#,
            r#"{"type": "number", "exclusiveMinimum": 0}"#,
            Wider,
        ),
        (r#"{"type": "integer", "maximum": 10}"#, r#"{"type": "integer", "maximum": 5}"#, Narrower),
        (r#"{"multipleOf": 2}"#, r#"{"multipleOf": 6}"#, Narrower),
        (r#"{"multipleOf": 4}"#, r#"{"multipleOf": 6}"#, Incomparable),
        (
            r#"{"type": "integer", "multipleOf": 5, "maximum": 100}"#,
            r#"{"type": "integer", "multipleOf": 5, "maximum": 50}"#,
            Narrower,
        ),
        // Strings.
        (r#"{"type": "string", "maxLength": 9}"#, r#"{"type": "string"}"#, Wider),
        (r#"{"type": "string", "minLength": 0}"#, r#"{"type": "string"}"#, Equal),
        (r#"{"pattern": "^a"}"#, r#"{"pattern": "^b"}"#, Undecided),
        (r#"{"pattern": "^a"}"#, r#"{"pattern": "^a", "maxLength": 3}"#, Narrower),
        (r#"{"type": "string"}"#, r#"{"type": "string", "pattern": "^a"}"#, Narrower),
        // Values.
        (r#"{"enum": [1, 2]}"#, r#"{"enum": [1, 2, 3]}"#, Wider),
        (r#"{"enum": [1, 2]}"#, r#"{"type": "integer"}"#, Wider),
        (r#"{"enum": [1, "a", 9], "type": "integer", "maximum": 5}"#, r#"{"const": 1}"#, Equal),
        (r#"{"type": "boolean"}"#, r#"{"enum": [true, false]}"#, Equal),
        (r#"{"type": "string"}"#, r#"{"enum": ["a"]}"#, Narrower),
        // Objects.
        (r#"{"required": ["a"]}"#, r#"{"required": ["a", "b"]}"#, Narrower),
        ("{}", closed, Narrower),
        (closed, r#"{"properties": {"a": {}, "b": {}}, "additionalProperties": false}"#, Wider),
        (
            closed,
            r#"{"properties": {"a": {"type": "string"}}, "additionalProperties": false}"#,
            Narrower,
        ),
        (
            r#"{"properties": {"a": {"maximum": 1}}}"#,
            r#"{"properties": {"a": {"maximum": 2}, "b": {"maximum": 1}}}"#,
            Incomparable,
        ),
        (
            r#"{"additionalProperties": {"type": "integer"}}"#,
            r#"{"additionalProperties": {"type": "number"}}"#,
            Wider,
        ),
        (
            r#"{"additionalProperties": {"type": "string"}}"#,
            r#"{"properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "string"}}"#,
            Equal,
        ),
        // Arrays.
        (r#"{"items": {"type": "integer"}}"#, r#"{"items": {"type": "number"}}"#, Wider),
        (
            r#"{"items": {"type": "string"}, "maxItems": 3}"#,
            r#"{"items": {"type": "string"}, "maxItems": 2}"#,
            Narrower,
        ),
        (
            r#"{"prefixItems": [{"type": "string"}], "items": false}"#,
            r#"{"items": {"type": "string"}, "maxItems": 1}"#,
            Equal,
        ),
        (r#"{"type": "array"}"#, r#"{"type": "array", "uniqueItems": true}"#, Narrower),
        // Choices.
        (
            r#"{"type": ["string", "null"]}"#,
            r#"{"anyOf": [{"type": "null"}, {"type": "string"}]}"#,
            Equal,
        ),
        (r#"{"anyOf": [{"const": 1}, {"const": 2}]}"#, r#"{"enum": [1, 2]}"#, Equal),
        (
            r#"{"oneOf": [{"type": "string"}]}"#,
            r#"{"oneOf": [{"type": "string"}, {"type": "null"}]}"#,
            Wider,
        ),
        (
            r#"{"allOf": [{"minimum": 1}, {"maximum": 5}]}"#,
            r#"{"minimum": 1, "maximum": 5}"#,
            Equal,
        ),
        (
            r#"{"oneOf": [{"required": ["t"], "properties": {"t": {"const": "a"}}, "type": "object"}]}"#,
            r#"{"oneOf": [{"required": ["t"], "properties": {"t": {"const": "a"}}, "type": "object"},
                          {"required": ["t"], "properties": {"t": {"const": "b"}}, "type": "object"}]}"#,
            Wider,
        ),
        // References.
        (
            r##"{"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}"##,
            r#"{"type": "string"}"#,
            Equal,
        ),
        (
            r##"{"type": "object", "properties": {"next": {"$ref": "#"}, "n": {"minimum": 2}}}"##,
            r##"{"type": "object", "properties": {"next": {"$ref": "#"}, "n": {"minimum": 1}}}"##,
            Wider,
        ),
        (
            r##"{"type": "object", "properties": {"next": {"$ref": "#"}}, "additionalProperties": false}"##,
            r##"{"$ref": "#/$defs/n", "$defs": {"n": {"type": "object", "additionalProperties": false,
                "properties": {"next": {"$ref": "#/$defs/n"}}}}}"##,
            Equal,
        ),
        // What is not read further is the same, or not decided.
        (r#"{"not": {"type": "string"}}"#, r#"{"not": {"type": "string", "title": "t"}}"#, Equal),
        (r#"{"not": {"type": "string"}}"#, r#"{"not": {"type": "null"}}"#, Undecided),
        (r#"{"not": {"type": "string"}, "maxItems": 2}"#, r#"{"not": {"type": "string"}}"#, Wider),
        (
            r#"{"type": "string", "format": "uri"}"#,
            r#"{"type": "string", "format": "email"}"#,
            Undecided,
        ),
        (
            r#"{"patternProperties": {"^a": {"minimum": 1}}}"#,
            r#"{"patternProperties": {"^a": {"minimum": 0}}}"#,
            Undecided,
        ),
        // A schema that is refused.
        (r#"{"type": "strnig"}"#, r#"{"type": "string"}"#, Undecided),
        (r#"{"type": "strnig"}"#, r#"{"type": "strnig"}"#, Equal),
        (
            r#"{"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer"}"#,
            r#"{"type": "integer"}"#,
            Undecided,
        ),
    ];
    for (old, new, expected) in rows {
        assert_eq!(related(old, new), *expected, "{old} → {new}");
        assert_eq!(related(new, old), reversed(*expected), "{new} → {old}");
    }
}

const NAMES: &[&str] = &["a", "b", "c"];

fn scalar(rng: &mut Rng) -> Value {
    match rng.below(6) {
        0 => Value::Null,
        1 => json!(rng.once_in(2)),
        2 => json!([0.5, 1.5, 2.5, -0.5][rng.below(4)]),
        3 => json!(["", "a", "ab", "abc", "b"][rng.below(5)]),
        _ => json!(i32::try_from(rng.below(9)).unwrap() - 2),
    }
}

fn instance(rng: &mut Rng, depth: usize) -> Value {
    match rng.below(if depth == 0 { 2 } else { 4 }) {
        2 => (0..rng.below(4)).map(|_| instance(rng, depth - 1)).collect(),
        3 => {
            let entries = (0..rng.below(4))
                .map(|_| (rng.word(&["a", "b", "c", "d"]).to_owned(), instance(rng, depth - 1)));
            Value::Object(entries.collect())
        }
        _ => scalar(rng),
    }
}

fn schema(rng: &mut Rng, depth: usize) -> Value {
    if rng.once_in(12) {
        return json!(!rng.once_in(3));
    }
    let mut schema = Map::new();
    for _ in 0..=rng.below(4) {
        let (name, value) = keyword(rng, depth);
        schema.insert(name.to_owned(), value);
    }
    Value::Object(schema)
}

fn count(rng: &mut Rng) -> Value {
    json!(rng.below(4))
}

fn number(rng: &mut Rng) -> Value {
    json!([-1.0, 0.0, 0.5, 1.0, 2.0, 2.5, 3.0, 5.0][rng.below(8)])
}

fn schemas(rng: &mut Rng, depth: usize) -> Value {
    (0..=rng.below(3)).map(|_| schema(rng, depth)).collect()
}

fn keyword(rng: &mut Rng, depth: usize) -> (&'static str, Value) {
    const TYPES: &[&str] =
        &["null", "boolean", "integer", "number", "string", "array", "object", "object"];
    if depth > 0 && rng.once_in(2) {
        let depth = depth - 1;
        return match rng.below(14) {
            0..=2 => {
                let entries =
                    (0..=rng.below(3)).map(|_| (rng.word(NAMES).to_owned(), schema(rng, depth)));
                ("properties", Value::Object(entries.collect()))
            }
            3 => ("additionalProperties", schema(rng, depth)),
            4 => ("items", schema(rng, depth)),
            5 => ("prefixItems", schemas(rng, depth)),
            6 => ("allOf", schemas(rng, depth)),
            7 => ("anyOf", schemas(rng, depth)),
            8 => ("oneOf", schemas(rng, depth)),
            9 => ("not", schema(rng, depth)),
            10 => ("if", schema(rng, depth)),
            11 => ("contains", schema(rng, depth)),
            12 => ("patternProperties", json!({ rng.word(&["^a", "b"]): schema(rng, depth) })),
            _ => match rng.below(5) {
                0 => ("propertyNames", schema(rng, depth)),
                1 => ("unevaluatedProperties", schema(rng, depth)),
                2 => ("unevaluatedItems", schema(rng, depth)),
                3 => ("dependentSchemas", json!({ rng.word(NAMES): schema(rng, depth) })),
                _ => ("then", schema(rng, depth)),
            },
        };
    }
    match rng.below(19) {
        0..=2 => ("type", json!(rng.word(TYPES))),
        3 => {
            let mut types: Vec<&str> = (0..3).map(|_| rng.word(TYPES)).collect();
            types.sort_unstable();
            types.dedup();
            ("type", json!(types))
        }
        4 => ("enum", (0..4).map(|_| instance(rng, 1)).collect()),
        5 => ("const", instance(rng, 1)),
        6 => ("minimum", number(rng)),
        7 => ("maximum", number(rng)),
        8 => ("exclusiveMinimum", number(rng)),
        9 => ("exclusiveMaximum", number(rng)),
        10 => ("multipleOf", json!([1.0, 2.0, 0.5, 3.0, 1.5, 4.0][rng.below(6)])),
        11 => (["minLength", "minItems", "minProperties"][rng.below(3)], count(rng)),
        12 => (["maxLength", "maxItems", "maxProperties"][rng.below(3)], count(rng)),
        13 => ("uniqueItems", json!(true)),
        14 | 15 => {
            let mut names: Vec<&str> = (0..rng.below(3)).map(|_| rng.word(NAMES)).collect();
            names.sort_unstable();
            names.dedup();
            ("required", json!(names))
        }
        16 => ("pattern", json!(rng.word(&["^a", "b$", ""]))),
        17 => ("$ref", json!("#/$defs/a")),
        _ => ("dependentRequired", json!({ rng.word(NAMES): [rng.word(NAMES)] })),
    }
}

/// A schema that differs from another in a place or two.
fn mutated(rng: &mut Rng, schema: &Value, depth: usize) -> Value {
    match schema {
        Value::Object(members) if !rng.once_in(8) => {
            let mut members = members.clone();
            let names: Vec<String> = members.keys().cloned().collect();
            match rng.below(4) {
                0 => {
                    let (name, value) = keyword(rng, depth);
                    members.insert(name.to_owned(), value);
                }
                1 if !names.is_empty() => {
                    members.remove(&names[rng.below(names.len())]);
                }
                _ if !names.is_empty() => {
                    let name = &names[rng.below(names.len())];
                    let value = mutated_value(rng, name, &members[name], depth);
                    members.insert(name.clone(), value);
                }
                _ => {}
            }
            Value::Object(members)
        }
        _ => self::schema(rng, depth),
    }
}

fn mutated_value(rng: &mut Rng, name: &str, value: &Value, depth: usize) -> Value {
    let below = depth.saturating_sub(1);
    match (name, value) {
        ("properties" | "patternProperties" | "dependentSchemas", Value::Object(members)) => {
            let entries = members.iter().map(|(name, value)| {
                let same = rng.once_in(2);
                (name.clone(), if same { value.clone() } else { mutated(rng, value, below) })
            });
            Value::Object(entries.collect())
        }
        ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(list)) => {
            list.iter().map(|value| mutated(rng, value, below)).collect()
        }
        ("enum", Value::Array(list)) => {
            let mut list = list.clone();
            if rng.once_in(2) {
                list.push(instance(rng, 1));
            } else {
                list.truncate(2);
            }
            list.into()
        }
        (_, Value::Number(_)) if name != "multipleOf" && name != "const" => {
            json!(value.as_f64().unwrap() + [1.0, 2.0][rng.below(2)])
        }
        (_, Value::Object(_) | Value::Bool(_)) if name != "uniqueItems" && name != "const" => {
            mutated(rng, value, below)
        }
        _ => value.clone(),
    }
}

/// A schema with a part that others refer to.
fn with_parts(schema: Value, part: &Value) -> Value {
    match schema {
        Value::Object(mut members) => {
            members.insert("$defs".to_owned(), json!({ "a": part }));
            members.into()
        }
        other => other,
    }
}

#[test]
fn no_claim_is_wrong() {
    let times = std::env::var("TOOLGLOT_CASES").map_or(1, |times| times.parse().unwrap());
    let limits = Limits::default();
    let mut decided = [0_u64; 5];
    for seed in 0..3000 * times {
        let mut rng = Rng::new(seed);
        let old = schema(&mut rng, 2);
        let new = if rng.once_in(4) { schema(&mut rng, 2) } else { mutated(&mut rng, &old, 2) };
        let part = schema(&mut rng, 1);
        let other = if rng.once_in(2) { part.clone() } else { mutated(&mut rng, &part, 1) };
        let (old, new) = (with_parts(old, &part), with_parts(new, &other));
        let (old_text, new_text) = (old.to_string(), new.to_string());
        let old = Document::parse(old_text.as_bytes(), &limits).unwrap();
        let new = Document::parse(new_text.as_bytes(), &limits).unwrap();
        let found = relation(old.root(), new.root(), &limits);
        assert_eq!(
            relation(new.root(), old.root(), &limits),
            reversed(found),
            "{seed}: {old_text} → {new_text}"
        );
        decided[found as usize] += 1;
        let engines = (Schema::compile(old.root(), &limits), Schema::compile(new.root(), &limits));
        let (Ok(before), Ok(after)) = engines else { continue };
        if matches!(found, Relation::Undecided | Relation::Incomparable) {
            continue;
        }
        for _ in 0..60 {
            let text = instance(&mut rng, 2).to_string();
            let value = Document::parse(text.as_bytes(), &limits).unwrap();
            let (Ok(was), Ok(is)) = (before.validate(value.root()), after.validate(value.root()))
            else {
                continue;
            };
            let right = match found {
                Relation::Equal => was.is_valid() == is.is_valid(),
                Relation::Narrower => was.is_valid() || !is.is_valid(),
                Relation::Wider => is.is_valid() || !was.is_valid(),
                _ => true,
            };
            assert!(right, "{seed}: {found:?}: {text}\n{old_text}\n{new_text}");
        }
    }
    // Something was there to be checked.
    assert!(decided[..3].iter().all(|count| *count > 150), "{decided:?}");
    println!("equal, narrower, wider, incomparable, undecided: {decided:?}");
}

/// A schema without the keywords that look at the same value again, which cannot be
/// closed one by one.
fn plain(schema: Value) -> Value {
    const IN_PLACE: &[&str] = &[
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "then",
        "$ref",
        "$defs",
        "dependentSchemas",
        "unevaluatedProperties",
        "unevaluatedItems",
        "patternProperties",
        "enum",
        "const",
    ];
    walk(schema, &|members| members.retain(|name, _| !IN_PLACE.contains(&name.as_str())))
}

/// A schema whose objects have the members that they name, and no others.
fn closed(schema: Value) -> Value {
    let mut schema = walk(schema, &|members| {
        if members.contains_key("properties") {
            members.entry("additionalProperties").or_insert(json!(false));
        }
    });
    match &mut schema {
        Value::Object(members) => {
            members.entry("additionalProperties").or_insert(json!(false));
        }
        Value::Bool(true) => schema = json!({ "additionalProperties": false }),
        _ => {}
    }
    schema
}

/// Changes a schema and all that are inside.
fn walk(schema: Value, change: &dyn Fn(&mut Map<String, Value>)) -> Value {
    let Value::Object(mut members) = schema else { return schema };
    change(&mut members);
    for (name, value) in &mut members {
        let inside = value.take();
        *value = match (name.as_str(), inside) {
            ("properties", Value::Object(members)) => {
                members.into_iter().map(|(name, value)| (name, walk(value, change))).collect()
            }
            ("prefixItems", Value::Array(list)) => {
                list.into_iter().map(|value| walk(value, change)).collect()
            }
            ("items" | "additionalProperties" | "contains" | "propertyNames", value) => {
                walk(value, change)
            }
            (_, value) => value,
        };
    }
    members.into()
}

#[test]
fn what_is_declared_still_works_where_nothing_breaks() {
    let limits = Limits::default();
    let (mut safe, mut checked) = (0, 0);
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let old = plain(schema(&mut rng, 3));
        let new = plain(mutated(&mut rng, &old, 3));
        let tool = |schema: &Value, input: bool| {
            let schema = Raw::parse(&schema.to_string()).unwrap().into_owned();
            let (input, output) = if input { (Some(schema), None) } else { (None, Some(schema)) };
            ToolDescriptor { input_schema: input, output_schema: output, ..Default::default() }
        };
        for input in [true, false] {
            if !tools(&tool(&old, input), &tool(&new, input), &limits).is_upgrade_safe() {
                continue;
            }
            safe += 1;
            // What is sent goes by the old schema, what comes back by the new one.
            let (sent, taken) = if input { (&old, &new) } else { (&new, &old) };
            let (sent, taken) = (closed(sent.clone()).to_string(), taken.to_string());
            let documents =
                [&sent, &taken].map(|text| Document::parse(text.as_bytes(), &limits).unwrap());
            let [Ok(sent_by), Ok(taken_by)] =
                documents.each_ref().map(|document| Schema::compile(document.root(), &limits))
            else {
                continue;
            };
            for _ in 0..40 {
                let text = instance(&mut rng, 2).to_string();
                let value = Document::parse(text.as_bytes(), &limits).unwrap();
                if sent_by.validate(value.root()).is_ok_and(|found| found.is_valid()) {
                    checked += 1;
                    let found = taken_by.validate(value.root()).unwrap();
                    assert!(found.is_valid(), "{seed} {input}: {text}\n{sent}\n{taken}");
                }
            }
        }
    }
    assert!(safe > 500 && checked > 2000, "{safe} {checked}");
}

#[test]
fn hostile_schemas_take_bounded_work_on_a_small_stack() {
    let run = || {
        // Deep, wide, tangled: any answer is right, if it comes.
        let deep = |leaf: &str| {
            let (open, close) = (r#"{"properties":{"a":"#.repeat(60), "}}".repeat(60));
            format!("{open}{leaf}{close}")
        };
        related(&deep(r#"{"minimum":1}"#), &deep(r#"{"minimum":2}"#));
        let nested = |leaf: &str| {
            let (open, close) = (r#"{"anyOf":[{"type":"null"},"#.repeat(30), "]}".repeat(30));
            format!("{open}{leaf}{close}")
        };
        related(&nested(r#"{"minimum":1}"#), &nested(r#"{"minimum":2}"#));
        let wide = |n: usize, min: usize| {
            let members: Vec<String> =
                (0..n).map(|i| format!(r#""p{i}":{{"minimum":{min}}}"#)).collect();
            format!(r#"{{"properties":{{{}}}}}"#, members.join(","))
        };
        assert_eq!(related(&wide(2000, 2), &wide(2000, 1)), Relation::Wider);
        let choices = |min: usize| {
            let some = |at: usize| {
                let parts: Vec<String> =
                    (0..8).map(|i| format!(r#"{{"minimum":{min},"maxItems":{i}}}"#)).collect();
                format!(r#"{{"title":"{at}","anyOf":[{}]}}"#, parts.join(","))
            };
            let all: Vec<String> = (0..8).map(some).collect();
            format!(r#"{{"allOf":[{}]}}"#, all.join(","))
        };
        related(&choices(1), &choices(2));
        let tangled = |min: usize| {
            let defs: Vec<String> = (0..40)
                .map(|i| {
                    let members: Vec<String> =
                        (0..40).map(|j| format!(r##""m{j}":{{"$ref":"#/$defs/d{j}"}}"##)).collect();
                    format!(
                        r#""d{i}":{{"minimum":{min},"maxLength":{i},"properties":{{{}}}}}"#,
                        members.join(",")
                    )
                })
                .collect();
            format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{}}}}}"##, defs.join(","))
        };
        related(&tangled(1), &tangled(2));
        let list = |from: usize| {
            let values: Vec<String> = (from..from + 5000).map(|n| n.to_string()).collect();
            format!(r#"{{"enum":[{}]}}"#, values.join(","))
        };
        assert_eq!(related(&list(0), &list(1)), Relation::Incomparable);
    };
    std::thread::Builder::new().stack_size(512 << 10).spawn(run).unwrap().join().unwrap();
}
