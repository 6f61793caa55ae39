//! Schemas of the kind that most are, which need no further look.

use crate::Limits;
use crate::json::{Kind, Node};

/// Whether a schema uses only keywords that refer to nothing, repeat nothing and
/// run nothing, each with a value that it takes.
///
/// Such a schema has nothing that the guard could object to, in any dialect that
/// a schema without `$schema` can be in. `false` says nothing: the guard decides.
pub(super) fn is_plain(schema: Node<'_>, limits: &Limits) -> bool {
    let mut pending = vec![(schema, 0)];
    let mut count = 0;
    while let Some((schema, depth)) = pending.pop() {
        count += 1;
        if !schema.is_object() || depth > limits.schema_depth || count > limits.subschemas {
            return false;
        }
        for member in schema.members() {
            let value = member.value;
            let name = member.name();
            let plain = match name.as_ref() {
                "type" => is_type(value),
                "description" | "title" | "format" | "$comment" => value.kind() == Kind::String,
                "default" => true,
                "enum" => value.is_array() && value.elements().next().is_some(),
                "required" => are_different_strings(value),
                "minimum" | "maximum" => value.kind() == Kind::Number,
                "minLength" | "maxLength" | "minItems" | "maxItems" => is_count(value),
                "properties" => {
                    pending.extend(value.members().map(|member| (member.value, depth + 1)));
                    value.is_object()
                }
                "additionalProperties" | "items" if value.is_object() => {
                    pending.push((value, depth + 1));
                    true
                }
                "additionalProperties" => value.bool().is_some(),
                name => name.starts_with("x-"),
            };
            if !plain {
                return false;
            }
        }
    }
    true
}

fn is_type(node: Node<'_>) -> bool {
    node.text().is_some_and(|name| {
        matches!(
            name.as_ref(),
            "string" | "object" | "array" | "number" | "integer" | "boolean" | "null"
        )
    })
}

fn is_count(node: Node<'_>) -> bool {
    node.kind() == Kind::Number && node.raw().bytes().all(|b| b.is_ascii_digit())
}

/// Whether a value is a short list of strings, no two the same.
fn are_different_strings(node: Node<'_>) -> bool {
    let count = node.elements().count();
    let fresh = |(index, element): (usize, Node<'_>)| {
        let text = element.text();
        text.is_some() && !node.elements().take(index).any(|earlier| earlier.text() == text)
    };
    node.is_array() && (1..=16).contains(&count) && node.elements().enumerate().all(fresh)
}
