//! What is known of the types of values that go from step to step.

use jsonpath::Query;
use manifest_core::json::Node;

const TYPES: [&str; 7] = ["null", "boolean", "object", "array", "number", "string", "integer"];

/// The types that a schema allows, as a set of bits; all of them when it does not
/// say.
pub(super) fn allowed(schema: Option<Node<'_>>) -> u8 {
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

/// The names of types in a set.
pub(super) fn names(set: u8) -> String {
    let names = TYPES.iter().take(6).enumerate();
    let names: Vec<_> = names.filter(|(i, _)| set & (1 << i) != 0).map(|(_, name)| *name).collect();
    names.join(" or ")
}

/// The schema of the place that a mapping takes its value from, as far as
/// `properties` lead there. The first name, whose value the schema describes, is
/// skipped.
pub(super) fn follow<'s>(schema: Node<'s>, query: &Query) -> Option<Node<'s>> {
    let mut rest = query.as_str().strip_prefix('$')?.strip_prefix('.')?.split('.');
    let plain = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    rest.next().filter(|first| plain(first))?;
    rest.try_fold(schema, |schema, name| {
        schema.get("properties").filter(|_| plain(name))?.get(name)
    })
}
