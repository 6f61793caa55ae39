//! A fast path for plain schemas, the most common kind.

use crate::Limits;
use json_text::{Kind, Node};

/// Returns true if a schema uses only simple keywords with valid values: no references, no
/// patterns, no alternatives.
///
/// Such a schema always passes the guard. It has no `$schema`, so its dialect is the
/// default one. If this returns false, the guard decides.
pub(super) fn is_plain(schema: Node<'_>, limits: &Limits) -> bool {
    let mut room = limits.subschemas;
    is_plain_below(schema, limits.schema_depth.min(MAX_DEPTH), &mut room)
}

/// The maximum nesting. Deeper schemas are left to the guard, which does not recurse.
const MAX_DEPTH: usize = 32;

/// Checks a schema with `depth` levels and `room` subschemas left.
fn is_plain_below(schema: Node<'_>, depth: usize, room: &mut usize) -> bool {
    let Some(left) = room.checked_sub(1).filter(|_| schema.is_object()) else {
        return false;
    };
    *room = left;
    let mut below = |schema: Node<'_>| depth > 0 && is_plain_below(schema, depth - 1, room);
    schema.members().all(|member| {
        let value = member.value;
        // A name with escapes may be any keyword.
        let Some(name) = member.key.plain_bytes() else { return false };
        match name {
            b"type" => is_type(value),
            b"description" | b"title" | b"format" | b"$comment" => value.kind() == Kind::String,
            b"default" => true,
            b"enum" => value.is_array() && value.elements().next().is_some(),
            b"required" => are_different_strings(value),
            b"minimum" | b"maximum" => value.kind() == Kind::Number,
            b"minLength" | b"maxLength" | b"minItems" | b"maxItems" => is_count(value),
            b"properties" => value.is_object() && value.members().all(|member| below(member.value)),
            b"additionalProperties" | b"items" if value.is_object() => below(value),
            b"additionalProperties" => value.bool().is_some(),
            name => name.starts_with(b"x-"),
        }
    })
}

fn is_type(node: Node<'_>) -> bool {
    matches!(
        node.plain_bytes(),
        Some(b"string" | b"object" | b"array" | b"number" | b"integer" | b"boolean" | b"null")
    )
}

fn is_count(node: Node<'_>) -> bool {
    node.kind() == Kind::Number && node.raw_bytes().iter().all(u8::is_ascii_digit)
}

/// Returns true for an array of at most 16 strings, all different.
fn are_different_strings(node: Node<'_>) -> bool {
    let mut count = 0;
    node.is_array()
        && node.elements().all(|element| {
            let text = element.plain_bytes();
            let mut earlier = node.elements().take(count);
            count += 1;
            count <= 16 && text.is_some() && !earlier.any(|other| other.plain_bytes() == text)
        })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may panic

    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::super::guard;
    use super::*;
    use json_text::Document;

    /// Values that are valid for some keywords and invalid for others.
    const VALUES: &str = r##"[null, true, false, 0, 1, -1, 1.0, 0.5, 1e3, "", "string", "object",
        "strnig", "a\u0000b", [], {}, ["string"], ["a", "b"], ["a", "a"], [1, "a"],
        {"type": "string"}, {"type": 1}, {"$ref": "#"}]"##;

    fn value() -> impl Strategy<Value = Value> {
        prop::sample::select(serde_json::from_str::<Vec<Value>>(VALUES).unwrap())
    }

    const KEYWORDS: &str = "type type description title format $comment default enum required \
        minimum maximum minLength maxLength minItems maxItems properties additionalProperties items \
        x-note pattern $ref $id allOf not const multipleOf dependentRequired $schema $anchor";

    fn keyword() -> impl Strategy<Value = &'static str> {
        prop::sample::select(KEYWORDS.split(' ').collect::<Vec<_>>())
    }

    fn schema() -> impl Strategy<Value = Value> {
        let leaf = prop::collection::vec((keyword(), value()), 0..3);
        let leaf = leaf.prop_map(|members| object(members.into_iter()));
        leaf.prop_recursive(3, 24, 3, |inner| {
            let properties = prop::collection::vec(("[ab$]{1,2}", inner.clone()), 0..3);
            let properties = properties.prop_map(|list| object(list.into_iter()));
            let part = prop_oneof![
                (keyword(), value()),
                (Just("type"), Just(json!("object"))),
                (Just("properties"), properties),
                (Just("items"), inner.clone()),
                (Just("additionalProperties"), inner),
            ];
            prop::collection::vec(part, 0..4).prop_map(|members| object(members.into_iter()))
        })
    }

    fn object<K: Into<String>>(members: impl Iterator<Item = (K, Value)>) -> Value {
        Value::Object(members.map(|(name, value)| (name.into(), value)).collect::<Map<_, _>>())
    }

    /// `is_plain` accepts only schemas that the guard accepts.
    #[test]
    fn a_plain_schema_passes_the_guard() {
        let limits = Limits::default();
        let plain = std::cell::Cell::new(0);
        let cases = ProptestConfig { cases: 8_000, ..ProptestConfig::default() };
        proptest!(cases, |(schema in schema())| {
            let text = schema.to_string();
            let document = Document::parse(text.as_bytes(), json_text::Limits::default()).unwrap();
            if is_plain(document.root(), &limits) {
                plain.set(plain.get() + 1);
                prop_assert!(guard::graph(document.root(), &limits).is_ok(), "{}", text);
            }
        });
        assert!(plain.get() > 500, "only {} schemas were plain", plain.get());
    }

    #[test]
    fn limits_are_limits_in_plain_schemas_too() {
        let deep =
            |depth: usize| format!("{}{{}}{}", "{\"items\":".repeat(depth), "}".repeat(depth));
        let limits = Limits { schema_depth: 8, subschemas: 16, ..Limits::default() };
        for depth in 0..20 {
            let text = deep(depth);
            let document = Document::parse(text.as_bytes(), json_text::Limits::default()).unwrap();
            let allowed = guard::graph(document.root(), &limits).is_ok();
            assert!(!is_plain(document.root(), &limits) || allowed, "{text}");
        }
        for count in 10..20 {
            let names: Vec<String> = (0..count).map(|index| format!("\"{index}\":{{}}")).collect();
            let text = format!("{{\"properties\":{{{}}}}}", names.join(","));
            let document = Document::parse(text.as_bytes(), json_text::Limits::default()).unwrap();
            let allowed = guard::graph(document.root(), &limits).is_ok();
            assert_eq!(is_plain(document.root(), &limits), allowed, "{text}");
        }
    }
}
