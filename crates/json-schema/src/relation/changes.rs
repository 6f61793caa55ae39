//! Changes between two schemas, place by place.
//!
//! Callers follow the declarations of a tool's old schema, and the tool answers with values
//! that its new schema declares. So if the schema on the sending side does not mention
//! additional members, only its named members count.

use std::collections::{BTreeSet, VecDeque};

use super::super::canonical::canonical as schema_text;
use super::super::graph::Subschema;
use super::annotations::{annotation_changes, moved_defaults};
use super::change::{ChangeKind, Direction, SchemaChange};
use super::facts::{Choice, Facts, ObjectShape};
use super::hints::Hints;
use super::prover::{Operand, Prover, ValueScope};
use super::side::ComparedSchema;
use super::truth::Truth;
use super::types::Types;
use crate::Limits;
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
    let whole = |kind, safe| vec![SchemaChange { kind, pointer: Pointer::root(), safe }];
    let sides = (ComparedSchema::read(old, limits), ComparedSchema::read(new, limits));
    let (Some(before), Some(after)) = sides else {
        return whole(ChangeKind::Undecided, None);
    };
    let mut pair = Comparison::new(&before, &after, direction, limits);
    let (safe, back) = (pair.safe.root_within(), pair.reverse.root_within());
    pair.walk();
    let mut found = pair.found;
    // Changes at places explain the verdict on the whole, and must not claim more than it.
    let unsafe_place = |found: &SchemaChange| found.safe == Some(false);
    match safe {
        Truth::Yes => {
            for found in found.iter_mut().filter(|found| found.kind != ChangeKind::Removed) {
                found.safe = Some(true);
            }
            // A safe change may still be a change.
            let input = direction == Direction::Input;
            if found.is_empty() && back != Truth::Yes {
                found = whole(
                    if input { ChangeKind::Widened } else { ChangeKind::Narrowed },
                    Some(true),
                );
            } else if found.is_empty() && !is_fully_compatible(&before, &after, direction, limits) {
                found =
                    whole(if input { ChangeKind::Closed } else { ChangeKind::Opened }, Some(true));
            }
        }
        Truth::No if !found.iter().any(unsafe_place) => {
            let what = match (back, direction) {
                (Truth::Yes, Direction::Input) => ChangeKind::Narrowed,
                (Truth::Yes, Direction::Output) => ChangeKind::Widened,
                _ => ChangeKind::Changed,
            };
            found.extend(whole(what, Some(false)));
        }
        Truth::Unknown if found.iter().all(|found| found.safe == Some(true)) => {
            found.extend(whole(ChangeKind::Undecided, None));
        }
        _ => {}
    }
    found.extend(annotation_changes(&before, &after, direction, limits.diagnostics));
    if direction == Direction::Input {
        found.extend(moved_defaults(&before, &after, limits.diagnostics));
    }
    if found.is_empty() {
        found = whole(ChangeKind::Reworded, Some(true));
    }
    found
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

fn same_choice(old: &Choice, new: &Choice) -> bool {
    old.print.is_some() && old.print == new.print && old.exclusive == new.exclusive
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
        if new { new_side } else { old_side }.graph.subschemas.get(part)
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
            // The arguments of a tool are members, even if the schema names none.
            let fewest = usize::from(level > 0);
            // Unchanged alternatives do not hide the other changes.
            let choices = before.choices.len() == after.choices.len()
                && before
                    .choices
                    .iter()
                    .zip(&after.choices)
                    .all(|(old, new)| same_choice(old, new));
            let members = |facts: &Facts<'_>| {
                let plain = choices && facts.values.is_empty();
                let shapes = (fewest..=1).contains(&facts.objects.len());
                plain && shapes && facts.types.has(Types::OBJECT)
            };
            let apart = level < MAX_LEVELS && members(&before) && members(&after);
            if !apart && level == 0 {
                continue;
            }
            if !apart {
                self.compare_whole(old, new);
                continue;
            }
            for (old, new) in self.members(new, &before, &after) {
                if seen.insert((old, new)) {
                    pending.push_back((old, new, level + 1));
                }
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
        let at = self.part(part, true).map(|part| part.node.pointer()).unwrap_or_default();
        let none = ObjectShape::default();
        let old = before.objects.first().unwrap_or(&none);
        let new = after.objects.first().unwrap_or(&none);
        let input = self.direction == Direction::Input;
        let (sub, sup) = self.old_first(before, after);
        // A constraint that is not read further may rule the break out.
        let doubt = sub.unread_types().has(Types::OBJECT) || !sub.names.is_empty();
        let breaks = |safe: bool| if !safe && doubt { None } else { Some(safe) };
        let mut both = self.common_members(old, new);
        let names: BTreeSet<_> = new.properties.keys().chain(&before.required).collect();
        for name in names.into_iter().chain(after.required.iter()).collect::<BTreeSet<_>>() {
            let (was, is) = (before.required.contains(name), after.required.contains(name));
            let known = old.properties.contains_key(name);
            let at = at.clone();
            match new.properties.get(name) {
                Some(part) => {
                    let at = self.part(*part, true).map(|part| part.node.pointer());
                    let at = at.unwrap_or_default();
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
        let shut = |part: Option<usize>, new: bool| {
            let part = part.and_then(|part| self.part(part, new));
            part.is_some_and(|part| part.node.bool() == Some(false))
        };
        match (shut(old.additional, false), shut(new.additional, true)) {
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
                let at = self.part(*part, false).map(|part| part.node.pointer());
                self.push(ChangeKind::Removed, at.unwrap_or_default(), Some(false));
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
        let at = self.part(new, true).map(|part| part.node.pointer()).unwrap_or_default();
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
