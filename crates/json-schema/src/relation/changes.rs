//! Changes between two schemas, place by place.
//!
//! Callers follow the declarations of a tool's old schema, and the tool answers with values
//! that its new schema declares. So if the schema on the sending side does not mention
//! additional members, only its named members count.

use std::collections::{BTreeSet, VecDeque};

use super::annotations::{annotation_changes, moved_defaults};
use super::change::{ChangeKind, Direction, SchemaChange};
use super::facts::{Facts, ObjectShape};
use super::hints::Hints;
use super::prover::{Operand, Prover, ValueScope};
use super::side::ComparedSchema;
use super::truth::Truth;
use crate::Limits;
use crate::canonical::canonical as schema_text;
use crate::graph::Subschema;
use crate::types::Types;
use diagnostic::Pointer;
use json_text::Node;

/// Nesting up to which subschemas are compared one by one.
const MAX_LEVELS: usize = 16;

/// Returns the changes. The list is empty only if both schemas have the same canonical
/// form.
pub fn changes(
    old: Node<'_>,
    new: Node<'_>,
    direction: Direction,
    limits: impl Into<Limits>,
) -> Vec<SchemaChange> {
    let limits = &limits.into();
    if schema_text(old) == schema_text(new) {
        return Vec::new();
    }
    let sides = (ComparedSchema::read(old, limits), ComparedSchema::read(new, limits));
    let (Some(before), Some(after)) = sides else {
        return vec![at_root(ChangeKind::Undecided, None)];
    };
    let mut pair = Comparison::new(&before, &after, direction, limits);
    let (safe, back) = (pair.safe.root_within(), pair.reverse.root_within());
    pair.walk();
    let mut found = pair.found;
    let is_input = direction == Direction::Input;
    // Changes at places explain the verdict on the whole, and must not claim more than it.
    match safe {
        Truth::Yes => {
            for change in &mut found {
                if change.kind != ChangeKind::Removed {
                    change.safe = Some(true);
                }
            }
            // A safe change may still be a change.
            if found.is_empty() && back != Truth::Yes {
                let kind = if is_input { ChangeKind::Widened } else { ChangeKind::Narrowed };
                found.push(at_root(kind, Some(true)));
            } else if found.is_empty() && !is_fully_compatible(&before, &after, direction, limits) {
                let kind = if is_input { ChangeKind::Closed } else { ChangeKind::Opened };
                found.push(at_root(kind, Some(true)));
            }
        }
        Truth::No if !found.iter().any(|change| change.safe == Some(false)) => {
            let kind = match (back, direction) {
                (Truth::Yes, Direction::Input) => ChangeKind::Narrowed,
                (Truth::Yes, Direction::Output) => ChangeKind::Widened,
                _ => ChangeKind::Changed,
            };
            found.push(at_root(kind, Some(false)));
        }
        Truth::Unknown if found.iter().all(|change| change.safe == Some(true)) => {
            found.push(at_root(ChangeKind::Undecided, None));
        }
        Truth::No | Truth::Unknown => {}
    }
    found.extend(annotation_changes(&before, &after, direction, limits.diagnostics));
    if is_input {
        found.extend(moved_defaults(&before, &after, limits.diagnostics));
    }
    if found.is_empty() {
        found.push(at_root(ChangeKind::Reworded, Some(true)));
    }
    found
}

fn at_root(kind: ChangeKind, safe: Option<bool>) -> SchemaChange {
    SchemaChange { kind, pointer: Pointer::root(), safe }
}

/// Returns true if everything that worked still works, whether it was declared or not.
fn is_fully_compatible(
    old: &ComparedSchema<'_>,
    new: &ComparedSchema<'_>,
    direction: Direction,
    limits: &Limits,
) -> bool {
    let (sub, sup) = match direction {
        Direction::Input => (old, new),
        Direction::Output => (new, old),
    };
    Prover::new(sub, sup, ValueScope::Accepted, limits).root_within() == Truth::Yes
}

struct Comparison<'s, 'a> {
    /// Proves that everything that worked still works.
    safe: Prover<'s, 'a>,
    /// Proves the opposite direction.
    reverse: Prover<'s, 'a>,
    direction: Direction,
    limit: usize,
    found: Vec<SchemaChange>,
}

impl<'s, 'a> Comparison<'s, 'a> {
    fn new(
        old: &'s ComparedSchema<'a>,
        new: &'s ComparedSchema<'a>,
        direction: Direction,
        limits: &Limits,
    ) -> Self {
        let (sub, sup) = match direction {
            Direction::Input => (old, new),
            Direction::Output => (new, old),
        };
        Self {
            safe: Prover::new(sub, sup, ValueScope::Declared, limits),
            reverse: Prover::new(sup, sub, ValueScope::Accepted, limits),
            direction,
            limit: limits.diagnostics,
            found: Vec::new(),
        }
    }

    /// Returns the part of the old schema first.
    fn old_first<T>(&self, sub: T, sup: T) -> (T, T) {
        match self.direction {
            Direction::Input => (sub, sup),
            Direction::Output => (sup, sub),
        }
    }

    fn facts(&mut self, old: usize, new: usize, root: bool) -> (Facts<'a>, Facts<'a>) {
        let (sub, sup) = self.old_first(old, new);
        let mut sub = self.safe.sender_facts(&[sub], &Hints::default());
        sub.root = root;
        let sup = self.safe.facts(Operand::Sup, &[sup]);
        self.old_first(sub, sup)
    }

    fn part(&self, part: usize, new: bool) -> Option<&'s Subschema<'a>> {
        let (old_side, new_side) = self.old_first(self.safe.sub, self.safe.sup);
        if new { new_side } else { old_side }.part(part)
    }

    fn pointer(&self, part: usize, new: bool) -> Pointer {
        self.part(part, new).map_or(Pointer::root(), |part| part.node.pointer())
    }

    fn is_false(&self, part: Option<usize>, new: bool) -> bool {
        part.and_then(|part| self.part(part, new)).is_some_and(Subschema::is_false)
    }

    /// Compares the members of objects, and of nested objects.
    fn walk(&mut self) {
        let mut pending = VecDeque::from([(0, 0, 0)]);
        let mut seen = BTreeSet::from([(0, 0)]);
        while let Some((old, new, level)) = pending.pop_front() {
            let (sub, sup) = self.old_first(old, new);
            if self.safe.same_fingerprint(&[sub], sup) || self.found.len() >= self.limit {
                continue;
            }
            let (before, after) = self.facts(old, new, level == 0);
            // Unchanged alternatives do not hide the other changes.
            let same_choices = before.choices.len() == after.choices.len()
                && before.choices.iter().zip(&after.choices).all(|(old, new)| old.is_same(new));
            let is_root = level == 0;
            if same_choices
                && level < MAX_LEVELS
                && has_members_only(&before, is_root)
                && has_members_only(&after, is_root)
            {
                for (old, new) in self.members(new, &before, &after) {
                    if seen.insert((old, new)) {
                        pending.push_back((old, new, level + 1));
                    }
                }
            } else if !is_root {
                self.compare_whole(old, new);
            }
        }
    }

    /// Compares the sets of members. Returns the pairs of subschemas that are left to
    /// compare.
    fn members(
        &mut self,
        part: usize,
        before: &Facts<'a>,
        after: &Facts<'a>,
    ) -> Vec<(usize, usize)> {
        let at = self.pointer(part, true);
        let none = ObjectShape::default();
        let old = before.objects.first().unwrap_or(&none);
        let new = after.objects.first().unwrap_or(&none);
        let input = self.direction == Direction::Input;
        let (sub, sup) = self.old_first(before, after);
        // A constraint that is not read further may rule the break out.
        let doubt = sub.unread_types().has(Types::OBJECT) || !sub.names.is_empty();
        let breaks = |safe: bool| if !safe && doubt { None } else { Some(safe) };
        let mut both = self.common_members(old, new);
        let mut names: BTreeSet<_> = new.properties.keys().collect();
        names.extend(before.required.iter().chain(&after.required));
        for name in names {
            let (was, is) = (before.required.contains(name), after.required.contains(name));
            let known = old.properties.contains_key(name);
            let at = at.clone();
            match new.properties.get(name) {
                Some(part) => {
                    let at = self.pointer(*part, true);
                    if !known && is && !was {
                        self.push(ChangeKind::RequiredAdded, at, breaks(!input));
                    } else if !known {
                        let safe = self.member_is_safe(sub, sup, name);
                        self.push(ChangeKind::Added, at, safe);
                    } else if is && !was {
                        self.push(ChangeKind::NowRequired, at, breaks(!input));
                    } else if was && !is {
                        self.push(ChangeKind::NowOptional, at, breaks(input));
                    }
                }
                None if is && !was => {
                    self.push(ChangeKind::NowRequired, at.push("required"), breaks(!input));
                }
                None if was && !is && !known => {
                    self.push(ChangeKind::NowOptional, at, breaks(input));
                }
                None => {}
            }
        }
        match (self.is_false(old.additional, false), self.is_false(new.additional, true)) {
            (false, true) => {
                // Callers that follow the declarations send no other members.
                let safe = !input || self.safe.sends_only(sub, new);
                self.push(ChangeKind::Closed, at.push("additionalProperties"), breaks(safe));
            }
            (true, false) => {
                let safe = input || self.safe.sends_only(sub, old);
                self.push(ChangeKind::Opened, at, breaks(safe));
            }
            (false, false) => both.extend(old.additional.zip(new.additional)),
            (true, true) => {}
        }
        both
    }

    /// Returns the members that both schemas name. Reports the removed ones.
    fn common_members(
        &mut self,
        old: &ObjectShape<'_>,
        new: &ObjectShape<'_>,
    ) -> Vec<(usize, usize)> {
        let mut both = Vec::new();
        for (name, part) in &old.properties {
            if let Some(other) = new.properties.get(name) {
                both.push((*part, *other));
            } else {
                self.push(ChangeKind::Removed, self.pointer(*part, false), Some(false));
            }
        }
        both
    }

    /// Checks that `sup` accepts a member that one of the sides names; `None` if unknown.
    fn member_is_safe(&mut self, sub: &Facts<'a>, sup: &Facts<'a>, name: &str) -> Option<bool> {
        match self.safe.member_within(sub, sup, name) {
            Truth::Yes => Some(true),
            Truth::No => Some(false),
            Truth::Unknown => None,
        }
    }

    /// Compares two parts as a whole.
    fn compare_whole(&mut self, old: usize, new: usize) {
        let (sub, sup) = self.old_first(old, new);
        let (safe, back) = (
            self.safe.within(vec![sub], Hints::default(), sup),
            self.reverse.within(vec![sup], Hints::default(), sub),
        );
        let input = self.direction == Direction::Input;
        let at = self.pointer(new, true);
        let (less, more) = if input {
            (ChangeKind::Narrowed, ChangeKind::Widened)
        } else {
            (ChangeKind::Widened, ChangeKind::Narrowed)
        };
        match (safe, back) {
            (Truth::Yes, Truth::Yes) => {}
            (Truth::Yes, _) => self.push(more, at, Some(true)),
            (Truth::No, Truth::Yes) => self.push(less, at, Some(false)),
            (Truth::No, _) => self.push(ChangeKind::Changed, at, Some(false)),
            (Truth::Unknown, _) => self.push(ChangeKind::Undecided, at, None),
        }
    }

    fn push(&mut self, what: ChangeKind, at: Pointer, safe: Option<bool>) {
        self.found.push(SchemaChange { kind: what, pointer: at, safe });
    }
}

/// Returns true if a schema is only about members. The arguments of a tool, at the root, are
/// members even if the schema names none.
fn has_members_only(facts: &Facts<'_>, is_root: bool) -> bool {
    let fewest = usize::from(!is_root);
    facts.values.is_empty()
        && (fewest..=1).contains(&facts.objects.len())
        && facts.types.has(Types::OBJECT)
}
