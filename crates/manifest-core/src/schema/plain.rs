//! Schemas of the kind that most are, which need no further look.

use crate::Limits;
use crate::json::{Kind, Node};

/// Whether a schema uses only keywords that refer to nothing, repeat nothing and
/// run nothing, each with a value that it takes.
///
/// Such a schema has nothing that the guard could object to, in any dialect that
/// a schema without `$schema` can be in. `false` says nothing: the guard decides.
pub(super) fn is_plain(schema: Node<'_>, limits: &Limits) -> bool {
    let mut pending = Vec::with_capacity(8);
    pending.push((schema, 0));
    let mut count = 0;
    while let Some((schema, depth)) = pending.pop() {
        count += 1;
        if !schema.is_object() || depth > limits.schema_depth || count > limits.subschemas {
            return false;
        }
        for member in schema.members() {
            let value = member.value;
            let Some(name) = member.key.plain_text() else {
                return false;
            };
            let plain = match name {
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
    matches!(
        node.plain_text(),
        Some("string" | "object" | "array" | "number" | "integer" | "boolean" | "null")
    )
}

fn is_count(node: Node<'_>) -> bool {
    node.kind() == Kind::Number && node.raw().bytes().all(|b| b.is_ascii_digit())
}

/// Whether a value is a short list of strings, no two the same.
fn are_different_strings(node: Node<'_>) -> bool {
    let mut count = 0;
    node.is_array()
        && node.elements().all(|element| {
            let text = element.plain_text();
            let mut earlier = node.elements().take(count);
            count += 1;
            count <= 16 && text.is_some() && !earlier.any(|other| other.plain_text() == text)
        })
}
