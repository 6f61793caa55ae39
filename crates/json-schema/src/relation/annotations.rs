//! Changes that do not affect validity: texts and defaults.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::super::graph::Subschema;
use super::super::keywords::{self, Applies, Role};
use super::change::{ChangeKind, Direction, SchemaChange};
use super::side::ComparedSchema;
use diagnostic::Pointer;
use json_text::canonical;

/// Compares the annotations of parts that are at the same place in both schemas.
pub(super) fn annotation_changes(
    old: &ComparedSchema<'_>,
    new: &ComparedSchema<'_>,
    direction: Direction,
    limit: usize,
) -> Vec<SchemaChange> {
    let before: BTreeMap<Pointer, &Subschema<'_>> =
        old.graph.subschemas.iter().map(|part| (part.node.pointer(), part)).collect();
    let mut found = Vec::new();
    for part in &new.graph.subschemas {
        let at = part.node.pointer();
        let Some(other) = before.get(&at) else { continue };
        if part.node.raw() == other.node.raw() {
            continue;
        }
        let default = |part: &Subschema<'_>| part.node.get("default").map(canonical);
        let input = direction == Direction::Input;
        match (default(other), default(part)) {
            (was, is) if was == is => {}
            (None, Some(_)) if input => {
                let at = at.clone().push("default");
                found.push(SchemaChange {
                    kind: ChangeKind::DefaultAdded,
                    pointer: at,
                    safe: Some(true),
                });
            }
            // Calls that omit the member now mean something else.
            (Some(_), _) if input => {
                found.push(SchemaChange {
                    kind: ChangeKind::DefaultChanged,
                    pointer: at.clone(),
                    safe: None,
                });
            }
            _ => {
                found.push(SchemaChange {
                    kind: ChangeKind::Reworded,
                    pointer: at.clone(),
                    safe: Some(true),
                });
            }
        }
        if annotations(old, other) != annotations(new, part) {
            found.push(SchemaChange { kind: ChangeKind::Reworded, pointer: at, safe: Some(true) });
        }
        if found.len() >= limit {
            break;
        }
    }
    found
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
    let default = |part: &Subschema<'_>| part.node.get("default").map(canonical);
    let mut found = Vec::new();
    let mut pending = VecDeque::from([(0, 0)]);
    let mut seen = BTreeSet::from([(0, 0)]);
    let mut left = MAX_MEMBERS;
    if !old.graph.subschemas.iter().any(|part| part.node.get("default").is_some()) {
        return found;
    }
    while let Some((before, after)) = pending.pop_front() {
        let (was, is) = (old.graph.resolve_alias(before), new.graph.resolve_alias(after));
        let ends = old.graph.subschemas.get(was).zip(new.graph.subschemas.get(is));
        let Some((was, is)) = ends else { continue };
        let own = old.graph.subschemas.get(before).zip(new.graph.subschemas.get(after));
        let Some((before, after)) = own else { continue };
        let noted = default(before) != default(after) || was.node.pointer() == is.node.pointer();
        if !noted && default(was).is_some() && default(was) != default(is) {
            let at = after.node.pointer();
            found.push(SchemaChange { kind: ChangeKind::DefaultChanged, pointer: at, safe: None });
        }
        let Some(rest) = left.checked_sub(was.edges.len() + is.edges.len()) else {
            let at = Pointer::root();
            found.push(SchemaChange { kind: ChangeKind::Undecided, pointer: at, safe: None });
            break;
        };
        if found.len() >= limit {
            break;
        }
        left = rest;
        let others: BTreeMap<&str, usize> = members(is).collect();
        for (name, before) in members(was) {
            let Some(after) = others.get(name) else { continue };
            if seen.insert((before, *after)) {
                pending.push_back((before, *after));
            }
        }
    }
    found
}

/// Returns the members that a part names.
fn members<'p>(part: &'p Subschema<'_>) -> impl Iterator<Item = (&'p str, usize)> {
    let members = part.edges.iter().filter(|inside| inside.applies == Applies::Property);
    members.map(|inside| (inside.name(), inside.target))
}

/// Returns the annotations and unknown keywords of a part, except its default.
fn annotations<'n>(
    side: &ComparedSchema<'_>,
    part: &'n Subschema<'_>,
) -> BTreeMap<std::borrow::Cow<'n, str>, String> {
    let members = part.node.members().filter(|member| {
        let keyword = keywords::find(&member.name(), side.graph.dialect);
        keyword.is_none_or(|keyword| keyword.role == Role::Annotation)
            && !member.has_name("default")
    });
    members.map(|member| (member.name(), canonical(member.value))).collect()
}
