//! Random schemas, and random values to try on them.

use serde_json::{Map, Value, json};
use testkit::Rng;

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

pub(crate) fn instance(rng: &mut Rng, depth: usize) -> Value {
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

/// An object with the members that schemas talk of.
pub(crate) fn object(rng: &mut Rng, depth: usize) -> Value {
    let entries = (0..rng.below(5))
        .map(|_| (rng.word(&["a", "b", "c", "c", "d"]).to_owned(), instance(rng, depth)));
    Value::Object(entries.collect())
}

pub(crate) fn schema(rng: &mut Rng, depth: usize) -> Value {
    if rng.once_in(12) {
        return json!(!rng.once_in(3));
    }
    let mut schema = Map::new();
    for _ in 0..=rng.below(4) {
        let (name, value) = keyword(rng, depth);
        schema.insert(name.to_owned(), value);
    }
    if schema.contains_key("contains") && rng.once_in(2) {
        let name = rng.word(&["minContains", "maxContains"]);
        schema.insert(name.to_owned(), count(rng));
    }
    Value::Object(schema)
}

/// A schema of little else than what is said of elements.
pub(crate) fn of_elements(rng: &mut Rng) -> Value {
    let mut schema = Map::new();
    schema.insert("contains".to_owned(), self::schema(rng, 0));
    for _ in 0..=rng.below(2) {
        let (name, value) = match rng.below(6) {
            0..=2 => ("minContains", count(rng)),
            3 => ("maxContains", count(rng)),
            4 => ("unevaluatedItems", self::schema(rng, 0)),
            _ => ("prefixItems", schemas(rng, 0)),
        };
        schema.insert(name.to_owned(), value);
    }
    schema.into()
}

/// A schema that declares members of a member, in two places.
pub(crate) fn of_members(rng: &mut Rng) -> Value {
    let inside = |rng: &mut Rng| {
        let leaf = if rng.once_in(2) { json!({}) } else { schema(rng, 0) };
        json!({"properties": { rng.word(NAMES): leaf }})
    };
    let mut schema = json!({"properties": {"a": inside(rng)}});
    let other = inside(rng);
    let deep = json!({"properties": {"a": other}});
    let part = if rng.once_in(3) { other.clone() } else { deep };
    let (name, value) = match rng.below(8) {
        0 => ("anyOf", json!([part, {}])),
        1 => ("oneOf", json!([part, {"required": [rng.word(NAMES)]}])),
        2 => ("dependentSchemas", json!({ rng.word(NAMES): part })),
        3 => ("patternProperties", json!({"^a": other})),
        4 => ("not", json!({"not": part})),
        5 => ("unevaluatedProperties", other),
        6 => ("if", part),
        _ => {
            schema["if"] = json!({"required": [rng.word(NAMES)]});
            (["then", "else"][rng.below(2)], part)
        }
    };
    schema[name] = value;
    schema
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

fn some_names(rng: &mut Rng) -> Value {
    let mut names: Vec<&str> = (0..rng.below(3)).map(|_| rng.word(NAMES)).collect();
    names.sort_unstable();
    names.dedup();
    json!(names)
}

fn keyword(rng: &mut Rng, depth: usize) -> (&'static str, Value) {
    const TYPES: &[&str] =
        &["null", "boolean", "integer", "number", "string", "array", "object", "object"];
    if depth > 0 && rng.once_in(2) {
        let depth = depth - 1;
        return match rng.below(16) {
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
            10 => (["if", "if", "then", "else"][rng.below(4)], schema(rng, depth)),
            11 => ("contains", schema(rng, depth)),
            12 => ("patternProperties", json!({ rng.word(&["^a", "b"]): schema(rng, depth) })),
            13 => ("dependentSchemas", json!({ rng.word(NAMES): schema(rng, depth) })),
            14 => (["unevaluatedProperties", "unevaluatedItems"][rng.below(2)], schema(rng, depth)),
            _ if rng.once_in(2) => ("propertyNames", json!({ "enum": some_names(rng) })),
            _ => ("propertyNames", schema(rng, depth)),
        };
    }
    match rng.below(20) {
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
        14 | 15 => ("required", some_names(rng)),
        16 => ("pattern", json!(rng.word(&["^a", "b$", ""]))),
        17 => ("$ref", json!("#/$defs/a")),
        18 => (["minContains", "maxContains"][rng.below(2)], count(rng)),
        _ if rng.once_in(4) => ("dependencies", json!({ rng.word(NAMES): [rng.word(NAMES)] })),
        _ => ("dependentRequired", json!({ rng.word(NAMES): [rng.word(NAMES)] })),
    }
}

/// A schema that differs from another in a place or two.
pub(crate) fn mutated(rng: &mut Rng, schema: &Value, depth: usize) -> Value {
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

/// The dialects that schemas are written in; the first goes without saying.
const DIALECTS: &[&str] = &[
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-07/schema#",
];

/// The dialects of two schemas: most of the time, both have the usual one.
pub(crate) fn dialects(rng: &mut Rng) -> (usize, usize) {
    let old = if rng.once_in(4) { rng.below(DIALECTS.len()) } else { 0 };
    (old, if rng.once_in(5) { rng.below(DIALECTS.len()) } else { old })
}

/// A schema of a dialect, with a part that others refer to.
pub(crate) fn with_parts(schema: Value, part: &Value, dialect: usize) -> Value {
    match schema {
        Value::Object(mut members) => {
            members.insert("$defs".to_owned(), json!({ "a": part }));
            if dialect > 0 {
                members.insert("$schema".to_owned(), json!(DIALECTS[dialect]));
            }
            members.into()
        }
        other => other,
    }
}

/// The schema in the words of an older dialect, where that has others for the same.
pub(crate) fn in_words_of(dialect: usize, schema: Value) -> Value {
    let Value::Object(members) = schema else { return schema };
    let mut renamed = Map::new();
    for (name, value) in members {
        let value = match (name.as_str(), value) {
            ("properties" | "patternProperties" | "dependentSchemas", Value::Object(members)) => {
                let inside = |(name, value)| (name, in_words_of(dialect, value));
                members.into_iter().map(inside).collect()
            }
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(list)) => {
                list.into_iter().map(|value| in_words_of(dialect, value)).collect()
            }
            ("enum" | "const" | "dependentRequired" | "dependencies", value) => value,
            (_, value) => in_words_of(dialect, value),
        };
        renamed.insert(name, value);
    }
    if dialect > 0
        && let Some(first) = renamed.remove("prefixItems")
        && let Some(rest) = renamed.insert("items".to_owned(), first)
    {
        renamed.insert("additionalItems".to_owned(), rest);
    }
    if dialect > 1 {
        for name in ["dependentRequired", "dependentSchemas"] {
            if let Some(value) = renamed.remove(name) {
                renamed.insert("dependencies".to_owned(), value);
            }
        }
    }
    renamed.into()
}
