//! Changes that do not affect validity: texts and defaults.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::change::{ChangeKind, Direction, SchemaChange};
use super::side::ComparedSchema;
use crate::graph::Subschema;
use crate::keywords::{self, Applies, Role};
use diagnostic::Pointer;
use json_text::canonical;

/// Compares the annotations of parts that are at the same place in both schemas.
pub(super) fn annotation_changes(
    old: &ComparedSchema<'_>,
    new: &ComparedSchema<'_>,
    direction: Direction,
    limit: usize,
) -> Vec<SchemaChange> {
    let mut old_parts: BTreeMap<Pointer, &Subschema<'_>> = BTreeMap::new();
    for part in &old.graph.subschemas {
        old_parts.insert(part.node.pointer(), part);
    }
    let mut found = Vec::new();
    for part in &new.graph.subschemas {
        let pointer = part.node.pointer();
        let Some(old_part) = old_parts.get(&pointer) else { continue };
        if part.node.raw() == old_part.node.raw() {
            continue;
        }
        let is_input = direction == Direction::Input;
        let change = match (default(old_part), default(part)) {
            (was, is) if was == is => None,
            (None, Some(_)) if is_input => {
                Some((ChangeKind::DefaultAdded, pointer.clone().push("default"), Some(true)))
            }
            // Calls that omit the member now mean something else.
            (Some(_), _) if is_input => Some((ChangeKind::DefaultChanged, pointer.clone(), None)),
            _ => Some((ChangeKind::Reworded, pointer.clone(), Some(true))),
        };
        if let Some((kind, pointer, safe)) = change {
            found.push(SchemaChange { kind, pointer, safe });
        }
        if annotations(old, old_part) != annotations(new, part) {
            found.push(SchemaChange { kind: ChangeKind::Reworded, pointer, safe: Some(true) });
        }
        if found.len() >= limit {
            break;
        }
    }
    found
}

fn default(part: &Subschema<'_>) -> Option<String> {
    part.node.get("default").map(canonical)
}

/// The maximum number of members that are compared for their defaults.
const MAX_MEMBERS: usize = 200_000;

/// Finds changed and removed defaults of members whose schema is now at another place,
/// because of a reference. Defaults at the same place in both schemas are left to
/// [`annotation_changes`].
pub(super) fn moved_defaults(
    old: &ComparedSchema<'_>,
    new: &ComparedSchema<'_>,
    limit: usize,
) -> Vec<SchemaChange> {
    let mut found = Vec::new();
    let mut pending = VecDeque::from([(0, 0)]);
    let mut seen = BTreeSet::from([(0, 0)]);
    let mut left = MAX_MEMBERS;
    if !old.graph.subschemas.iter().any(|part| part.node.get("default").is_some()) {
        return found;
    }
    while let Some((before, after)) = pending.pop_front() {
        let (Some(was), Some(is), Some(before), Some(after)) = (
            old.part(old.graph.resolve_alias(before)),
            new.part(new.graph.resolve_alias(after)),
            old.part(before),
            new.part(after),
        ) else {
            continue;
        };
        let is_noted = default(before) != default(after) || was.node.pointer() == is.node.pointer();
        if !is_noted && default(was).is_some() && default(was) != default(is) {
            let pointer = after.node.pointer();
            found.push(SchemaChange { kind: ChangeKind::DefaultChanged, pointer, safe: None });
        }
        let Some(rest) = left.checked_sub(was.edges.len() + is.edges.len()) else {
            let pointer = Pointer::root();
            found.push(SchemaChange { kind: ChangeKind::Undecided, pointer, safe: None });
            break;
        };
        if found.len() >= limit {
            break;
        }
        left = rest;
        let new_members: BTreeMap<&str, usize> = members(is).collect();
        for (name, before) in members(was) {
            if let Some(after) = new_members.get(name)
                && seen.insert((before, *after))
            {
                pending.push_back((before, *after));
            }
        }
    }
    found
}

/// Returns the members that a part names.
fn members<'p>(part: &'p Subschema<'_>) -> impl Iterator<Item = (&'p str, usize)> {
    let members = part.edges.iter().filter(|edge| edge.applies == Applies::Property);
    members.map(|edge| (edge.name(), edge.target))
}

/// Returns the annotations and unknown keywords of a part, except its default.
fn annotations<'n>(
    side: &ComparedSchema<'_>,
    part: &'n Subschema<'_>,
) -> BTreeMap<Cow<'n, str>, String> {
    let mut annotations = BTreeMap::new();
    for member in part.node.members() {
        let keyword = keywords::find(&member.name(), side.graph.dialect);
        let is_annotation = keyword.is_none_or(|keyword| keyword.role == Role::Annotation);
        if is_annotation && !member.has_name("default") {
            annotations.insert(member.name(), canonical(member.value));
        }
    }
    annotations
}
