//! Compares input schemas, by the effect on callers.

use std::collections::BTreeSet;

use manifest_core::json::{Document, Node, Raw};
use manifest_core::{Limits, Pointer, ToolDescriptor, quoted};

use super::change::{Change, Class, Diff};
use super::equality::equal_json;

/// Keywords for readers, without effect on validation.
const TEXT_KEYWORDS: &[&str] = &["title", "description", "examples", "$comment"];
/// Keywords whose members are named by the author.
const MAP_KEYWORDS: &[&str] = &[
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
];
/// Keywords whose values are data. Members of such a value are not keywords.
const DATA_KEYWORDS: &[&str] = &["const", "enum", "default"];
/// The maximum length of lists that are compared value by value. Longer ones are compared
/// as a whole.
const MAX_ENUM_VALUES: usize = 1000;
/// Keywords with a comparison of their own.
const SEPARATE_KEYWORDS: &[&str] = &["properties", "required", "additionalProperties"];

/// Returns true if two schemas are equal apart from the keywords in `TEXT_KEYWORDS`.
pub(super) fn equal_schemas(old: &Raw<'_>, new: &Raw<'_>, limits: &Limits) -> bool {
    let parse = |text| Document::parse(text, limits);
    match (parse(old.as_str().as_bytes()), parse(new.as_str().as_bytes())) {
        (Ok(old), Ok(new)) => equal_nodes(old.root(), new.root(), &[]),
        _ => old == new,
    }
}

/// Returns true if two schemas are equal apart from the keywords in `TEXT_KEYWORDS`, and apart from
/// those in `but` at the top level.
fn equal_nodes(old: Node<'_>, new: Node<'_>, but: &[&str]) -> bool {
    // The flag of each pair is true if the author named its members.
    let mut pending = vec![(old, new, false, but)];
    while let Some((old, new, named, but)) = pending.pop() {
        if !old.is_object() || !new.is_object() {
            if old.is_array() && new.is_array() {
                if old.elements().count() != new.elements().count() {
                    return false;
                }
                let pairs = old.elements().zip(new.elements());
                pending.extend(pairs.map(|(old, new)| (old, new, false, &[][..])));
            } else if !old.same_value(new) {
                return false;
            }
            continue;
        }
        let counts = |name: &str| named || !(TEXT_KEYWORDS.contains(&name) || but.contains(&name));
        let others = new.index_members();
        let mut found = 0;
        for member in old.members().filter(|member| counts(&member.name())) {
            let name = member.name();
            let Some(other) = others.get(&name) else { return false };
            found += 1;
            if !named && DATA_KEYWORDS.contains(&name.as_ref()) {
                if !member.value.same_value(other) {
                    return false;
                }
                continue;
            }
            let named = !named && MAP_KEYWORDS.contains(&name.as_ref());
            pending.push((member.value, other, named, &[]));
        }
        if new.members().filter(|member| counts(&member.name())).count() != found {
            return false;
        }
    }
    true
}

/// Compares the input of an action.
pub(super) fn compare_input(
    old: Option<&Raw<'_>>,
    new: Option<&Raw<'_>>,
    at: &str,
    limits: &Limits,
    diff: &mut Diff,
) {
    // No schema means no input.
    let none = Raw::from_static("{}");
    let (old_schema, new_schema) = (old.unwrap_or(&none), new.unwrap_or(&none));
    let (old, new) = (old_schema.as_str(), new_schema.as_str());
    let parsed = (Document::parse(old.as_bytes(), limits), Document::parse(new.as_bytes(), limits));
    let (Ok(before), Ok(after)) = parsed else {
        if old != new {
            diff.breaking("input-schema-changed", at, "the input looks different");
        }
        return;
    };
    let (before, after) = (before.root(), after.root());
    let found = diff.changes.len();
    compare_properties(before, after, at, diff);
    let closed =
        |schema: Node<'_>| schema.get("additionalProperties").and_then(Node::bool) == Some(false);
    if closed(after) && !closed(before) {
        let message = "other properties are refused now";
        diff.breaking("input-additional-properties-closed", at, message);
    }
    if !equal_nodes(before, after, SEPARATE_KEYWORDS) {
        diff.breaking("input-schema-changed", at, "the input looks different");
    }
    let breaks = |change: &Change| change.class == Class::Breaking;
    if diff.changes.iter().skip(found).any(breaks) || equal_json(old, new, limits) {
        return;
    }
    // No keyword breaks calls by itself. Ask the schema comparison if they do together.
    match worst_class(old_schema, new_schema, limits) {
        Some(compare::Class::Breaking | compare::Class::Undecided) => {
            diff.breaking("input-schema-changed", at, "the input looks different");
        }
        Some(compare::Class::Additive) if diff.changes.len() == found => {
            diff.additive("input-schema-extended", at, "the input can be something else, too");
        }
        _ if diff.changes.len() == found => {
            diff.prompt("docs-text-changed", at, "the input is described in other words");
        }
        _ => {}
    }
}

/// Returns the worst effect of a schema change on callers.
fn worst_class(old: &Raw<'_>, new: &Raw<'_>, limits: &Limits) -> Option<compare::Class> {
    let tool = |schema: &Raw<'_>| {
        let input_schema = Some(schema.clone().into_owned().into());
        ToolDescriptor { input_schema, ..ToolDescriptor::default() }
    };
    let found = compare::tools(&tool(old), &tool(new), limits);
    found.changes.iter().map(|change| change.class).min()
}

fn compare_properties(before: Node<'_>, after: Node<'_>, at: &str, diff: &mut Diff) {
    let required = |schema: Node<'_>| {
        let names = schema.get("required").into_iter().flat_map(Node::elements);
        names.filter_map(|name| Some(name.text()?.into_owned())).collect::<BTreeSet<String>>()
    };
    let (must_before, must_after) = (required(before), required(after));
    let still = after.get("properties").map(Node::index_members);
    let known = before.get("properties").map(Node::index_members);
    let place = |name: &str| {
        let root = Pointer::parse(at).unwrap_or_default();
        root.push("properties").push(name).to_string()
    };
    for member in before.get("properties").into_iter().flat_map(Node::members) {
        let name = member.name();
        if still.as_ref().is_none_or(|still| still.get(&name).is_none()) {
            let message = format!("{} is not taken any more", quoted(&name));
            diff.breaking("input-removed", &place(&name), message);
        }
    }
    let unnamed = |name: &&String| still.as_ref().is_none_or(|still| still.get(name).is_none());
    for name in must_after.difference(&must_before).filter(unnamed) {
        diff.breaking("input-now-required", at, format!("{} must be given now", quoted(name)));
    }
    for member in after.get("properties").into_iter().flat_map(Node::members) {
        let name = member.name();
        let (at, shown) = (place(&name), quoted(&name));
        let Some(old) = known.as_ref().and_then(|known| known.get(&name)) else {
            if must_after.contains(name.as_ref()) {
                diff.breaking("input-added-required", &at, format!("{shown} must be given"));
            } else {
                diff.additive("input-added", &at, format!("{shown} is new"));
            }
            continue;
        };
        let (was, is) = (must_before.contains(name.as_ref()), must_after.contains(name.as_ref()));
        if is && !was {
            diff.breaking("input-now-required", &at, format!("{shown} must be given now"));
        } else if was && !is {
            diff.additive("input-now-optional", &at, format!("{shown} may be left out now"));
        }
        compare_property(old, member.value, &at, &shown, diff);
    }
}

fn compare_property(old: Node<'_>, new: Node<'_>, at: &str, shown: &str, diff: &mut Diff) {
    let same = |name: &str| match (old.get(name), new.get(name)) {
        (None, None) => true,
        (Some(old), Some(new)) => old.same_value(new),
        _ => false,
    };
    if !same("type") {
        diff.breaking("input-type-changed", at, format!("{shown} has another type"));
    }
    match (old.get("enum"), new.get("enum")) {
        (None, Some(_)) => {
            diff.breaking("input-enum-added", at, format!("{shown} takes certain values only"));
        }
        (Some(_), None) => {
            diff.additive("input-enum-removed", at, format!("{shown} takes any value"));
        }
        (Some(old), Some(new)) => {
            // Values are compared pairwise, unless that would take too long.
            let short = old.elements().count().max(new.elements().count()) <= MAX_ENUM_VALUES;
            let within = |value: Node<'_>, list: Node<'_>| {
                if short {
                    list.elements().any(|known| known.same_value(value))
                } else {
                    old.same_value(new)
                }
            };
            if old.elements().any(|value| !within(value, new)) {
                diff.breaking("input-enum-narrowed", at, format!("{shown} takes fewer values"));
            } else if new.elements().any(|value| !within(value, old)) {
                diff.additive("input-enum-widened", at, format!("{shown} takes more values"));
            }
        }
        (None, None) => {}
    }
    if !equal_nodes(old, new, &["type", "enum", "default"]) {
        let message = format!("{shown} is constrained in another way");
        diff.breaking("input-constraint-changed", at, message);
    } else if !same("default") {
        // Calls that omit the property rely on its default.
        match (old.get("default"), new.get("default")) {
            (None, _) => {
                diff.additive("input-default-added", at, format!("{shown} has a default"));
            }
            (_, None) => {
                let message = format!("{shown} has no default any more");
                diff.breaking("input-default-removed", at, message);
            }
            _ => {
                let message = format!("{shown} has another default");
                diff.breaking("input-default-changed", at, message);
            }
        }
    } else if TEXT_KEYWORDS.iter().any(|name| !same(name)) {
        diff.prompt("docs-text-changed", at, format!("{shown} is described in other words"));
    }
}
