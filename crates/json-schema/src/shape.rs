//! Checks that the value of a keyword has the shape that its dialect requires.

use super::Dialect;
use super::keywords::Shape;
use super::uri;
use json_text::{Kind, Node};

const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// Up to this many strings are compared in pairs, without a copy.
const MAX_PAIRWISE: usize = 16;

/// Returns the invalid value and the expectation, or `None` if the value fits. Does not
/// look into subschemas.
pub(super) fn mismatch(
    value: Node<'_>,
    shape: Shape,
    dialect: Dialect,
) -> Option<(Node<'_>, &'static str)> {
    let expect = |fits: bool, expected| (!fits).then_some((value, expected));
    let kind = value.kind();
    let text = || value.text();
    match shape {
        // A value that is not a schema is reported when the subschema is read.
        Shape::Any | Shape::Schema | Shape::SchemaOrBool => None,
        Shape::Bool => expect(kind == Kind::Bool, "a boolean"),
        Shape::String => expect(kind == Kind::String, "a string"),
        Shape::Uri => expect(text().is_some_and(|t| uri::is_absolute(&t)), "a URI"),
        Shape::UriReference => {
            expect(text().is_some_and(|t| uri::is_reference(&t)), "a URI reference")
        }
        Shape::Id => expect(
            text().is_some_and(|t| uri::is_reference(&t) && uri::split_fragment(&t).1.is_empty()),
            "a URI reference without a fragment",
        ),
        Shape::Anchor => {
            expect(text().is_some_and(|t| is_anchor(&t, dialect)), "the name of an anchor")
        }
        Shape::Number => expect(kind == Kind::Number, "a number"),
        Shape::Positive => {
            expect(value.number().is_some_and(|n| n.is_positive()), "a number greater than zero")
        }
        Shape::Count => expect(is_count(value, dialect), "an integer that is not negative"),
        Shape::Array => expect(kind == Kind::Array, "an array"),
        Shape::Type => type_mismatch(value),
        Shape::Strings => strings_mismatch(value),
        Shape::NonEmptyStrings => expect(value.elements().count() > 0, "an array of names")
            .or_else(|| strings_mismatch(value)),
        Shape::StringsByName => expect(kind == Kind::Object, "an object of arrays of names")
            .or_else(|| value.members().find_map(|m| strings_mismatch(m.value))),
        Shape::BoolsByName => expect(
            kind == Kind::Object && value.members().all(|m| m.value.bool().is_some()),
            "an object of booleans",
        ),
        Shape::Schemas => expect(value.elements().count() > 0, "an array of at least one schema"),
        Shape::SchemaOrSchemas => expect(
            kind != Kind::Array || value.elements().count() > 0,
            "a schema, or an array of at least one",
        ),
        Shape::SchemasByName => expect(kind == Kind::Object, "an object of schemas"),
        Shape::SchemasOrStringsByName => {
            let names =
                if dialect == Dialect::Draft4 { Shape::NonEmptyStrings } else { Shape::Strings };
            expect(kind == Kind::Object, "an object of schemas and arrays of names").or_else(|| {
                value
                    .members()
                    .filter(|member| member.value.is_array())
                    .find_map(|member| mismatch(member.value, names, dialect))
            })
        }
    }
}

/// draft-04 does not accept `2.0` as an integer.
fn is_count(value: Node<'_>, dialect: Dialect) -> bool {
    let plain = dialect > Dialect::Draft4 || !value.raw().contains(['.', 'e', 'E']);
    plain && value.number().is_some_and(|n| n.is_integer() && (n.is_positive() || n == 0.into()))
}

fn is_anchor(text: &str, dialect: Dialect) -> bool {
    let older = dialect == Dialect::Draft201909;
    let first = |c: char| c.is_ascii_alphabetic() || (c == '_' && !older);
    let rest = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c) || (c == ':' && older);
    text.starts_with(first) && text.chars().all(rest)
}

fn type_mismatch(value: Node<'_>) -> Option<(Node<'_>, &'static str)> {
    let is_type = |node: Node<'_>| node.text().is_some_and(|t| TYPES.contains(&t.as_ref()));
    if !value.is_array() {
        return (!is_type(value)).then_some((value, "the name of a type"));
    }
    if let Some(wrong) = value.elements().find(|element| !is_type(*element)) {
        return Some((wrong, "the name of a type"));
    }
    let empty = value.elements().next().is_none();
    let empty = empty.then_some((value, "at least one type"));
    empty.or_else(|| strings_mismatch(value))
}

fn strings_mismatch(value: Node<'_>) -> Option<(Node<'_>, &'static str)> {
    if !value.is_array() {
        return Some((value, "an array of names"));
    }
    if let Some(wrong) = value.elements().find(|e| e.kind() != Kind::String) {
        return Some((wrong, "a string"));
    }
    find_duplicate(value).map(|second| (second, "a name that is not in the array already"))
}

/// Returns a string that equals an earlier one.
fn find_duplicate(array: Node<'_>) -> Option<Node<'_>> {
    if array.elements().count() <= MAX_PAIRWISE {
        return array.elements().enumerate().find_map(|(index, element)| {
            let mut before = array.elements().take(index);
            before.any(|b| b.text() == element.text()).then_some(element)
        });
    }
    let mut sorted: Vec<_> = array.elements().map(|e| (e.text(), e)).collect();
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    let pairs = sorted.iter().zip(sorted.iter().skip(1));
    pairs.filter(|(a, b)| a.0 == b.0).map(|(_, b)| b.1).min_by_key(|node| node.span().start)
}
