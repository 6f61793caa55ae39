//! Fingerprints of subschemas, by meaning.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::graph::{Graph, Step, Subschema};
use crate::keywords::{self, Applies, Role};
use json_text::Node;
use json_text::canonical;

/// The fingerprint of a part. Two parts with the same print accept the same values. It
/// ignores texts, identifiers, and the order of members and of sets.
pub(super) type Fingerprint = [u8; 32];

/// Returns the print of every part. A recursive part has none.
pub(super) fn fingerprints(graph: &Graph<'_>) -> Vec<Option<Fingerprint>> {
    let mut prints = vec![None; graph.subschemas.len()];
    let mut seen = vec![false; graph.subschemas.len()];
    let mut tasks: Vec<(usize, bool)> =
        (0..graph.subschemas.len()).rev().map(|part| (part, false)).collect();
    while let Some((index, is_ready)) = tasks.pop() {
        let (Some(part), Some(seen)) = (graph.subschemas.get(index), seen.get_mut(index)) else {
            continue;
        };
        if is_ready {
            let print = fingerprint(graph, part, &prints);
            if let Some(slot) = prints.get_mut(index) {
                *slot = print;
            }
        } else if !*seen {
            *seen = true;
            tasks.push((index, true));
            tasks.extend(part.edges.iter().map(|edge| (edge.target, false)));
        }
    }
    prints
}

/// Returns the print of a part. `known` has the prints of the parts inside it.
fn fingerprint(
    graph: &Graph<'_>,
    part: &Subschema<'_>,
    known: &[Option<Fingerprint>],
) -> Option<Fingerprint> {
    if let Some(reference) = part.alias() {
        return *known.get(reference.target)?;
    }
    let mut keywords: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for member in part.node.members() {
        if let Some(keyword) = keywords::find(&member.name(), graph.dialect)
            && matches!(keyword.role, Role::Assertion | Role::Pattern)
            && let Some((name, value)) = assertion(keyword.name, member.value)
        {
            keywords.entry(name).or_default().push(value);
        }
    }
    for edge in &part.edges {
        if edge.applies == Applies::Definition {
            continue;
        }
        let target = hex((*known.get(edge.target)?)?);
        // All references mean the same: the value must match the target too.
        let is_reference = edge.keyword.ends_with("Ref") || edge.keyword == "$ref";
        let keyword = if is_reference { "allOf" } else { edge.keyword };
        keywords.entry(keyword).or_default().push(match &edge.step {
            Step::Name(name) => format!("{}{target}", json_text::quote(name)),
            // A list of one schema is not the same as the schema.
            Step::Index(_) if keyword == "items" => format!("#{target}"),
            Step::Value | Step::Index(_) => target,
        });
    }
    // Dialects differ in the parts that count as evaluated.
    if part.has_unevaluated() {
        keywords.insert("$schema", vec![format!("{:?}", graph.dialect)]);
    }
    if part.is_false() {
        keywords.insert("false", Vec::new());
    }
    // A list of names in `dependencies` is not a subschema.
    if let Some(dependencies) = part.node.get("dependencies") {
        for member in dependencies.members() {
            if member.value.is_array() {
                let text = format!("{}{}", json_text::quote(&member.name()), set(member.value));
                keywords.entry("dependencies").or_default().push(text);
            }
        }
    }
    Some(hash(keywords))
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

fn hash(keywords: BTreeMap<&str, Vec<String>>) -> Fingerprint {
    let mut text = String::new();
    for (keyword, mut values) in keywords {
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
    let mut named: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (name, print) in parts {
        named.entry(name).or_default().push(hex(print?));
    }
    Some(hash(named))
}

/// Returns the print of a value.
pub(super) fn value_fingerprint(value: Node<'_>) -> Fingerprint {
    hmac_sha256::Hash::hash(canonical(value).as_bytes())
}

fn hex(print: Fingerprint) -> String {
    let mut text = String::with_capacity(64);
    for byte in print {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
