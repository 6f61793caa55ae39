//! Describes keywords that are left out in sentences for the model.

use diagnostic::printable;
use json_text::{quote, quote_into, unquote};

use crate::json::write_comma;
use crate::parts::{Id, KeywordValue, SchemaParts};

/// The maximum number of bytes of a value in a sentence.
const MAX_VALUE_BYTES: usize = 200;
/// The maximum number of bytes of all sentences in a description. The changes list the
/// rest.
const MAX_BYTES: usize = 2000;

/// Returns a sentence about a keyword and its value.
pub(crate) fn sentence(keyword: &str, value: &str) -> String {
    let value = match keyword {
        "uniqueItems" => return "No element twice.".to_owned(),
        "additionalProperties" | "unevaluatedProperties" if value == "false" => {
            return "No other members.".to_owned();
        }
        "pattern" | "format" => printable(&unquote(value), MAX_VALUE_BYTES),
        _ => printable(value, MAX_VALUE_BYTES),
    };
    match keyword {
        "minLength" => format!("At least {value} characters."),
        "maxLength" => format!("At most {value} characters."),
        "pattern" => format!("Matches the regular expression {value}"),
        "format" => format!("Format: {value}."),
        "minimum" => format!("At least {value}."),
        "maximum" => format!("At most {value}."),
        "exclusiveMinimum" => format!("More than {value}."),
        "exclusiveMaximum" => format!("Less than {value}."),
        "multipleOf" => format!("A multiple of {value}."),
        "minItems" => format!("At least {value} elements."),
        "maxItems" => format!("At most {value} elements."),
        "minProperties" => format!("At least {value} members."),
        "maxProperties" => format!("At most {value} members."),
        "default" => format!("Default: {value}."),
        "const" => format!("Always {value}."),
        "enum" => format!("One of {value}."),
        "examples" => format!("Examples: {value}."),
        "not" => format!("Not as in {value}."),
        "prefixItems" => format!("The first elements, in this order: {value}."),
        "additionalProperties" => format!("Other members: {value}."),
        "propertyNames" => format!("Names of members: {value}."),
        "contains" => format!("At least one element is {value}."),
        _ => format!("JSON Schema also says \"{keyword}\": {value}"),
    }
}

/// Appends sentences to a description. The given and the returned description are JSON
/// strings.
pub(crate) fn with_sentences(description: Option<&str>, sentences: &[String]) -> String {
    let mut text = String::new();
    if let Some(description) = description {
        text = unquote(description).into_owned();
    }
    let most = text.len() + MAX_BYTES;
    for sentence in sentences {
        if text.len() + sentence.len() > most {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(sentence);
    }
    quote(&text)
}

/// Returns the value of a keyword as JSON Schema, cut off if it is long.
pub(crate) fn value_excerpt(schema: &SchemaParts, id: Id, keyword: &str) -> String {
    let mut out = String::new();
    let part = schema.get(id);
    if let Some(value) = part.keyword(keyword) {
        write_value(schema, value, 0, &mut out);
    }
    if keyword != "if" {
        return out;
    }
    for branch in ["then", "else"] {
        if let Some(value) = part.keyword(branch) {
            out.push_str(", ");
            quote_into(branch, &mut out);
            out.push_str(": ");
            write_value(schema, value, 0, &mut out);
        }
    }
    out
}

/// The maximum depth of parts that are written, because a part may contain itself.
const DEPTH: usize = 8;

fn write_value(schema: &SchemaParts, value: &KeywordValue, depth: usize, out: &mut String) {
    // Every step writes something, so this ends the walk.
    if out.len() > MAX_VALUE_BYTES {
        return;
    }
    match value {
        KeywordValue::Json(text) => {
            let mut end = text.len().min(2 * MAX_VALUE_BYTES);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            out.push_str(text.split_at(end).0);
        }
        KeywordValue::Part(id) | KeywordValue::Ref(id) => write_part(schema, *id, depth, out),
        KeywordValue::List(ids) => {
            out.push('[');
            for (index, id) in ids.iter().take(MAX_VALUE_BYTES).enumerate() {
                write_comma(index, out);
                write_part(schema, *id, depth, out);
            }
            out.push(']');
        }
        KeywordValue::Map(named) => {
            out.push('{');
            for (index, (name, id)) in named.iter().take(MAX_VALUE_BYTES).enumerate() {
                write_comma(index, out);
                quote_into(name, out);
                out.push(':');
                write_part(schema, *id, depth, out);
            }
            out.push('}');
        }
    }
}

fn write_part(schema: &SchemaParts, id: Id, depth: usize, out: &mut String) {
    let part = schema.get(id);
    if part.unsatisfiable {
        return out.push_str("false");
    }
    if out.len() > MAX_VALUE_BYTES || depth > DEPTH {
        return out.push_str("{}");
    }
    if let [(name, KeywordValue::Ref(target))] = part.keywords.as_slice()
        && name == "$ref"
    {
        return write_part(schema, *target, depth + 1, out);
    }
    out.push('{');
    for (index, (name, value)) in part.keywords.iter().enumerate() {
        if out.len() > MAX_VALUE_BYTES {
            break;
        }
        write_comma(index, out);
        quote_into(name, out);
        out.push(':');
        write_value(schema, value, depth + 1, out);
    }
    out.push('}');
}
