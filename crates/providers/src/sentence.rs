//! Describes keywords that are left out in sentences for the model.

use diagnostic::printable;
use json_text::{quote, quote_into, unquote};

use crate::graph::{Graph, Id, Word};

/// The maximum number of bytes of a value in a sentence.
const LONGEST: usize = 200;
/// The maximum number of bytes of all sentences in a description. The changes list the
/// rest.
const ALL: usize = 2000;

/// Returns a sentence about a keyword and its value.
pub(crate) fn sentence(keyword: &str, value: &str) -> String {
    let plain = || printable(value, LONGEST);
    let text = || printable(&unquote(value), LONGEST);
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
    let most = text.len() + ALL;
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
pub(crate) fn gist(graph: &Graph, id: Id, keyword: &str) -> String {
    let mut out = String::new();
    let part = graph.get(id);
    if let Some(word) = part.word(keyword) {
        say(graph, word, 0, &mut out);
    }
    for branch in ["then", "else"].into_iter().filter(|_| keyword == "if") {
        if let Some(word) = part.word(branch) {
            out.push_str(", ");
            quote_into(branch, &mut out);
            out.push_str(": ");
            say(graph, word, 0, &mut out);
        }
    }
    out
}

/// The maximum depth of parts that are written, because a part may contain itself.
const DEPTH: usize = 8;

fn say(graph: &Graph, word: &Word, depth: usize, out: &mut String) {
    // Every step writes something, so this ends the walk.
    if out.len() > LONGEST {
        return;
    }
    match word {
        Word::Json(text) => {
            let end = (0..=text.len().min(2 * LONGEST)).rev().find_map(|end| text.get(..end));
            out.push_str(end.unwrap_or_default());
        }
        Word::Part(id) | Word::Ref(id) => part(graph, *id, depth, out),
        Word::Parts(ids) => {
            out.push('[');
            for (index, id) in ids.iter().take(LONGEST).enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                part(graph, *id, depth, out);
            }
            out.push(']');
        }
        Word::Named(named) => {
            out.push('{');
            for (index, (name, id)) in named.iter().take(LONGEST).enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                quote_into(name, out);
                out.push(':');
                part(graph, *id, depth, out);
            }
            out.push('}');
        }
    }
}

fn part(graph: &Graph, id: Id, depth: usize, out: &mut String) {
    let part = graph.get(id);
    if part.never {
        return out.push_str("false");
    }
    if out.len() > LONGEST || depth > DEPTH {
        return out.push_str("{}");
    }
    if let [(name, Word::Ref(target))] = part.words.as_slice()
        && name == "$ref"
    {
        return self::part(graph, *target, depth + 1, out);
    }
    out.push('{');
    for (index, (name, word)) in part.words.iter().take(LONGEST).enumerate() {
        if out.len() > LONGEST {
            break;
        }
        out.push_str(if index > 0 { "," } else { "" });
        quote_into(name, out);
        out.push(':');
        say(graph, word, depth + 1, out);
    }
    out.push('}');
}
