//! The types of values that pass from step to step.

use crate::jsonpath::Query;
use manifest_core::json::Node;

const TYPES: [&str; 7] = ["null", "boolean", "object", "array", "number", "string", "integer"];

/// Returns the types that a schema allows, as a set of bits. Returns all types if it has no
/// `type`.
pub(super) fn allowed_types(schema: Option<Node<'_>>) -> u8 {
    let Some(schema) = schema else { return u8::MAX };
    let Some(declared) = schema.get("type") else { return u8::MAX };
    let mut types = type_bit(declared);
    for element in declared.elements() {
        types |= type_bit(element);
    }
    if types == 0 { u8::MAX } else { types }
}

/// Returns the bit of a type's name, and zero for anything else.
fn type_bit(name: Node<'_>) -> u8 {
    let Some(name) = name.text() else { return 0 };
    match TYPES.iter().position(|known| *known == name) {
        // An integer is a number, and a number may be an integer.
        Some(6) => 1 << 4,
        Some(index) => 1 << index,
        None => 0,
    }
}

/// Returns the names of the types in a set.
pub(super) fn type_names(set: u8) -> String {
    let mut names = Vec::new();
    for (index, name) in TYPES.iter().take(6).enumerate() {
        if set & (1 << index) != 0 {
            names.push(*name);
        }
    }
    names.join(" or ")
}

/// Returns the schema of the value that a mapping selects, as far as `properties` lead
/// there. The first name is skipped, because `schema` describes its value.
pub(super) fn schema_at<'s>(schema: Node<'s>, query: &Query) -> Option<Node<'s>> {
    let names = query.as_str().strip_prefix('$')?.strip_prefix('.')?;
    let mut found = schema;
    for (index, name) in names.split('.').enumerate() {
        if !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return None;
        }
        if index > 0 {
            found = found.get("properties")?.get(name)?;
        }
    }
    Some(found)
}
