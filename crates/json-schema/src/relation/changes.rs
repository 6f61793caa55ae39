//! Changes between two schemas, place by place.
//!
//! Callers follow the declarations of a tool's old schema, and the tool answers with values
//! that its new schema declares. So if the schema on the sending side does not mention
//! additional members, only its named members count.

use std::collections::{BTreeSet, VecDeque};

use super::super::canonical::canonical as schema_text;
use super::super::graph::Subschema;
use super::facts::{Choice, Facts, ObjectShape};
use super::found::{Direction, SchemaChange, What};
use super::hints::Hints;
use super::notes::{moved_defaults, notes};
use super::prover::{Prover, Reading, Which};
use super::side::Side;
use super::truth::Truth;
use super::types::Types;
use crate::Limits;
use diagnostic::Pointer;
use json_text::Node;

/// Nesting up to which subschemas are compared one by one.
const LEVELS: usize = 16;

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
    let whole = |what, safe| vec![SchemaChange { what, at: Pointer::root(), safe }];
    let sides = (Side::read(old, limits), Side::read(new, limits));
    let (Some(before), Some(after)) = sides else {
        return whole(What::Undecided, None);
    };
    let mut pair = Pair::new(&before, &after, direction, limits);
    let (safe, back) = (pair.safe.root(), pair.back.root());
    pair.walk();
    let mut found = pair.found;
    // Changes at places explain the verdict on the whole, and must not claim more than it.
    let unsafe_place = |found: &SchemaChange| found.safe == Some(false);
    match safe {
        Truth::Yes => {
            for found in found.iter_mut().filter(|found| found.what != What::Removed) {
                found.safe = Some(true);
            }
            // A safe change may still be a change.
            let input = direction == Direction::Input;
            if found.is_empty() && back != Truth::Yes {
                found = whole(if input { What::Widened } else { What::Narrowed }, Some(true));
            } else if found.is_empty() && !pair_takes_all(&before, &after, direction, limits) {
                found = whole(if input { What::Closed } else { What::Opened }, Some(true));
            }
        }
        Truth::No if !found.iter().any(unsafe_place) => {
            let what = match (back, direction) {
                (Truth::Yes, Direction::Input) => What::Narrowed,
                (Truth::Yes, Direction::Output) => What::Widened,
                _ => What::Changed,
            };
            found.extend(whole(what, Some(false)));
        }
        Truth::Unknown if found.iter().all(|found| found.safe == Some(true)) => {
            found.extend(whole(What::Undecided, None));
        }
        _ => {}
    }
    found.extend(notes(&before, &after, direction, limits.diagnostics));
    if direction == Direction::Input {
        found.extend(moved_defaults(&before, &after, limits.diagnostics));
    }
    if found.is_empty() {
        found = whole(What::Reworded, Some(true));
    }
    found
}

/// Returns true if everything that worked still works, whether it was declared or not.
fn pair_takes_all(old: &Side<'_>, new: &Side<'_>, direction: Direction, limits: &Limits) -> bool {
    let (sub, sup) = match direction {
        Direction::Input => (old, new),
        Direction::Output => (new, old),
    };
    Prover::new(sub, sup, Reading::Instances, limits).root() == Truth::Yes
}

fn same_choice(old: &Choice, new: &Choice) -> bool {
    old.print.is_some() && old.print == new.print && old.exclusive == new.exclusive
}

struct Pair<'s, 'a> {
    /// Proves that everything that worked still works.
    safe: Prover<'s, 'a>,
    /// Proves the opposite direction.
    back: Prover<'s, 'a>,
    direction: Direction,
    limit: usize,
    found: Vec<SchemaChange>,
}

impl<'s, 'a> Pair<'s, 'a> {
    fn new(old: &'s Side<'a>, new: &'s Side<'a>, direction: Direction, limits: &Limits) -> Self {
        let (sub, sup) = match direction {
            Direction::Input => (old, new),
            Direction::Output => (new, old),
        };
        Self {
            safe: Prover::new(sub, sup, Reading::Declared, limits),
            back: Prover::new(sup, sub, Reading::Instances, limits),
            direction,
            limit: limits.diagnostics,
            found: Vec::new(),
        }
    }

    /// Returns the part of the old schema first.
    fn ordered<T>(&self, sub: T, sup: T) -> (T, T) {
        match self.direction {
            Direction::Input => (sub, sup),
            Direction::Output => (sup, sub),
        }
    }

    fn facts(&mut self, old: usize, new: usize, root: bool) -> (Facts<'a>, Facts<'a>) {
        let (sub, sup) = self.ordered(old, new);
        let mut sub = self.safe.sent(&[sub], &Hints::default());
        sub.root = root;
        let sup = self.safe.facts(Which::Sup, &[sup]);
        self.ordered(sub, sup)
    }

    fn part(&self, part: usize, new: bool) -> Option<&'s Subschema<'a>> {
        let (old_side, new_side) = self.ordered(self.safe.sub, self.safe.sup);
        if new { new_side } else { old_side }.graph.parts.get(part)
    }

    /// Compares the members of objects, and of nested objects.
    fn walk(&mut self) {
        let mut pending = VecDeque::from([(0, 0, 0)]);
        let mut seen = BTreeSet::from([(0, 0)]);
        while let Some((old, new, level)) = pending.pop_front() {
            let (sub, sup) = self.ordered(old, new);
            if self.safe.same(&[sub], sup) || self.found.len() >= self.limit {
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
            let apart = level < LEVELS && members(&before) && members(&after);
            if !apart && level == 0 {
                continue;
            }
            if !apart {
                self.judge(old, new);
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
        let (sub, sup) = self.ordered(before, after);
        // A constraint that is not read further may rule the break out.
        let doubt = sub.blind().has(Types::OBJECT) || !sub.names.is_empty();
        let breaks = |safe: bool| if !safe && doubt { None } else { Some(safe) };
        let mut both = self.kept(old, new);
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
                        self.push(What::RequiredAdded, at, breaks(!input));
                    } else if !known {
                        let safe = self.member_is_safe(sub, sup, name);
                        self.push(What::Added, at, safe);
                    } else if is && !was {
                        self.push(What::NowRequired, at, breaks(!input));
                    } else if was && !is {
                        self.push(What::NowOptional, at, breaks(input));
                    }
                }
                None if is && !was => {
                    self.push(What::NowRequired, at.push("required"), breaks(!input));
                }
                None if was && !is && !known => self.push(What::NowOptional, at, breaks(input)),
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
                self.push(What::Closed, at.push("additionalProperties"), breaks(safe));
            }
            (true, false) => {
                let safe = input || self.safe.sends_only(sub, old);
                self.push(What::Opened, at, breaks(safe));
            }
            (false, false) => both.extend(old.additional.zip(new.additional)),
            (true, true) => {}
        }
        both
    }

    /// Returns the members that both schemas name. Reports the removed ones.
    fn kept(&mut self, old: &ObjectShape<'_>, new: &ObjectShape<'_>) -> Vec<(usize, usize)> {
        let mut both = Vec::new();
        for (name, part) in &old.properties {
            if let Some(other) = new.properties.get(name) {
                both.push((*part, *other));
            } else {
                let at = self.part(*part, false).map(|part| part.node.pointer());
                self.push(What::Removed, at.unwrap_or_default(), Some(false));
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
    fn judge(&mut self, old: usize, new: usize) {
        let (sub, sup) = self.ordered(old, new);
        let (safe, back) = (
            self.safe.within(vec![sub], Hints::default(), sup),
            self.back.within(vec![sup], Hints::default(), sub),
        );
        let input = self.direction == Direction::Input;
        let at = self.part(new, true).map(|part| part.node.pointer()).unwrap_or_default();
        let (less, more) =
            if input { (What::Narrowed, What::Widened) } else { (What::Widened, What::Narrowed) };
        match (safe, back) {
            (Truth::Yes, Truth::Yes) => {}
            (Truth::Yes, _) => self.push(more, at, Some(true)),
            (Truth::No, Truth::Yes) => self.push(less, at, Some(false)),
            (Truth::No, _) => self.push(What::Changed, at, Some(false)),
            (Truth::Unknown, _) => self.push(What::Undecided, at, None),
        }
    }

    fn push(&mut self, what: What, at: Pointer, safe: Option<bool>) {
        self.found.push(SchemaChange { what, at, safe });
    }
}
