//! The JSON text layer: what it refuses and where, what it keeps, and how it
//! edits. Names such as `J13` are rows of the attack catalogue.

use json_text::Limits;
use json_text::{Document, Kind, Node};
use serde_json::Value;

mod attacks;
mod differential;
mod edits;
mod generate;
mod limits;
mod located;
mod merge_steps;
mod merges;
mod numbers;
mod oracle;
mod patches;
mod read;
mod suite;
mod tokens;
mod values;

/// The code of the rule that refuses a text, or `ok`.
fn verdict(bytes: &[u8]) -> &'static str {
    verdict_under(bytes, &Limits::default())
}

fn verdict_under(bytes: &[u8], limits: &Limits) -> &'static str {
    Document::parse(bytes, limits).map_or_else(|refusal| refusal.rule.code, |_| "ok")
}

fn parse(text: &str) -> Document<'_> {
    Document::parse(text.as_bytes(), Limits::default()).expect(text)
}

/// The same value in another library's words.
fn to_value(node: Node<'_>) -> Value {
    match node.kind() {
        Kind::Object => node
            .members()
            .map(|member| (member.name().into_owned(), to_value(member.value)))
            .collect(),
        Kind::Array => node.elements().map(to_value).collect(),
        Kind::String => Value::String(node.text().unwrap().into_owned()),
        Kind::Bool => Value::Bool(node.bool().unwrap()),
        Kind::Number => serde_json::from_str(node.number().unwrap().as_str()).unwrap(),
        Kind::Null => Value::Null,
    }
}
