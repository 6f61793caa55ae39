//! Checks the size of a schema against the limits of a target.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Diagnostic, Pointer};
use json_text::Node;

use crate::dialect::Sizes;
use crate::parts::{Id, SchemaParts, parse_value};
use crate::rules;
use crate::write::{Spelling, definition_names};

const CHARACTERS: &str = "characters in names and values";

/// Checks all limits. The error is at the first place past one.
pub(crate) fn check_sizes(
    schema: &SchemaParts,
    spelling: &Spelling,
    sizes: &Sizes,
) -> Result<(), Diagnostic> {
    let definitions = definition_names(schema, 0, spelling);
    let (mut properties, mut characters, mut values) = (0, 0, 0);
    if let Some(wrap) = spelling.wrap {
        properties = 1;
        characters = wrap.len();
    }
    for id in schema.reachable(0) {
        let part = schema.get(id);
        if let Some(name) = definitions.get(&id) {
            characters += name.len();
            check_limit(characters, sizes.characters, CHARACTERS, || part.at.clone())?;
        }
        for (name, _) in part.properties() {
            properties += 1;
            characters += name.chars().count();
            let at = || part.at_property(name);
            check_limit(properties, sizes.properties, "properties in all", at)?;
            check_limit(characters, sizes.characters, CHARACTERS, at)?;
        }
        for keyword in ["enum", "const"] {
            let Some(text) = part.json(keyword) else { continue };
            let lengths = parse_value(text, |value| -> Vec<usize> {
                if keyword == "const" {
                    return vec![length(value)];
                }
                value.elements().map(length).collect()
            });
            let in_list: usize = lengths.iter().sum();
            characters += in_list;
            if keyword == "enum" {
                values += lengths.len();
            }
            let at = || part.at(keyword);
            check_limit(values, sizes.values, "enum values in all", at)?;
            check_limit(characters, sizes.characters, CHARACTERS, at)?;
            if lengths.len() > sizes.long_enum.0 {
                check_limit(in_list, sizes.long_enum.1, "characters in one long enum", at)?;
            }
        }
    }
    let outermost = if spelling.wrap.is_some() { 2 } else { 1 };
    check_depth(schema, outermost, &definitions, sizes.depth)
}

/// Returns the number of characters of a listed value.
fn length(value: Node<'_>) -> usize {
    match value.text() {
        Some(text) => text.chars().count(),
        None => value.raw().len(),
    }
}

fn check_limit(
    count: usize,
    most: usize,
    what: &str,
    at: impl FnOnce() -> Pointer,
) -> Result<(), Diagnostic> {
    if count <= most {
        return Ok(());
    }
    Err(rules::LIMIT.at_pointer(at(), format!("more than {most} {what}")))
}

/// Checks how deep objects and lists are nested. A reference adds no depth, because its
/// target is written elsewhere.
fn check_depth(
    schema: &SchemaParts,
    outermost: usize,
    definitions: &BTreeMap<Id, String>,
    most: usize,
) -> Result<(), Diagnostic> {
    let mut seen = BTreeSet::from([0]);
    let mut pending = vec![(0, if definitions.contains_key(&0) { 1 } else { outermost })];
    while let Some((id, level)) = pending.pop() {
        let part = schema.get(id);
        check_limit(level, most, "levels of nesting", || part.at.clone())?;
        for (name, value) in &part.keywords {
            let goes_in = matches!(name.as_str(), "properties" | "items");
            let level = if goes_in { level + 1 } else { level };
            for id in value.parts() {
                if !seen.insert(id) {
                    continue;
                }
                if definitions.contains_key(&id) {
                    pending.push((id, 1));
                } else if !is_leaf(schema, id) {
                    pending.push((id, level));
                }
            }
        }
    }
    Ok(())
}

/// Returns true if a part contains no other parts, so that it adds no depth.
fn is_leaf(schema: &SchemaParts, id: Id) -> bool {
    let part = schema.get(id);
    !["properties", "items", "anyOf", "$ref"].iter().any(|keyword| part.has(keyword))
}
