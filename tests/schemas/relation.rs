//! Schemas compared by what they take: every claim is checked against the engine
//! that checks instances.
//!
//! More of the same, on demand: `TOOLGLOT_CASES=1000 cargo test --release
//! --test schemas relation` runs a thousand times as many.

#![allow(clippy::too_many_lines)] // tables of schemas

use json_schema::{Relation, Schema, relation};
use json_text::Document;
use manifest_core::Limits;
use testkit::Rng;
use toolglot_tests::{on_a_small_stack, times};

mod declared;
mod generate;

use generate::{dialects, in_words_of, instance, mutated, of_elements, schema, with_parts};

fn related(old: &str, new: &str) -> Relation {
    let limits = Limits::default();
    let old = Document::parse(old.as_bytes(), &Limits::default()).unwrap();
    let new = Document::parse(new.as_bytes(), &Limits::default()).unwrap();
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

#[test]
fn no_claim_is_wrong() {
    let limits = Limits::default();
    let mut decided = [0_u64; 5];
    for seed in 0..1500 * times() {
        let mut rng = Rng::new(seed);
        let old = if rng.once_in(6) { of_elements(&mut rng) } else { schema(&mut rng, 2) };
        let new = match rng.below(8) {
            0 | 1 => schema(&mut rng, 2),
            // The dialect may be another one.
            2 => old.clone(),
            _ => mutated(&mut rng, &old, 2),
        };
        let part = schema(&mut rng, 1);
        let other = if rng.once_in(2) { part.clone() } else { mutated(&mut rng, &part, 1) };
        let (was, is) = dialects(&mut rng);
        let respelt = rng.once_in(2);
        let words = |dialect, schema| if respelt { in_words_of(dialect, schema) } else { schema };
        let (part, other) = (words(was, part), words(is, other));
        let old = with_parts(words(was, old), &part, was);
        let new = with_parts(words(is, new), &other, is);
        let (old_text, new_text) = (old.to_string(), new.to_string());
        let old = Document::parse(old_text.as_bytes(), &Limits::default()).unwrap();
        let new = Document::parse(new_text.as_bytes(), &Limits::default()).unwrap();
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
            let value = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
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
    on_a_small_stack(run);
}
