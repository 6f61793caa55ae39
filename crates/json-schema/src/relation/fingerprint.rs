//! Fingerprints of subschemas, by meaning.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::super::graph::{Graph, Step, Subschema};
use super::super::keywords::{self, Applies, Role};
use json_text::Node;
use json_text::canonical;

/// The fingerprint of a part. Two parts with the same print accept the same values. It
/// ignores texts, identifiers, and the order of members and of sets.
pub(super) type Fingerprint = [u8; 32];

/// Returns the print of every part. A recursive part has none.
pub(super) fn fingerprints(graph: &Graph<'_>) -> Vec<Option<Fingerprint>> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done(Option<Fingerprint>),
    }
    let mut states = vec![State::New; graph.subschemas.len()];
    let mut tasks: Vec<(usize, bool)> =
        (0..graph.subschemas.len()).rev().map(|p| (p, false)).collect();
    while let Some((index, ready)) = tasks.pop() {
        let (Some(part), Some(state)) = (graph.subschemas.get(index), states.get(index).copied())
        else {
            continue;
        };
        if ready {
            let print = fingerprint(graph, part, &|target| match states.get(target) {
                Some(State::Done(print)) => *print,
                _ => None,
            });
            if let Some(state) = states.get_mut(index) {
                *state = State::Done(print);
            }
        } else if state == State::New {
            if let Some(state) = states.get_mut(index) {
                *state = State::Open;
            }
            tasks.push((index, true));
            tasks.extend(part.edges.iter().map(|found| (found.target, false)));
        }
    }
    let print = |state| match state {
        State::Done(print) => print,
        State::New | State::Open => None,
    };
    states.into_iter().map(print).collect()
}

fn fingerprint(
    graph: &Graph<'_>,
    part: &Subschema<'_>,
    inside: &dyn Fn(usize) -> Option<Fingerprint>,
) -> Option<Fingerprint> {
    if let Some(alias) = part.alias {
        return inside(part.edges.get(alias)?.target);
    }
    let mut says: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for member in part.node.members() {
        let name = member.name();
        let Some(keyword) = keywords::find(&name, graph.dialect) else { continue };
        if matches!(keyword.role, Role::Assertion | Role::Pattern)
            && let Some((name, value)) = assertion(keyword.name, member.value)
        {
            says.entry(name).or_default().push(value);
        }
    }
    for found in &part.edges {
        if found.applies == Applies::Definition {
            continue;
        }
        let target = hex(inside(found.target)?);
        // All references mean the same: the value must match the target too.
        let keyword = if found.keyword.ends_with("Ref") || found.keyword == "$ref" {
            "allOf"
        } else {
            found.keyword
        };
        says.entry(keyword).or_default().push(match &found.step {
            Step::Name(name) => format!("{}{target}", json_text::quote(name)),
            // A list of one schema is not the same as the schema.
            Step::Index(_) if keyword == "items" => format!("#{target}"),
            Step::Value | Step::Index(_) => target,
        });
    }
    // Dialects differ in the parts that count as evaluated.
    if part.has_unevaluated() {
        says.insert("$schema", vec![format!("{:?}", graph.dialect)]);
    }
    if part.node.bool() == Some(false) {
        says.insert("false", Vec::new());
    }
    // A list of names in `dependencies` is not a subschema.
    for member in part.node.get("dependencies").into_iter().flat_map(Node::members) {
        if member.value.is_array() {
            let text = format!("{}{}", json_text::quote(&member.name()), set(member.value));
            says.entry("dependencies").or_default().push(text);
        }
    }
    Some(hash(says))
}

/// Returns the canonical name and value of a keyword, or `None` if the keyword has no
/// effect.
fn assertion(name: &'static str, value: Node<'_>) -> Option<(&'static str, String)> {
    let idle = match name {
        "minLength" | "minItems" | "minProperties" => value.number()?.to_i64() == Some(0),
        "uniqueItems" => value.bool() == Some(false),
        "required" => value.elements().next().is_none(),
        _ => false,
    };
    if idle {
        return None;
    }
    Some(match name {
        "const" => ("enum", format!("[{}]", canonical(value))),
        "type" if !value.is_array() => (name, format!("[{}]", canonical(value))),
        "type" | "enum" | "required" => (name, set(value)),
        _ => (name, canonical(value)),
    })
}

/// Formats an array whose order has no meaning.
fn set(value: Node<'_>) -> String {
    let mut values: Vec<_> = value.elements().map(canonical).collect();
    values.sort_unstable();
    values.dedup();
    format!("[{}]", values.join(","))
}

fn hash(says: BTreeMap<&str, Vec<String>>) -> Fingerprint {
    let mut text = String::new();
    for (keyword, mut values) in says {
        match keyword {
            "allOf" | "anyOf" => {
                values.sort_unstable();
                values.dedup();
            }
            // Only elements are ordered.
            "prefixItems" | "items" => {}
            _ => values.sort_unstable(),
        }
        text.push_str(keyword);
        for value in values {
            text.push('\u{1}');
            text.push_str(&value);
        }
        text.push('\n');
    }
    hmac_sha256::Hash::hash(text.as_bytes())
}

/// Combines several prints into one. Returns `None` if one is missing.
pub(super) fn combine<'p>(
    parts: impl IntoIterator<Item = (&'p str, Option<Fingerprint>)>,
) -> Option<Fingerprint> {
    let mut says: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (name, print) in parts {
        says.entry(name).or_default().push(hex(print?));
    }
    Some(hash(says))
}

/// Returns the print of a value.
pub(super) fn value_fingerprint(value: Node<'_>) -> Fingerprint {
    hmac_sha256::Hash::hash(canonical(value).as_bytes())
}

fn hex(print: Fingerprint) -> String {
    print.iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
