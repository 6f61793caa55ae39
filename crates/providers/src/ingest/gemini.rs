//! Schemas of Gemini in the words of JSON Schema.

use std::collections::BTreeSet;

use json_text::{Kind, Node, Raw, quote, quote_into};

/// A schema of Gemini in the words of JSON Schema.
pub(super) fn from_gemini(schema: Node<'_>) -> Raw<'static> {
    let mut out = String::with_capacity(schema.raw().len());
    part(schema, &mut out);
    Raw::from_built(out)
}

/// Fields that JSON Schema calls something else, in both spellings that the API reads.
const FIELDS: &[(&str, &str)] = &[
    ("additional_properties", "additionalProperties"),
    ("any_of", "anyOf"),
    ("defs", "$defs"),
    ("example", "examples"),
    ("max_items", "maxItems"),
    ("max_length", "maxLength"),
    ("max_properties", "maxProperties"),
    ("min_items", "minItems"),
    ("min_length", "minLength"),
    ("min_properties", "minProperties"),
    ("ref", "$ref"),
];
/// Keywords that take a count.
const COUNTS: &[&str] =
    &["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"];

/// Writes a part. It is no deeper than texts may be.
fn part(schema: Node<'_>, out: &mut String) {
    if schema.kind() != Kind::Object {
        return out.push_str(schema.raw());
    }
    let nullable = schema.get("nullable").and_then(Node::bool) == Some(true);
    // What is somewhere else cannot be told to take `null`, too.
    let around = nullable && (schema.get("ref").is_some() || schema.get("$ref").is_some());
    if around {
        out.push_str(r#"{"anyOf":["#);
    }
    let mut written = BTreeSet::new();
    out.push('{');
    for member in schema.members() {
        let name = member.name();
        let name = match name.as_ref() {
            "nullable" | "propertyOrdering" | "property_ordering" => continue,
            "example" if schema.get("examples").is_some() => continue,
            "type" if member.value.text().as_deref() == Some("TYPE_UNSPECIFIED") => continue,
            name => {
                let field = FIELDS.iter().find(|(own, _)| *own == name);
                field.map_or(name, |(_, keyword)| *keyword)
            }
        };
        if !written.insert(name.to_owned()) {
            continue;
        }
        if written.len() > 1 {
            out.push(',');
        }
        quote_into(name, out);
        out.push(':');
        if member.name() == "example" {
            list(&[member.value.raw()], out);
        } else {
            word(name, member.value, nullable && !around, out);
        }
    }
    out.push('}');
    if around {
        out.push_str(r#",{"type":"null"}]}"#);
    }
}

fn list<T: AsRef<str>>(items: &[T], out: &mut String) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str(item.as_ref());
    }
    out.push(']');
}

/// Writes what a keyword says.
fn word(name: &str, value: Node<'_>, nullable: bool, out: &mut String) {
    match name {
        "type" => {
            let kind = quote(&value.text().unwrap_or_default().to_lowercase());
            if nullable && kind != "\"null\"" {
                list(&[kind.as_str(), "\"null\""], out);
            } else {
                out.push_str(&kind);
            }
        }
        "enum" => {
            let listed = value.elements().any(Node::is_null);
            let null = (nullable && !listed).then_some("null");
            list(&value.elements().map(Node::raw).chain(null).collect::<Vec<_>>(), out);
        }
        "items" | "additionalProperties" => part(value, out),
        "anyOf" => {
            let parts = value.elements().map(|one| from_gemini(one).as_str().to_owned());
            let null = nullable.then(|| r#"{"type":"null"}"#.to_owned());
            list(&parts.chain(null).collect::<Vec<_>>(), out);
        }
        "properties" | "$defs" => {
            out.push('{');
            for (index, member) in value.members().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(member.key.raw());
                out.push(':');
                part(member.value, out);
            }
            out.push('}');
        }
        "$ref" => match value.text().as_deref().and_then(|text| text.strip_prefix("#/defs/")) {
            Some(rest) => quote_into(&format!("#/$defs/{rest}"), out),
            None => out.push_str(value.raw()),
        },
        // Counts are texts where the API gives them back.
        _ if COUNTS.contains(&name) => {
            let digits = value
                .text()
                .filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()));
            out.push_str(digits.as_deref().unwrap_or(value.raw()));
        }
        _ => out.push_str(value.raw()),
    }
}
