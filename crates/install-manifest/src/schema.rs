//! The shapes, as JSON Schema.

use serde_json::{Map, Value, json};

use crate::shape::{
    Branch, Condition, Format, Object, PRIVATE, SILENT, Shape, Text, required_by_all, table,
};
use crate::words::Version;

/// The JSON Schema (2020-12) of a version, as this crate understands it.
///
/// It is written from the same table that [`validate`](crate::validate()) walks.
///
/// ```
/// use install_manifest::{Version, schema};
///
/// let schema = schema(Version::V0_4);
/// assert_eq!(schema["properties"]["manifest_version"]["const"], "0.4");
/// ```
pub fn schema(version: Version) -> Value {
    let mut schema = object(&table::MANIFEST, version, None);
    if let Some(root) = schema.as_object_mut() {
        root.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
        if let Some(stated) = root.get_mut("properties").and_then(|p| p.get_mut("manifest_version"))
        {
            *stated = json!({ "const": version.word() });
        }
    }
    schema
}

fn shape(shape: &Shape, version: Version) -> Value {
    match shape {
        Shape::Any => json!({}),
        Shape::Opaque => json!({ "type": "object" }),
        Shape::Bool => json!({ "type": "boolean" }),
        Shape::Integer { min, max } => {
            let mut schema = json!({ "type": "integer" });
            put(&mut schema, "minimum", *min);
            put(&mut schema, "maximum", *max);
            schema
        }
        Shape::Fraction => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
        Shape::Text(text) => self::text(text),
        Shape::Word(words) => json!({ "type": "string", "enum": words }),
        Shape::List { of, min, max } => {
            let mut schema = json!({ "type": "array", "items": self::shape(of, version) });
            put(&mut schema, "minItems", Some(*min).filter(|min| *min > 0));
            put(&mut schema, "maxItems", *max);
            schema
        }
        Shape::Map(of) => {
            json!({ "type": "object", "additionalProperties": self::shape(of, version) })
        }
        Shape::Object(shape) => object(shape, version, None),
        Shape::Union { tag, branches } => union(tag, branches, version),
    }
}

fn text(shape: &Text) -> Value {
    let Text { min, max, grammar, format } = shape;
    let mut schema = json!({ "type": "string" });
    put(&mut schema, "minLength", Some(*min).filter(|min| *min > 0));
    put(&mut schema, "maxLength", *max);
    put(&mut schema, "pattern", grammar.map(crate::shape::Grammar::pattern));
    let word = format.map(|format| match format {
        Format::Uri => "uri",
        Format::Email => "email",
    });
    put(&mut schema, "format", word);
    schema
}

fn union(tag: &'static str, branches: &'static [Branch], version: Version) -> Value {
    let required: Vec<&str> = [tag].into_iter().chain(required_by_all(branches, version)).collect();
    let branches = branches.iter().filter(|branch| branch.is_in(version));
    let branches: Vec<Value> =
        branches.map(|branch| object(branch.object, version, Some((tag, branch.word)))).collect();
    json!({ "type": "object", "required": required, "oneOf": branches })
}

/// An object, and for one of several the tag that tells it from the others.
fn object(object: &Object, version: Version, tag: Option<(&str, &str)>) -> Value {
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
    let mut schema = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    let needs = object.needs.iter().filter(|need| need.since <= version);
    let needs: Vec<Value> = needs.map(|need| condition(&need.what)).collect();
    put(&mut schema, "allOf", Some(needs).filter(|needs| !needs.is_empty()));
    schema
}

fn condition(condition: &Condition) -> Value {
    match condition {
        Condition::ExactlyOne([one, other]) => {
            json!({ "oneOf": [{ "required": [one] }, { "required": [other] }] })
        }
        Condition::When { member, is, required } => json!({
            "if": { "properties": { *member: { "const": is } }, "required": [member] },
            "then": { "required": [required] },
        }),
        Condition::Actions => json!({
            "if": {
                "properties": {
                    "runtime": {
                        "type": "object",
                        "properties": { "kind": { "enum": SILENT } },
                        "required": ["kind"],
                    },
                },
                "required": ["runtime"],
            },
            "then": {
                "properties": { "actions": { "minItems": 1 } },
                "required": ["actions"],
            },
        }),
        Condition::DataBoundary => {
            let pattern = format!("^({})\\.", PRIVATE.join("|"));
            json!({
                "if": {
                    "properties": {
                        "scopes": {
                            "type": "array",
                            "contains": {
                                "type": "object",
                                "properties": {
                                    "resource": { "type": "string", "pattern": pattern },
                                },
                                "required": ["resource"],
                            },
                        },
                    },
                    "required": ["scopes"],
                },
                "then": { "required": ["data_boundary"] },
            })
        }
        Condition::NothingToRevoke => json!({
            "if": {
                "properties": {
                    "kill_switch": {
                        "type": "object",
                        "properties": { "kind": { "const": "none" } },
                        "required": ["kind"],
                    },
                },
                "required": ["kill_switch"],
            },
            // In this form, a validator complains about the manifest, not about
            // the list.
            "then": {
                "not": {
                    "anyOf": [
                        {
                            "properties": { "env": { "minItems": 1 } },
                            "required": ["env"],
                        },
                        {
                            "properties": {
                                "data_boundary": {
                                    "type": "object",
                                    "properties": { "persists": { "minItems": 1 } },
                                    "required": ["persists"],
                                },
                            },
                            "required": ["data_boundary"],
                        },
                    ],
                },
            },
        }),
    }
}

fn put<T: Into<Value>>(schema: &mut Value, keyword: &str, value: Option<T>) {
    if let (Some(schema), Some(value)) = (schema.as_object_mut(), value) {
        schema.insert(keyword.to_owned(), value.into());
    }
}
