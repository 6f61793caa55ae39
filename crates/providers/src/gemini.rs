//! Schemas of Gemini in the words of JSON Schema.

use json_text::{Kind, Node, Raw, quote, quote_into};

/// A schema of Gemini in the words of JSON Schema. What JSON Schema has no word for stays as it is:
/// nobody minds a keyword that they do not know.
///
/// ```
/// use json_text::{Document, Limits};
/// use providers::from_gemini;
///
/// let text = br#"{"type": "STRING", "nullable": true, "minLength": "1"}"#;
/// let document = Document::parse(text, &Limits::default())?;
/// assert_eq!(from_gemini(document.root()).as_str(), r#"{"type":["string","null"],"minLength":1}"#);
/// # Ok::<(), diagnostic::Diagnostic>(())
/// ```
pub fn from_gemini(schema: Node<'_>) -> Raw<'static> {
    let mut out = String::with_capacity(schema.raw().len());
    part(schema, &mut out);
    Raw::from_built(out)
}

/// Fields that JSON Schema calls something else, in both spellings that the API reads.
pub(crate) const FIELDS: &[(&str, &str)] = &[
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
pub(crate) const COUNTS: &[&str] =
    &["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"];

/// Writes a part. It is no deeper than texts may be.
fn part(schema: Node<'_>, out: &mut String) {
    if schema.kind() != Kind::Object {
        return out.push_str(schema.raw());
    }
    let has = |name: &str| schema.get(name).is_some();
    let nullable = schema.get("nullable").and_then(Node::bool) == Some(true);
    // What is somewhere else cannot be told to take `null`, too.
    let around = nullable && (has("ref") || has("$ref"));
    if around {
        out.push_str(r#"{"anyOf":["#);
    }
    let mut first = true;
    out.push('{');
    for member in schema.members() {
        let name = member.name();
        if is_said_otherwise(schema, &name, member.value) {
            continue;
        }
        if !std::mem::take(&mut first) {
            out.push(',');
        }
        // A keyword that is there in both spellings is read in that of JSON Schema.
        let field = FIELDS.iter().find(|(own, keyword)| *own == name && !has(keyword));
        match field {
            Some((_, keyword)) => quote_into(keyword, out),
            None => out.push_str(member.key.raw()),
        }
        out.push(':');
        match field.map_or(name.as_ref(), |(_, keyword)| *keyword) {
            "examples" if field.is_some() => list(&[member.value.raw()], out),
            keyword => word(keyword, member.value, nullable && !around, out),
        }
    }
    out.push('}');
    if around {
        out.push_str(r#",{"type":"null"}]}"#);
    }
}

/// Whether what a member says is said by others, or by leaving it out.
fn is_said_otherwise(schema: Node<'_>, name: &str, value: Node<'_>) -> bool {
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

/// Writes what a keyword says. What is of another kind than Gemini takes stays as it is.
fn word(name: &str, value: Node<'_>, nullable: bool, out: &mut String) {
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
        ("items" | "additionalProperties", _) => part(value, out),
        ("anyOf", Kind::Array) => {
            let parts = value.elements().map(|one| from_gemini(one).as_str().to_owned());
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
                part(member.value, out);
            }
            out.push('}');
        }
        ("$ref", Kind::String) => {
            match value.text().as_deref().and_then(|text| text.strip_prefix("#/defs/")) {
                Some(rest) => quote_into(&format!("#/$defs/{rest}"), out),
                None => out.push_str(value.raw()),
            }
        }
        // Counts are texts where the API gives them back.
        (_, Kind::String) if COUNTS.contains(&name) => {
            let text = value.text().unwrap_or_default();
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let count = digits && (text == "0" || !text.starts_with('0'));
            out.push_str(if count { &text } else { value.raw() });
        }
        _ => out.push_str(value.raw()),
    }
}
