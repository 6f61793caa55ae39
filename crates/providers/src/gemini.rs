//! Reads Gemini's schemas as JSON Schemas.

use json_text::{Node, NodeValue, Raw, quote, quote_into};

use crate::json::{write_comma, write_list};

/// Converts a Gemini schema to a JSON Schema. A field without a JSON Schema keyword stays
/// as it is, because validators ignore unknown keywords.
///
/// ```
/// use json_text::{Document, Limits};
/// use toolglot_providers::from_gemini_schema;
///
/// let text = br#"{"type": "STRING", "nullable": true, "minLength": "1"}"#;
/// let document = Document::parse(text, &Limits::default())?;
/// assert_eq!(from_gemini_schema(document.root()).as_str(), r#"{"type":["string","null"],"minLength":1}"#);
/// # Ok::<(), diagnostic::Diagnostic>(())
/// ```
pub fn from_gemini_schema(schema: Node<'_>) -> Raw<'static> {
    let mut out = String::with_capacity(schema.raw().len());
    write_subschema(schema, &mut out);
    Raw::from_trusted(out)
}

/// Fields with another name than in JSON Schema, and the keyword. The API reads most of
/// them in both spellings.
pub(crate) const FIELD_KEYWORDS: &[(&str, &str)] = &[
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
/// Keywords whose value is a count.
pub(crate) const COUNTS: &[&str] =
    &["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"];

/// Returns the keyword of a field with another name than in JSON Schema, unless the schema
/// has both: then that of JSON Schema counts.
pub(crate) fn field_keyword(schema: Node<'_>, field: &str) -> Option<&'static str> {
    let (_, keyword) = FIELD_KEYWORDS.iter().find(|(own, _)| *own == field)?;
    if schema.get(keyword).is_some() { None } else { Some(keyword) }
}

/// Returns true if a schema is `nullable`.
pub(crate) fn is_nullable(schema: Node<'_>) -> bool {
    schema.get("nullable").and_then(Node::bool) == Some(true)
}

/// Returns true if a schema is a reference, in one of the spellings.
pub(crate) fn is_reference(schema: Node<'_>) -> bool {
    schema.get("ref").or(schema.get("$ref")).is_some()
}

/// Writes a part. The depth is limited by that of parsed documents.
fn write_subschema(schema: Node<'_>, out: &mut String) {
    if !schema.is_object() {
        return out.push_str(schema.raw());
    }
    let nullable = is_nullable(schema);
    // The target of a reference cannot be made nullable here, so `null` becomes an
    // alternative.
    let has_alternative = nullable && is_reference(schema);
    if has_alternative {
        out.push_str(r#"{"anyOf":["#);
    }
    let mut first = true;
    out.push('{');
    for member in schema.members() {
        let name = member.name();
        if is_omitted(schema, &name, member.value) {
            continue;
        }
        if !std::mem::take(&mut first) {
            out.push(',');
        }
        let field = field_keyword(schema, &name);
        match field {
            Some(keyword) => quote_into(keyword, out),
            None => out.push_str(member.key.raw()),
        }
        out.push(':');
        if field == Some("examples") {
            write_list(&[member.value.raw()], out);
        } else {
            let nullable = nullable && !has_alternative;
            write_keyword(field.unwrap_or(&name), member.value, nullable, out);
        }
    }
    out.push('}');
    if has_alternative {
        out.push_str(r#",{"type":"null"}]}"#);
    }
}

/// Returns true if a member is omitted, because others express it or it has no effect.
fn is_omitted(schema: Node<'_>, name: &str, value: Node<'_>) -> bool {
    match name {
        "nullable" => match value.bool() {
            Some(true) => ["type", "enum", "anyOf", "any_of", "ref", "$ref"]
                .iter()
                .any(|name| schema.get(name).is_some()),
            Some(false) => true,
            None => false,
        },
        "type" => value.text().as_deref() == Some("TYPE_UNSPECIFIED"),
        _ => false,
    }
}

/// Writes the value of a keyword. A value of an unexpected type stays as it is.
fn write_keyword(name: &str, value: Node<'_>, nullable: bool, out: &mut String) {
    match (name, value.value()) {
        ("type", NodeValue::String(kind)) => {
            let kind = quote(&kind.to_lowercase());
            if nullable && kind != "\"null\"" {
                write_list(&[kind.as_str(), "\"null\""], out);
            } else {
                out.push_str(&kind);
            }
        }
        ("enum", NodeValue::Array(_)) => {
            let mut values: Vec<&str> = value.elements().map(Node::raw).collect();
            if nullable && !value.elements().any(Node::is_null) {
                values.push("null");
            }
            write_list(&values, out);
        }
        ("items" | "additionalProperties", _) => write_subschema(value, out),
        ("anyOf", NodeValue::Array(elements)) => {
            let mut parts: Vec<Raw<'_>> = elements.map(from_gemini_schema).collect();
            if nullable {
                parts.push(Raw::from_static(r#"{"type":"null"}"#));
            }
            let parts: Vec<&str> = parts.iter().map(Raw::as_str).collect();
            write_list(&parts, out);
        }
        ("properties" | "$defs", NodeValue::Object(members)) => {
            out.push('{');
            for (index, member) in members.enumerate() {
                write_comma(index, out);
                out.push_str(member.key.raw());
                out.push(':');
                write_subschema(member.value, out);
            }
            out.push('}');
        }
        ("$ref", NodeValue::String(text)) => match text.strip_prefix("#/defs/") {
            Some(rest) => quote_into(&format!("#/$defs/{rest}"), out),
            None => out.push_str(value.raw()),
        },
        // The API returns counts as strings.
        (_, NodeValue::String(text)) if COUNTS.contains(&name) => {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let count = digits && (text == "0" || !text.starts_with('0'));
            out.push_str(if count { &text } else { value.raw() });
        }
        _ => out.push_str(value.raw()),
    }
}
