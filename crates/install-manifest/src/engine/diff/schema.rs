//! Compares input schemas, by the effect on callers.

use std::collections::BTreeSet;

use compare::{Class, Record, equal_json, input_class};
use manifest_core::json::{Document, MemberIndex, Node, Raw};
use manifest_core::{Limits, Pointer, quoted};

use super::change::Diff;

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
    let parsed = (
        Document::parse(old.as_str().as_bytes(), limits),
        Document::parse(new.as_str().as_bytes(), limits),
    );
    match parsed {
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
                for (old, new) in old.elements().zip(new.elements()) {
                    pending.push((old, new, false, &[]));
                }
            } else if !old.same_value(new) {
                return false;
            }
            continue;
        }
        let others = new.index_members();
        let mut found = 0;
        for member in old.members() {
            let name = member.name();
            if !counts(&name, named, but) {
                continue;
            }
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
        if new.members().filter(|member| counts(&member.name(), named, but)).count() != found {
            return false;
        }
    }
    true
}

/// Returns true if a member counts for equality. In an object whose members the author
/// named, all of them do.
fn counts(name: &str, named: bool, but: &[&str]) -> bool {
    named || !(TEXT_KEYWORDS.contains(&name) || but.contains(&name))
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
    if is_closed(after) && !is_closed(before) {
        let message = "other properties are refused now";
        diff.breaking("input-additional-properties-closed", at, message);
    }
    if !equal_nodes(before, after, SEPARATE_KEYWORDS) {
        diff.breaking("input-schema-changed", at, "the input looks different");
    }
    let breaks = diff.changes.iter().skip(found).any(|change| change.class == Class::Breaking);
    if breaks || equal_json(old, new) {
        return;
    }
    // No keyword breaks calls by itself. Ask the schema comparison if they do together.
    match input_class(old_schema, new_schema, limits) {
        Some(Class::Breaking | Class::Undecided) => {
            diff.breaking("input-schema-changed", at, "the input looks different");
        }
        Some(Class::Additive) if diff.changes.len() == found => {
            diff.additive("input-schema-extended", at, "the input can be something else, too");
        }
        _ if diff.changes.len() == found => {
            diff.prompt("docs-text-changed", at, "the input is described in other words");
        }
        _ => {}
    }
}

fn is_closed(schema: Node<'_>) -> bool {
    match schema.get("additionalProperties") {
        Some(rule) => rule.bool() == Some(false),
        None => false,
    }
}

/// Returns the names that `required` lists.
fn required_names(schema: Node<'_>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for name in schema.get("required").into_iter().flat_map(Node::elements) {
        if let Some(name) = name.text() {
            names.insert(name.into_owned());
        }
    }
    names
}

fn compare_properties(before: Node<'_>, after: Node<'_>, at: &str, diff: &mut Diff) {
    let (must_before, must_after) = (required_names(before), required_names(after));
    // An object without `properties` has no properties.
    let (old, new) = (before.get("properties"), after.get("properties"));
    let known = old.map(Node::index_members);
    let still = new.map(Node::index_members);
    let properties = Pointer::from_trusted(at).push("properties");
    for member in old.into_iter().flat_map(Node::members) {
        let name = member.name();
        if !has_member(still.as_ref(), &name) {
            let message = format!("{} is not taken any more", quoted(&name));
            let at = properties.clone().push(&name);
            diff.breaking("input-removed", at.as_str(), message);
        }
    }
    for name in must_after.difference(&must_before) {
        if !has_member(still.as_ref(), name) {
            diff.breaking("input-now-required", at, format!("{} must be given now", quoted(name)));
        }
    }
    for member in new.into_iter().flat_map(Node::members) {
        let name = member.name();
        let (at, shown) = (properties.clone().push(&name).to_string(), quoted(&name));
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

fn has_member(index: Option<&MemberIndex<'_>>, name: &str) -> bool {
    index.is_some_and(|index| index.get(name).is_some())
}

/// Returns true if two schemas have the same value of a keyword, or both lack it.
fn same_keyword(old: Node<'_>, new: Node<'_>, name: &str) -> bool {
    match (old.get(name), new.get(name)) {
        (None, None) => true,
        (Some(old), Some(new)) => old.same_value(new),
        _ => false,
    }
}

fn compare_property(old: Node<'_>, new: Node<'_>, at: &str, shown: &str, diff: &mut Diff) {
    if !same_keyword(old, new, "type") {
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
    } else if !same_keyword(old, new, "default") {
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
    } else if TEXT_KEYWORDS.iter().any(|name| !same_keyword(old, new, name)) {
        diff.prompt("docs-text-changed", at, format!("{shown} is described in other words"));
    }
}
