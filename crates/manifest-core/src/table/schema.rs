//! A table as JSON Schema.

use serde_json::{Map, Value, json};

use super::shape::required_by_all;
use super::{Branch, Condition, Object, Shape, Table, TextShape};

/// The dialect of generated schemas.
pub(crate) const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Returns the JSON Schema (2020-12) of a version. It requires the same as
/// [`check`](super::check()).
pub fn schema(table: &Table, version: u8) -> Value {
    let mut schema = object(table.root, version, None);
    put(&mut schema, "$schema", Some(DIALECT));
    if let Some(member) = table.version_member
        && let Some(name) = table.versions.get(usize::from(version))
        && let Some(stated) = schema.pointer_mut(&format!("/properties/{member}"))
    {
        *stated = json!({ "const": name });
    }
    schema
}

/// The recursion ends because tables are finite.
fn shape(shape: &Shape, version: u8) -> Value {
    match shape {
        Shape::Any => json!({}),
        Shape::Opaque => json!({ "type": "object" }),
        Shape::Bool => json!({ "type": "boolean" }),
        Shape::Integer { min, max } => number("integer", *min, *max),
        Shape::Number { min, max } => number("number", *min, *max),
        Shape::Text(text) => self::text(text),
        Shape::Enum(words) => json!({ "type": "string", "enum": words }),
        Shape::List { of, min, max } => {
            let mut schema = json!({ "type": "array", "items": self::shape(of, version) });
            put(&mut schema, "minItems", positive(*min));
            put(&mut schema, "maxItems", *max);
            schema
        }
        Shape::Map(of) => {
            json!({ "type": "object", "additionalProperties": self::shape(of, version) })
        }
        Shape::Object(shape) => object(shape, version, None),
        Shape::Union { tag, branches } => union(tag, branches, version),
        Shape::OneOf(shapes) => {
            let any: Vec<Value> = shapes.iter().map(|one| self::shape(one, version)).collect();
            json!({ "anyOf": any })
        }
    }
}

fn number(kind: &str, min: Option<i64>, max: Option<i64>) -> Value {
    let mut schema = json!({ "type": kind });
    put(&mut schema, "minimum", min);
    put(&mut schema, "maximum", max);
    schema
}

fn text(shape: &TextShape) -> Value {
    let TextShape { min, max, grammar, reporter: _, format } = shape;
    let mut schema = json!({ "type": "string" });
    put(&mut schema, "minLength", positive(*min));
    put(&mut schema, "maxLength", *max);
    put(&mut schema, "pattern", grammar.map(|grammar| grammar.pattern));
    put(&mut schema, "format", format.map(|format| format.name));
    schema
}

fn union(tag: &'static str, branches: &'static [Branch], version: u8) -> Value {
    let mut required = vec![tag];
    required.extend(required_by_all(branches, version));
    let mut one_of = Vec::new();
    for branch in branches.iter().filter(|branch| branch.is_in(version)) {
        one_of.push(object(branch.object, version, Some((tag, branch.tag_value))));
    }
    json!({ "type": "object", "required": required, "oneOf": one_of })
}

/// Writes an object. A branch of a union requires its tag, too.
fn object(object: &Object, version: u8, tag: Option<(&str, &str)>) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    if let Some((name, word)) = tag {
        properties.insert(name.into(), json!({ "const": word }));
        required.push(name);
    }
    for member in object.members.iter().filter(|member| member.is_in(version)) {
        properties.insert(member.name.into(), shape(member.shape, version));
        if member.required {
            required.push(member.name);
        }
    }
    let mut schema = json!({ "type": "object", "properties": properties, "required": required });
    if !object.open {
        put(&mut schema, "additionalProperties", Some(false));
    }
    let needs = object.conditions.iter().filter(|need| need.since <= version);
    let all: Vec<Value> = needs.map(|need| condition(&need.condition)).collect();
    if !all.is_empty() {
        put(&mut schema, "allOf", Some(all));
    }
    schema
}

fn condition(condition: &Condition) -> Value {
    match condition {
        Condition::ExactlyOne([one, other]) => {
            json!({ "oneOf": [{ "required": [one] }, { "required": [other] }] })
        }
        Condition::AtLeastOne(names) => {
            let any: Vec<Value> = names.iter().map(|name| json!({ "required": [name] })).collect();
            json!({ "anyOf": any })
        }
        Condition::When { member, value: is, required } => json!({
            "if": { "properties": { *member: { "const": is } }, "required": [member] },
            "then": { "required": [required] },
        }),
        Condition::Custom(own) => (own.schema)(),
    }
}

fn positive(number: usize) -> Option<usize> {
    if number > 0 { Some(number) } else { None }
}

fn put<T: Into<Value>>(schema: &mut Value, keyword: &str, value: Option<T>) {
    if let (Some(schema), Some(value)) = (schema.as_object_mut(), value) {
        schema.insert(keyword.to_owned(), value.into());
    }
}
