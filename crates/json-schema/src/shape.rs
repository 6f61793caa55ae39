//! Checks that the value of a keyword has the shape that its dialect requires.

use std::collections::BTreeSet;

use super::Dialect;
use super::keywords::Shape;
use super::uri;
use json_text::{Kind, Node};

const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// Up to this many strings are compared in pairs, without a copy.
const MAX_PAIRWISE: usize = 16;

/// An invalid value, and the expectation.
type Mismatch<'a> = (Node<'a>, &'static str);

/// Returns the first invalid value, or `None` if the value fits. Does not look into
/// subschemas.
pub(super) fn mismatch(value: Node<'_>, shape: Shape, dialect: Dialect) -> Option<Mismatch<'_>> {
    let kind = value.kind();
    let is_text = |accepts: fn(&str) -> bool| value.text().is_some_and(|text| accepts(&text));
    let (fits, expected) = match shape {
        // A value that is not a schema is reported when the subschema is read.
        Shape::Any | Shape::Schema | Shape::SchemaOrBool => return None,
        Shape::Bool => (kind == Kind::Bool, "a boolean"),
        Shape::String => (kind == Kind::String, "a string"),
        Shape::Uri => (is_text(uri::is_absolute), "a URI"),
        Shape::UriReference => (is_text(uri::is_reference), "a URI reference"),
        Shape::Id => (is_text(is_id), "a URI reference without a fragment"),
        Shape::Anchor => {
            let fits = value.text().is_some_and(|text| is_anchor(&text, dialect));
            (fits, "the name of an anchor")
        }
        Shape::Number => (kind == Kind::Number, "a number"),
        Shape::Positive => {
            (value.number().is_some_and(|n| n.is_positive()), "a number greater than zero")
        }
        Shape::Count => (is_count(value, dialect), "an integer that is not negative"),
        Shape::Array => (kind == Kind::Array, "an array"),
        Shape::Type => return type_mismatch(value),
        Shape::Strings => return strings_mismatch(value),
        Shape::NonEmptyStrings if has_elements(value) => return strings_mismatch(value),
        Shape::NonEmptyStrings => (false, "an array of names"),
        Shape::StringsByName if kind == Kind::Object => {
            return value.members().find_map(|member| strings_mismatch(member.value));
        }
        Shape::StringsByName => (false, "an object of arrays of names"),
        Shape::BoolsByName => {
            let are_bools = value.members().all(|member| member.value.bool().is_some());
            (kind == Kind::Object && are_bools, "an object of booleans")
        }
        Shape::Schemas => (has_elements(value), "an array of at least one schema"),
        Shape::SchemaOrSchemas => {
            (kind != Kind::Array || has_elements(value), "a schema, or an array of at least one")
        }
        Shape::SchemasByName => (kind == Kind::Object, "an object of schemas"),
        Shape::SchemasOrStringsByName if kind == Kind::Object => {
            let is_old = dialect == Dialect::Draft4;
            let names = if is_old { Shape::NonEmptyStrings } else { Shape::Strings };
            let mut lists = value.members().map(|member| member.value).filter(|v| v.is_array());
            return lists.find_map(|list| mismatch(list, names, dialect));
        }
        Shape::SchemasOrStringsByName => (false, "an object of schemas and arrays of names"),
    };
    if fits { None } else { Some((value, expected)) }
}

fn has_elements(value: Node<'_>) -> bool {
    value.elements().next().is_some()
}

fn is_id(text: &str) -> bool {
    uri::is_reference(text) && uri::split_fragment(text).1.is_empty()
}

/// draft-04 does not accept `2.0` as an integer.
fn is_count(value: Node<'_>, dialect: Dialect) -> bool {
    let plain = dialect > Dialect::Draft4 || !value.raw().contains(['.', 'e', 'E']);
    plain && value.number().is_some_and(|n| n.is_integer() && (n.is_positive() || n == 0.into()))
}

fn is_anchor(text: &str, dialect: Dialect) -> bool {
    let is_old = dialect == Dialect::Draft201909;
    text.starts_with(|c: char| c.is_ascii_alphabetic() || (c == '_' && !is_old))
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-._".contains(c) || (c == ':' && is_old))
}

fn is_type(name: Node<'_>) -> bool {
    name.text().is_some_and(|name| TYPES.contains(&name.as_ref()))
}

fn type_mismatch(value: Node<'_>) -> Option<Mismatch<'_>> {
    if !value.is_array() {
        return if is_type(value) { None } else { Some((value, "the name of a type")) };
    }
    if let Some(wrong) = value.elements().find(|element| !is_type(*element)) {
        return Some((wrong, "the name of a type"));
    }
    if !has_elements(value) {
        return Some((value, "at least one type"));
    }
    strings_mismatch(value)
}

fn strings_mismatch(value: Node<'_>) -> Option<Mismatch<'_>> {
    if !value.is_array() {
        return Some((value, "an array of names"));
    }
    if let Some(wrong) = value.elements().find(|e| e.kind() != Kind::String) {
        return Some((wrong, "a string"));
    }
    Some((find_duplicate(value)?, "a name that is not in the array already"))
}

/// Returns the first string that equals an earlier one.
fn find_duplicate(array: Node<'_>) -> Option<Node<'_>> {
    if array.elements().count() <= MAX_PAIRWISE {
        for (index, element) in array.elements().enumerate() {
            let text = element.text();
            if array.elements().take(index).any(|earlier| earlier.text() == text) {
                return Some(element);
            }
        }
        return None;
    }
    let mut seen = BTreeSet::new();
    array.elements().find(|element| !seen.insert(element.text()))
}
