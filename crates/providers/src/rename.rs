//! Renames properties whose names the target refuses.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Diagnostic, Pointer};
use json_text::Node;

use crate::change::ChangeKind;
use crate::names::NameGrammar;
use crate::parts::{KeywordValue, Part, SchemaParts, parse_value};
use crate::rules;

/// Returns new names for the properties whose names the target refuses. Fails if two
/// properties would get one name. If there are new names, also fails if the schema
/// constrains names by pattern or lists whole objects.
pub(crate) fn rename(
    schema: &SchemaParts,
    grammar: &NameGrammar,
) -> Result<BTreeMap<String, String>, Diagnostic> {
    let mut places: BTreeMap<String, Pointer> = BTreeMap::new();
    let mut renamed: BTreeMap<String, String> = BTreeMap::new();
    for id in schema.reachable(0) {
        let part = schema.get(id);
        for (name, _) in part.properties() {
            if !grammar.accepts(name) {
                renamed.insert(name.clone(), grammar.fit(name).into_owned());
            }
            places.entry(name.clone()).or_insert_with(|| part.at_property(name));
        }
        for (name, keyword) in names_outside_properties(part) {
            places.entry(name).or_insert_with(|| part.at(keyword));
        }
    }
    let mut taken = BTreeSet::new();
    for (name, new) in &renamed {
        if places.contains_key(new) || !taken.insert(new) {
            let at = places.remove(name).unwrap_or(Pointer::root());
            return Err(rules::PROPERTY_CLASH.at_pointer(at, "two properties would have one name"));
        }
    }
    if !renamed.is_empty() {
        check_no_patterns(schema)?;
    }
    Ok(renamed)
}

/// Returns the places of renamed properties.
pub(crate) fn renamed_places(
    schema: &SchemaParts,
    renamed: &BTreeMap<String, String>,
) -> Vec<(Pointer, ChangeKind)> {
    let mut places = Vec::new();
    if renamed.is_empty() {
        return places;
    }
    for id in schema.reachable(0) {
        let part = schema.get(id);
        for (name, _) in part.properties() {
            if renamed.contains_key(name) {
                places.push((part.at_property(name), ChangeKind::Renamed));
            }
        }
    }
    places
}

/// Returns the member names in keywords other than `properties`, each with its keyword.
fn names_outside_properties(part: &Part) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    for keyword in ["required", "dependentRequired"] {
        let Some(text) = part.json(keyword) else { continue };
        parse_value(text, |value| {
            for name in value.descendants().filter_map(Node::text) {
                found.push((name.into_owned(), keyword));
            }
            for member in value.members() {
                found.push((member.name().into_owned(), keyword));
            }
        });
    }
    for (name, _) in part.named("dependentSchemas") {
        found.push((name.clone(), "dependentSchemas"));
    }
    found
}

/// Fails if the schema constrains names by pattern or lists whole objects: a renamed
/// property would have another meaning there.
fn check_no_patterns(schema: &SchemaParts) -> Result<(), Diagnostic> {
    for id in schema.reachable(0) {
        let part = schema.get(id);
        for keyword in ["patternProperties", "propertyNames", "enum", "const"] {
            let may_mean_renamed = match part.keyword(keyword) {
                Some(KeywordValue::Json(text)) => {
                    parse_value(text, |value| value.descendants().any(Node::is_object))
                }
                Some(_) => true,
                None => false,
            };
            if may_mean_renamed {
                let message = "a property that must be renamed could be meant here, too";
                return Err(rules::PROPERTY_CLASH.at_pointer(part.at(keyword), message));
            }
        }
    }
    Ok(())
}
