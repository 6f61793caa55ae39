//! The canonical text of a schema.

use std::borrow::Cow;

use super::Dialect;
use super::keywords::{self, Shape};
use json_text::{Kind, Node, quote};

/// The role of a value inside a schema.
#[derive(Clone, Copy, PartialEq)]
enum ValueRole {
    Schema,
    /// An array of schemas.
    Schemas,
    /// An object of schemas.
    Named,
    /// An array whose order has no meaning.
    Set,
    Data,
}

enum Task<'a> {
    Value(Node<'a>, ValueRole),
    Text(&'static str),
    Name(Cow<'a, str>),
}

/// Returns a schema in canonical form: the canonical form of the JSON value, with `type`,
/// `required` and `enum` sorted because their order has no meaning.
pub fn canonical(schema: Node<'_>) -> String {
    // A schema in an unknown dialect is written like one that names no dialect.
    let dialect = Dialect::of(schema).unwrap_or(Dialect::Draft202012);
    let mut out = String::with_capacity(schema.raw().len());
    let mut tasks = vec![Task::Value(schema, ValueRole::Schema)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Text(text) => out.push_str(text),
            Task::Name(name) => {
                out.push_str(&quote(&name));
                out.push(':');
            }
            Task::Value(node, place) => match (node.kind(), place) {
                (Kind::Object, ValueRole::Schema | ValueRole::Named) => {
                    out.push('{');
                    tasks.push(Task::Text("}"));
                    let mut members: Vec<_> = node.members().map(|m| (m.name(), m.value)).collect();
                    members.sort_by(|a, b| a.0.cmp(&b.0));
                    for (index, (name, value)) in members.into_iter().enumerate().rev() {
                        let inside = match place {
                            ValueRole::Named => ValueRole::Schema,
                            _ => inside(&name, value, dialect),
                        };
                        tasks.push(Task::Value(value, inside));
                        tasks.push(Task::Name(name));
                        if index > 0 {
                            tasks.push(Task::Text(","));
                        }
                    }
                }
                (Kind::Array, ValueRole::Schemas) => {
                    out.push('[');
                    tasks.push(Task::Text("]"));
                    let elements: Vec<_> = node.elements().collect();
                    for (index, element) in elements.into_iter().enumerate().rev() {
                        tasks.push(Task::Value(element, ValueRole::Schema));
                        if index > 0 {
                            tasks.push(Task::Text(","));
                        }
                    }
                }
                (Kind::Array, ValueRole::Set) => {
                    let mut values: Vec<_> = node.elements().map(json_text::canonical).collect();
                    values.sort_unstable();
                    out.push('[');
                    out.push_str(&values.join(","));
                    out.push(']');
                }
                _ => out.push_str(&json_text::canonical(node)),
            },
        }
    }
    out
}

/// Returns the role of a keyword's value.
fn inside(name: &str, value: Node<'_>, dialect: Dialect) -> ValueRole {
    let Some(keyword) = keywords::find(name, dialect) else {
        return ValueRole::Data;
    };
    match keyword.shape {
        Shape::Schemas => ValueRole::Schemas,
        Shape::SchemaOrSchemas if value.is_array() => ValueRole::Schemas,
        Shape::Schema | Shape::SchemaOrBool | Shape::SchemaOrSchemas => ValueRole::Schema,
        // `canonical` treats the lists of names in the last of these as data.
        Shape::SchemasByName | Shape::SchemasOrStringsByName => ValueRole::Named,
        Shape::Type | Shape::Strings | Shape::NonEmptyStrings => ValueRole::Set,
        _ if name == "enum" => ValueRole::Set,
        _ => ValueRole::Data,
    }
}
