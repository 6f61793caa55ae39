//! The types of values that pass from step to step.

use crate::jsonpath::Query;
use manifest_core::json::Node;

const TYPES: [&str; 7] = ["null", "boolean", "object", "array", "number", "string", "integer"];

/// Returns the types that a schema allows, as a set of bits. Returns all types if it has no
/// `type`.
pub(super) fn allowed_types(schema: Option<Node<'_>>) -> u8 {
    let Some(found) = schema.and_then(|schema| schema.get("type")) else { return u8::MAX };
    let bit = |node: Node<'_>| {
        let name = node.text()?;
        let index = TYPES.iter().position(|known| *known == name)?;
        // An integer is a number, and a number may be an integer.
        Some(if index >= 6 { 1 << 4 } else { 1 << index })
    };
    match bit(found) {
        Some(one) => one,
        None if found.is_array() => {
            found.elements().filter_map(bit).reduce(|a, b| a | b).unwrap_or(u8::MAX)
        }
        None => u8::MAX,
    }
}

/// Returns the names of the types in a set.
pub(super) fn type_names(set: u8) -> String {
    let names = TYPES.iter().take(6).enumerate();
    let names: Vec<_> = names.filter(|(i, _)| set & (1 << i) != 0).map(|(_, name)| *name).collect();
    names.join(" or ")
}

/// Returns the schema of the value that a mapping selects, as far as `properties` lead
/// there. The first name is skipped, because `schema` describes its value.
pub(super) fn schema_at<'s>(schema: Node<'s>, query: &Query) -> Option<Node<'s>> {
    let mut rest = query.as_str().strip_prefix('$')?.strip_prefix('.')?.split('.');
    let plain = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    rest.next().filter(|first| plain(first))?;
    rest.try_fold(schema, |schema, name| {
        schema.get("properties").filter(|_| plain(name))?.get(name)
    })
}
