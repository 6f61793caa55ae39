//! Describes keywords that are left out in sentences for the model.

use diagnostic::printable;
use json_text::{quote, quote_into, unquote};

use crate::graph::{Graph, Id, KeywordValue};

/// The maximum number of bytes of a value in a sentence.
const MAX_VALUE_BYTES: usize = 200;
/// The maximum number of bytes of all sentences in a description. The changes list the
/// rest.
const MAX_BYTES: usize = 2000;

/// Returns a sentence about a keyword and its value.
pub(crate) fn sentence(keyword: &str, value: &str) -> String {
    let plain = || printable(value, MAX_VALUE_BYTES);
    let text = || printable(&unquote(value), MAX_VALUE_BYTES);
    match keyword {
        "minLength" => format!("At least {} characters.", plain()),
        "maxLength" => format!("At most {} characters.", plain()),
        "pattern" => format!("Matches the regular expression {}", text()),
        "format" => format!("Format: {}.", text()),
        "minimum" => format!("At least {}.", plain()),
        "maximum" => format!("At most {}.", plain()),
        "exclusiveMinimum" => format!("More than {}.", plain()),
        "exclusiveMaximum" => format!("Less than {}.", plain()),
        "multipleOf" => format!("A multiple of {}.", plain()),
        "minItems" => format!("At least {} elements.", plain()),
        "maxItems" => format!("At most {} elements.", plain()),
        "uniqueItems" => "No element twice.".to_owned(),
        "minProperties" => format!("At least {} members.", plain()),
        "maxProperties" => format!("At most {} members.", plain()),
        "default" => format!("Default: {}.", plain()),
        "const" => format!("Always {}.", plain()),
        "enum" => format!("One of {}.", plain()),
        "examples" => format!("Examples: {}.", plain()),
        "not" => format!("Not as in {}.", plain()),
        "prefixItems" => format!("The first elements, in this order: {}.", plain()),
        "additionalProperties" | "unevaluatedProperties" if value == "false" => {
            "No other members.".to_owned()
        }
        "additionalProperties" => format!("Other members: {}.", plain()),
        "propertyNames" => format!("Names of members: {}.", plain()),
        "contains" => format!("At least one element is {}.", plain()),
        _ => format!("JSON Schema also says \"{keyword}\": {}", plain()),
    }
}

/// Appends sentences to a description. The given and the returned description are JSON
/// strings.
pub(crate) fn with_sentences(description: Option<&str>, sentences: &[String]) -> String {
    let mut text = description.map(unquote).unwrap_or_default().into_owned();
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
pub(crate) fn value_excerpt(graph: &Graph, id: Id, keyword: &str) -> String {
    let mut out = String::new();
    let part = graph.get(id);
    if let Some(word) = part.keyword(keyword) {
        write_value(graph, word, 0, &mut out);
    }
    for branch in ["then", "else"].into_iter().filter(|_| keyword == "if") {
        if let Some(word) = part.keyword(branch) {
            out.push_str(", ");
            quote_into(branch, &mut out);
            out.push_str(": ");
            write_value(graph, word, 0, &mut out);
        }
    }
    out
}

/// The maximum depth of parts that are written, because a part may contain itself.
const DEPTH: usize = 8;

fn write_value(graph: &Graph, word: &KeywordValue, depth: usize, out: &mut String) {
    // Every step writes something, so this ends the walk.
    if out.len() > MAX_VALUE_BYTES {
        return;
    }
    match word {
        KeywordValue::Json(text) => {
            let end =
                (0..=text.len().min(2 * MAX_VALUE_BYTES)).rev().find_map(|end| text.get(..end));
            out.push_str(end.unwrap_or_default());
        }
        KeywordValue::Part(id) | KeywordValue::Ref(id) => write_part(graph, *id, depth, out),
        KeywordValue::List(ids) => {
            out.push('[');
            for (index, id) in ids.iter().take(MAX_VALUE_BYTES).enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                write_part(graph, *id, depth, out);
            }
            out.push(']');
        }
        KeywordValue::Map(named) => {
            out.push('{');
            for (index, (name, id)) in named.iter().take(MAX_VALUE_BYTES).enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                quote_into(name, out);
                out.push(':');
                write_part(graph, *id, depth, out);
            }
            out.push('}');
        }
    }
}

fn write_part(graph: &Graph, id: Id, depth: usize, out: &mut String) {
    let part = graph.get(id);
    if part.unsatisfiable {
        return out.push_str("false");
    }
    if out.len() > MAX_VALUE_BYTES || depth > DEPTH {
        return out.push_str("{}");
    }
    if let [(name, KeywordValue::Ref(target))] = part.keywords.as_slice()
        && name == "$ref"
    {
        return self::write_part(graph, *target, depth + 1, out);
    }
    out.push('{');
    for (index, (name, word)) in part.keywords.iter().take(MAX_VALUE_BYTES).enumerate() {
        if out.len() > MAX_VALUE_BYTES {
            break;
        }
        out.push_str(if index > 0 { "," } else { "" });
        quote_into(name, out);
        out.push(':');
        write_value(graph, word, depth + 1, out);
    }
    out.push('}');
}
