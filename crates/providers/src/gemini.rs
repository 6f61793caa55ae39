//! Reads Gemini's schemas as JSON Schemas.

use json_text::{Kind, Node, Raw, quote, quote_into};

/// Converts a Gemini schema to a JSON Schema. A field without a JSON Schema keyword stays
/// as it is, because validators ignore unknown keywords.
///
/// ```
/// use json_text::{Document, Limits};
/// use providers::from_gemini_schema;
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

/// Writes a part. The depth is limited by that of parsed documents.
fn write_subschema(schema: Node<'_>, out: &mut String) {
    if schema.kind() != Kind::Object {
        return out.push_str(schema.raw());
    }
    let has = |name: &str| schema.get(name).is_some();
    let nullable = schema.get("nullable").and_then(Node::bool) == Some(true);
    // The target of a reference cannot be made nullable here, so `null` becomes an
    // alternative.
    let around = nullable && (has("ref") || has("$ref"));
    if around {
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
        // If a keyword is present in both spellings, that of JSON Schema counts.
        let field = FIELD_KEYWORDS.iter().find(|(own, keyword)| *own == name && !has(keyword));
        match field {
            Some((_, keyword)) => quote_into(keyword, out),
            None => out.push_str(member.key.raw()),
        }
        out.push(':');
        match field.map_or(name.as_ref(), |(_, keyword)| *keyword) {
            "examples" if field.is_some() => list(&[member.value.raw()], out),
            keyword => write_keyword(keyword, member.value, nullable && !around, out),
        }
    }
    out.push('}');
    if around {
        out.push_str(r#",{"type":"null"}]}"#);
    }
}

/// Returns true if a member is omitted, because others express it or it has no effect.
fn is_omitted(schema: Node<'_>, name: &str, value: Node<'_>) -> bool {
    match name {
        "nullable" => {
            let typed = ["type", "enum", "anyOf", "any_of", "ref", "$ref"];
            let told = || typed.iter().any(|name| schema.get(name).is_some());
            value.bool().is_some_and(|nullable| !nullable || told())
        }
        "type" => value.text().as_deref() == Some("TYPE_UNSPECIFIED"),
        _ => false,
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

/// Writes the value of a keyword. A value of an unexpected type stays as it is.
fn write_keyword(name: &str, value: Node<'_>, nullable: bool, out: &mut String) {
    match (name, value.kind()) {
        ("type", Kind::String) => {
            let kind = quote(&value.text().unwrap_or_default().to_lowercase());
            if nullable && kind != "\"null\"" {
                list(&[kind.as_str(), "\"null\""], out);
            } else {
                out.push_str(&kind);
            }
        }
        ("enum", Kind::Array) => {
            let listed = value.elements().any(Node::is_null);
            let null = (nullable && !listed).then_some("null");
            list(&value.elements().map(Node::raw).chain(null).collect::<Vec<_>>(), out);
        }
        ("items" | "additionalProperties", _) => write_subschema(value, out),
        ("anyOf", Kind::Array) => {
            let parts = value.elements().map(|one| from_gemini_schema(one).as_str().to_owned());
            let null = nullable.then(|| r#"{"type":"null"}"#.to_owned());
            list(&parts.chain(null).collect::<Vec<_>>(), out);
        }
        ("properties" | "$defs", Kind::Object) => {
            out.push('{');
            for (index, member) in value.members().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(member.key.raw());
                out.push(':');
                write_subschema(member.value, out);
            }
            out.push('}');
        }
        ("$ref", Kind::String) => {
            match value.text().as_deref().and_then(|text| text.strip_prefix("#/defs/")) {
                Some(rest) => quote_into(&format!("#/$defs/{rest}"), out),
                None => out.push_str(value.raw()),
            }
        }
        // The API returns counts as strings.
        (_, Kind::String) if COUNTS.contains(&name) => {
            let text = value.text().unwrap_or_default();
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let count = digits && (text == "0" || !text.starts_with('0'));
            out.push_str(if count { &text } else { value.raw() });
        }
        _ => out.push_str(value.raw()),
    }
}
