//! The members of a JSON Schema, their keywords, and the sentences of their descriptions.
//!
//! A member has the path that leads to it: `env[].name`, and `smoke[http].url` where a
//! constant tells alternatives apart. What an array demands of texts in it belongs to the
//! array, and the constant to its alternative. Sentences have letters: `env[].secret a`.

use serde_json::{Map, Value};

use super::{Sentence, Sentences, prose};

/// What says nothing about values, or leads to other members.
const SILENT: [&str; 8] =
    ["$schema", "$id", "$ref", "$defs", "title", "description", "properties", "items"];

pub(crate) fn sentences(text: &str) -> Sentences {
    let schema: Value = serde_json::from_str(text).expect("a JSON Schema");
    let mut found = Sentences::new();
    member("manifest", &schema, &mut found);
    found
}

fn object<'s>(schema: &'s Value, name: &str) -> impl Iterator<Item = (&'s String, &'s Value)> {
    schema.get(name).and_then(Value::as_object).into_iter().flat_map(Map::iter)
}

fn list<'s>(schema: &'s Value, name: &str) -> impl Iterator<Item = &'s Value> {
    schema.get(name).and_then(Value::as_array).into_iter().flatten()
}

/// The constant that tells an alternative from others.
fn constant(alternative: &Value) -> Option<&str> {
    object(alternative, "properties").find_map(|(_, schema)| schema.get("const")?.as_str())
}

fn keywords(schema: &Value) -> Vec<String> {
    let members = schema.as_object().into_iter().flatten();
    members.map(|(name, _)| name.clone()).filter(|name| !SILENT.contains(&name.as_str())).collect()
}

fn member(path: &str, schema: &Value, found: &mut Sentences) {
    let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let mut named = keywords(schema);
    let items = schema.get("items").filter(|items| items.get("properties").is_none());
    named.extend(items.iter().flat_map(|items| keywords(items)));
    found.insert(path.to_owned(), Sentence { text: text.to_owned(), keywords: named });
    let normative = prose::cut(text).into_iter().filter(|text| prose::is_normative(text));
    for (ordinal, sentence) in normative.enumerate() {
        found.insert(format!("{path} {}", prose::letter(ordinal)), Sentence::new(sentence));
    }
    let below = |name: &str| match path {
        "manifest" => name.to_owned(),
        path => format!("{path}.{name}"),
    };
    for (name, schema) in object(schema, "properties")
        .filter(|(_, schema)| schema.get("const").is_none() || path == "manifest")
    {
        member(&below(name), schema, found);
    }
    if let Some(items) = schema.get("items").filter(|items| items.get("properties").is_some()) {
        member(&format!("{path}[]"), items, found);
    }
    for alternative in list(schema, "oneOf") {
        let constant = constant(alternative).expect("a constant in every alternative");
        member(&format!("{path}[{constant}]"), alternative, found);
    }
    for (name, schema) in object(schema, "$defs") {
        member(&below(name), schema, found);
    }
    for condition in list(schema, "allOf") {
        member("allOf", condition, found);
    }
}
