//! Renames properties whose names the target refuses.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Diagnostic, Pointer};
use json_text::Node;

use crate::change::ChangeKind;
use crate::graph::{Graph, KeywordValue, Subschema, parse_value};
use crate::names::NameGrammar;
use crate::rules;

/// Returns new names for the properties whose names the target refuses. Fails if two
/// properties would get one name. If there are new names, also fails if the schema
/// constrains names by pattern or lists whole objects.
pub(crate) fn rename(
    graph: &Graph,
    grammar: &NameGrammar,
) -> Result<BTreeMap<String, String>, Diagnostic> {
    let mut names: BTreeMap<String, Pointer> = BTreeMap::new();
    let mut renamed: BTreeMap<String, String> = BTreeMap::new();
    for id in graph.reachable(0) {
        let part = graph.get(id);
        for (name, _) in part.map("properties") {
            if !grammar.accepts(name) {
                renamed.insert(name.clone(), grammar.fit(name).into_owned());
            }
            names.entry(name.clone()).or_insert_with(|| part.at("properties").push(name));
        }
        for (name, word) in names_outside_properties(part) {
            names.entry(name).or_insert_with(|| part.at(word));
        }
    }
    let mut taken = BTreeSet::new();
    let twin = renamed.iter().find(|(_, to)| names.contains_key(*to) || !taken.insert(*to));
    if let Some((name, _)) = twin {
        let at = names.get(name).cloned().unwrap_or_default();
        return Err(rules::PROPERTY_CLASH.at_pointer(at, "two properties would have one name"));
    }
    if !renamed.is_empty() {
        check_no_patterns(graph)?;
    }
    Ok(renamed)
}

/// Returns the places of renamed properties.
pub(crate) fn renamed_places(
    graph: &Graph,
    renamed: &BTreeMap<String, String>,
) -> Vec<(Pointer, ChangeKind)> {
    let mut places = Vec::new();
    if renamed.is_empty() {
        return places;
    }
    for id in graph.reachable(0) {
        let part = graph.get(id);
        let names = part.map("properties").iter().map(|(name, _)| name);
        let names = names.filter(|name| renamed.contains_key(*name));
        places.extend(names.map(|name| (part.at("properties").push(name), ChangeKind::Renamed)));
    }
    places
}

/// Returns the member names in keywords other than `properties`, each with its keyword.
fn names_outside_properties(part: &Subschema) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    for word in ["required", "dependentRequired"] {
        let Some(text) = part.json(word) else { continue };
        let names = parse_value(text, |value| -> Vec<String> {
            let listed = value.descendants().filter_map(Node::text).map(Cow::into_owned);
            let keys = value.members().map(|member| member.name().into_owned());
            listed.chain(keys).collect()
        });
        found.extend(names.into_iter().flatten().map(|name| (name, word)));
    }
    let schemas = part.map("dependentSchemas").iter();
    found.extend(schemas.map(|(name, _)| (name.clone(), "dependentSchemas")));
    found
}

/// Fails if the schema constrains names by pattern or lists whole objects: a renamed
/// property would have another meaning there.
fn check_no_patterns(graph: &Graph) -> Result<(), Diagnostic> {
    for id in graph.reachable(0) {
        let part = graph.get(id);
        let objects = |text: &str| {
            parse_value(text, |value| value.descendants().any(Node::is_object)).unwrap_or_default()
        };
        let words = ["patternProperties", "propertyNames", "enum", "const"];
        let found = words.into_iter().find(|word| match part.keyword(word) {
            Some(KeywordValue::Json(text)) => objects(text),
            Some(_) => true,
            None => false,
        });
        if let Some(word) = found {
            let message = "a property that must be renamed could be meant here, too";
            return Err(rules::PROPERTY_CLASH.at_pointer(part.at(word), message));
        }
    }
    Ok(())
}
