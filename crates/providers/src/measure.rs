//! Checks the size of a schema against the limits of a target.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Diagnostic, Pointer};

use crate::dialect::Sizes;
use crate::graph::{Graph, Id, parse_value};
use crate::rules;
use crate::write::{Spelling, definition_names};

/// The counts so far.
#[derive(Default)]
struct SizeCounts {
    properties: usize,
    characters: usize,
    values: usize,
}

/// Checks all limits. The error is at the first place past one.
pub(crate) fn check_sizes(
    graph: &Graph,
    spelling: &Spelling,
    sizes: &Sizes,
) -> Result<(), Diagnostic> {
    let definitions = definition_names(graph, 0, spelling);
    let mut used = SizeCounts::default();
    if let Some(wrap) = spelling.wrap {
        used.properties = 1;
        used.characters = wrap.len();
    }
    for id in graph.reachable(0) {
        let part = graph.get(id);
        if let Some(name) = definitions.get(&id) {
            used.characters += name.len();
            let at = || part.at.clone();
            check_limit(used.characters, sizes.characters, "characters in names and values", at)?;
        }
        for (name, _) in part.map("properties") {
            used.properties += 1;
            used.characters += name.chars().count();
            let at = || part.at("properties").push(name);
            check_limit(used.properties, sizes.properties, "properties in all", at)?;
            check_limit(used.characters, sizes.characters, "characters in names and values", at)?;
        }
        for word in ["enum", "const"] {
            let Some(text) = part.json(word) else { continue };
            let lengths = parse_value(text, |value| {
                let one = (word == "const").then_some(value);
                let all = value.elements().filter(|_| word == "enum").chain(one);
                all.map(|value| value.text().map_or(value.raw().len(), |text| text.chars().count()))
                    .collect::<Vec<_>>()
            });
            let lengths = lengths.unwrap_or_default();
            let characters: usize = lengths.iter().sum();
            used.characters += characters;
            used.values += if word == "enum" { lengths.len() } else { 0 };
            let at = || part.at(word);
            check_limit(used.values, sizes.values, "enum values in all", at)?;
            check_limit(used.characters, sizes.characters, "characters in names and values", at)?;
            if lengths.len() > sizes.long_enum.0 {
                check_limit(characters, sizes.long_enum.1, "characters in one long enum", at)?;
            }
        }
    }
    let outermost = if spelling.wrap.is_some() { 2 } else { 1 };
    check_depth(graph, outermost, &definitions, sizes.depth)
}

fn check_limit(
    found: usize,
    most: usize,
    what: &str,
    at: impl FnOnce() -> Pointer,
) -> Result<(), Diagnostic> {
    if found <= most {
        return Ok(());
    }
    Err(rules::LIMIT.at_pointer(at(), format!("more than {most} {what}")))
}

/// Checks how deep objects and lists are nested. A reference adds no depth, because its
/// target is written elsewhere.
fn check_depth(
    graph: &Graph,
    outermost: usize,
    definitions: &BTreeMap<Id, String>,
    most: usize,
) -> Result<(), Diagnostic> {
    let mut seen = BTreeSet::from([0]);
    let mut pending = vec![(0, if definitions.contains_key(&0) { 1 } else { outermost })];
    while let Some((id, level)) = pending.pop() {
        let part = graph.get(id);
        check_limit(level, most, "levels of nesting", || part.at.clone())?;
        for (name, word) in &part.keywords {
            let level = match name.as_str() {
                "properties" | "items" => level + 1,
                _ => level,
            };
            for id in word.parts().into_iter().filter(|id| seen.insert(*id)) {
                if definitions.contains_key(&id) {
                    pending.push((id, 1));
                } else if !is_leaf(graph, id) {
                    pending.push((id, level));
                }
            }
        }
    }
    Ok(())
}

/// Returns true if a part contains no other parts, so that it adds no depth.
fn is_leaf(graph: &Graph, id: Id) -> bool {
    let part = graph.get(id);
    !["properties", "items", "anyOf", "$ref"].iter().any(|word| part.keyword(word).is_some())
}
