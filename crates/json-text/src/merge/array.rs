//! Merges arrays element by element.

use std::rc::Rc;

use super::align::{Element, MatchRules, align, align_equal};
use super::class::{NameIndex, TreeClasses};
use super::style::Style;
use super::write::MergedItem;
use super::{ChangeKind, ConflictKind, MergePlace, MergeTask, Merger};
use crate::Node;

/// The elements of an array on three sides, and the indices of their matches.
struct Elements<'m> {
    ours: Vec<Element<'m>>,
    ancestor: Vec<Element<'m>>,
    theirs: Vec<Element<'m>>,
    /// For each element of `ours`, its match in `was`.
    ours_to_ancestor: Vec<Option<usize>>,
    /// For each element of `theirs`, its match in `was`.
    theirs_to_ancestor: Vec<Option<usize>>,
    /// For each element of `was`, its match in `ours` and in `theirs`.
    ancestor_to_ours: Vec<Option<usize>>,
    ancestor_to_theirs: Vec<Option<usize>>,
    /// For each element of `theirs`, its match in `ours`.
    theirs_to_ours: Vec<Option<usize>>,
}

impl<'m> Merger<'_, 'm> {
    /// Returns the elements of an array with their classes and keys.
    pub(super) fn elements(&self, side: &TreeClasses, array: Node<'m>) -> Vec<Element<'m>> {
        let key = |node: Node<'_>| {
            let mut keys = self.options.keys.iter().enumerate();
            keys.find_map(|(at, name)| Some((at, side.class(member_at(node, name)?))))
        };
        let elements: Vec<_> = array
            .elements()
            .map(|node| Element { node, class: side.class(node), key: key(node) })
            .collect();
        self.add_steps(elements.len());
        elements
    }

    /// Returns for each element of the ancestor's array its match in ours.
    pub(super) fn align_ours(
        &self,
        was: &[Element<'m>],
        ours: &[Element<'m>],
    ) -> Vec<Option<usize>> {
        let likeness = MatchRules {
            may_be_renamed: &|was, ours| {
                self.have_equal_member((self.ancestor, was), (self.ours, ours))
            },
            covers: &|was, ours| self.options.partial && self.covers(was, ours),
        };
        align(was, ours, &likeness, &self.steps)
    }

    pub(super) fn merge_array(&mut self, task: &MergeTask<'m>) {
        let ours = self.elements(self.ours, task.ours);
        let was = task.ancestor.map_or_else(Vec::new, |was| self.elements(self.ancestor, was));
        let theirs = self.elements(self.theirs, task.theirs);
        let style = Rc::new(Style::of(task.ours, &task.style));
        let elements = self.match_up(ours, was, theirs);
        let kept = self.apply_removals(&elements);
        self.queue_changes(task, &elements, &style);
        let items = if self.uses_their_order(task, &elements) {
            in_their_order(&elements, &kept)
        } else {
            in_our_order(&elements, &kept)
        };
        self.add_steps(items.len());
        for item in &items {
            if let MergedItem::New { value, .. } = item {
                self.add_change(MergePlace::of(task.ours), ChangeKind::Added, None, Some(*value));
            }
        }
        let mut old = 0..elements.ours.len();
        let same =
            items.iter().all(|item| matches!(item, MergedItem::Old(at) if old.next() == Some(*at)));
        if !same || old.next().is_some() {
            self.splices.replace_items(task.ours, &items, &style);
        }
    }

    fn match_up(
        &self,
        ours: Vec<Element<'m>>,
        was: Vec<Element<'m>>,
        theirs: Vec<Element<'m>>,
    ) -> Elements<'m> {
        let was_ours = self.align_ours(&was, &ours);
        let likeness = MatchRules {
            may_be_renamed: &|was, now| {
                self.have_equal_member((self.ancestor, was), (self.theirs, now))
            },
            covers: &|_, _| false,
        };
        let was_theirs = align(&was, &theirs, &likeness, &self.steps);
        let ours_was = inverse(&was_ours, ours.len());
        let theirs_was = inverse(&was_theirs, theirs.len());
        let mut here: Vec<_> = theirs_was
            .iter()
            .map(|was| was.and_then(|was| was_ours.get(was).copied().flatten()))
            .collect();
        // Elements that both sides added match by key or value.
        let left = |pairs: &[Option<usize>]| -> Vec<usize> {
            pairs.iter().enumerate().filter(|(_, was)| was.is_none()).map(|(at, _)| at).collect()
        };
        let (new_here, new_there) = (left(&ours_was), left(&theirs_was));
        let pick = |list: &[Element<'m>], places: &[usize]| -> Vec<_> {
            places.iter().filter_map(|at| list.get(*at).copied()).collect()
        };
        let both = align_equal(&pick(&theirs, &new_there), &pick(&ours, &new_here), &self.steps);
        for (there, found) in new_there.iter().zip(both) {
            if let Some(slot) = here.get_mut(*there) {
                *slot = found.and_then(|found| new_here.get(found).copied());
            }
        }
        Elements {
            ours,
            ancestor: was,
            theirs,
            ours_to_ancestor: ours_was,
            theirs_to_ancestor: theirs_was,
            ancestor_to_ours: was_ours,
            ancestor_to_theirs: was_theirs,
            theirs_to_ours: here,
        }
    }

    /// Returns for each element of `ours` whether it stays, and reports the elements that
    /// `theirs` removed.
    fn apply_removals(&mut self, elements: &Elements<'m>) -> Vec<bool> {
        let mut kept = vec![true; elements.ours.len()];
        let pairs = elements.ancestor_to_ours.iter().zip(&elements.ancestor_to_theirs);
        for (was, (ours, theirs)) in elements.ancestor.iter().zip(pairs) {
            let (Some(at), None) = (*ours, *theirs) else { continue };
            let (Some(mine), Some(kept)) = (elements.ours.get(at), kept.get_mut(at)) else {
                continue;
            };
            let place = MergePlace::of(mine.node);
            if self.is_unedited(mine.node, was.node) {
                *kept = false;
                self.add_change(place, ChangeKind::Removed, Some(mine.node), None);
            } else {
                let values = [Some(was.node), Some(mine.node), None];
                self.add_conflict(place, ConflictKind::RemovedByTheirs, values);
            }
        }
        kept
    }

    /// Queues the merge of the elements that `theirs` changed, and reports a conflict if
    /// `ours` removed one of them.
    fn queue_changes(&mut self, task: &MergeTask<'m>, elements: &Elements<'m>, style: &Rc<Style>) {
        let pairs = elements.theirs_to_ancestor.iter().zip(&elements.theirs_to_ours);
        for (theirs, (was, here)) in elements.theirs.iter().zip(pairs) {
            let was = was.and_then(|was| elements.ancestor.get(was));
            let here = here.and_then(|here| elements.ours.get(here));
            match (was, here) {
                (Some(was), _) if was.class == theirs.class => {}
                (_, Some(ours)) => {
                    let was = was.map(|was| was.node);
                    let (ours, theirs) = (ours.node, theirs.node);
                    let style = Rc::clone(style);
                    self.pending.push(MergeTask { ours, ancestor: was, theirs, style });
                }
                (Some(was), None) => {
                    let values = [Some(was.node), None, Some(theirs.node)];
                    self.add_conflict(
                        MergePlace::of(task.ours),
                        ConflictKind::RemovedByOurs,
                        values,
                    );
                }
                (None, None) => {}
            }
        }
    }

    /// Returns true if the elements take the order of `theirs`.
    fn uses_their_order(&mut self, task: &MergeTask<'m>, elements: &Elements<'m>) -> bool {
        // Only elements on all three sides show whether the order changed.
        let there = elements.theirs_to_ancestor.iter().zip(&elements.theirs_to_ours);
        let there: Vec<_> = there.filter_map(|(was, here)| Some(((*was)?, (*here)?))).collect();
        let lasting =
            |was: &usize| elements.ancestor_to_theirs.get(*was).is_some_and(Option::is_some);
        let here = elements.ours_to_ancestor.iter().flatten().filter(|was| lasting(was));
        let moved_there = !there.is_sorted_by_key(|(was, _)| *was);
        let moved_here = !here.is_sorted();
        if moved_there && moved_here && !there.is_sorted_by_key(|(_, here)| *here) {
            let values = [task.ancestor, Some(task.ours), Some(task.theirs)];
            self.add_conflict(MergePlace::of(task.ours), ConflictKind::BothReordered, values);
        }
        if moved_there && !moved_here {
            let place = MergePlace::of(task.ours);
            self.add_change(place, ChangeKind::Reordered, Some(task.ours), Some(task.theirs));
        }
        moved_there && !moved_here
    }

    /// Returns true if two elements with different keys have an equal member. With
    /// `partial`, the ancestor's element may have only its key, and then a member of the
    /// same name suffices.
    fn have_equal_member(
        &self,
        old: (&TreeClasses, Node<'_>),
        new: (&TreeClasses, Node<'_>),
    ) -> bool {
        let (old, new) = (old.0.items(old.1), new.0.items(new.1));
        let bare = self.options.partial && old.len() == 1;
        let index = NameIndex::of(&new);
        self.add_steps(old.len() + new.len());
        let mut pairs = old.iter().filter_map(|o| Some((o, new.get(index.get(o.name)?)?)));
        pairs.any(|(old, new)| bare || old.class == new.class)
    }

    /// Returns true if our element contains all members of the ancestor's. Nested
    /// containers are only compared by kind.
    fn covers(&self, was: Node<'_>, ours: Node<'_>) -> bool {
        if !was.is_object() || !ours.is_object() {
            return false;
        }
        let ours = self.ours.items(ours);
        self.add_steps(ours.len());
        let index = NameIndex::of(&ours);
        let found = |member: crate::Member<'_>| {
            let name = self.ancestor.class(member.key);
            let mine = index.get(name).and_then(|at| ours.get(at));
            mine.is_some_and(|mine| {
                let inside = mine.value.is_object() || mine.value.is_array();
                mine.class == self.ancestor.class(member.value)
                    || (inside && mine.value.kind() == member.value.kind())
            })
        };
        // Stops at the first missing member, because a wide element may be tested often.
        was.members().all(found)
    }
}

/// Returns the string at a key; `a/b` is the member `b` of the member `a`.
fn member_at<'n>(node: Node<'n>, name: &str) -> Option<Node<'n>> {
    let found = match name.split_once('/') {
        Some((outer, inner)) => node.get(outer)?.get(inner)?,
        None => node.get(name)?,
    };
    (found.kind() == crate::Kind::String).then_some(found)
}

fn inverse(pairs: &[Option<usize>], len: usize) -> Vec<Option<usize>> {
    let mut inverse = vec![None; len];
    for (from, to) in pairs.iter().enumerate() {
        if let Some(slot) = to.and_then(|to| inverse.get_mut(to)) {
            *slot = Some(from);
        }
    }
    inverse
}

/// Returns for each element of `ours` the index of the next one that `theirs` has too. The
/// elements between stay with the one before them.
fn next_common(elements: &Elements<'_>) -> Vec<usize> {
    let shared = inverse(&elements.theirs_to_ours, elements.ours.len());
    let mut next = elements.ours.len();
    let mut list: Vec<usize> = shared
        .iter()
        .enumerate()
        .rev()
        .map(|(at, shared)| {
            let found = next;
            if shared.is_some() {
                next = at;
            }
            found
        })
        .collect();
    list.reverse();
    list
}

/// Returns the items in the order of `ours`, each new one behind the element that it
/// follows in `theirs`.
fn in_our_order<'m>(elements: &Elements<'m>, kept: &[bool]) -> Vec<MergedItem<'m>> {
    let next = next_common(elements);
    let first = elements.theirs_to_ours.iter().flatten().next().copied().unwrap_or(kept.len());
    let mut behind = first;
    let mut added = Vec::new();
    let pairs = elements
        .theirs
        .iter()
        .zip(elements.theirs_to_ancestor.iter().zip(&elements.theirs_to_ours));
    for (theirs, (was, here)) in pairs {
        match here {
            Some(here) => behind = next.get(*here).copied().unwrap_or(kept.len()),
            None if was.is_none() => added.push((behind, theirs.node)),
            None => {}
        }
    }
    added.sort_by_key(|(at, _)| *at);
    let mut added = added.into_iter().peekable();
    let mut items = Vec::new();
    for index in 0..=kept.len() {
        while let Some((_, value)) = added.next_if(|(at, _)| *at <= index) {
            items.push(MergedItem::New { key: None, value });
        }
        if kept.get(index) == Some(&true) {
            items.push(MergedItem::Old(index));
        }
    }
    items
}

/// Returns the items in the order of `theirs`. Items that only `ours` has stay behind the
/// element that they follow.
fn in_their_order<'m>(elements: &Elements<'m>, kept: &[bool]) -> Vec<MergedItem<'m>> {
    let next = next_common(elements);
    let shared = inverse(&elements.theirs_to_ours, elements.ours.len());
    let stays = |at: &usize| kept.get(*at) == Some(&true);
    let front = shared.iter().take_while(|shared| shared.is_none()).count();
    let mut items: Vec<_> = (0..front).filter(stays).map(MergedItem::Old).collect();
    let pairs = elements
        .theirs
        .iter()
        .zip(elements.theirs_to_ancestor.iter().zip(&elements.theirs_to_ours));
    for (theirs, (was, here)) in pairs {
        match here {
            Some(here) => {
                let end = next.get(*here).copied().unwrap_or(*here);
                items.extend((*here..end).filter(stays).map(MergedItem::Old));
            }
            None if was.is_none() => items.push(MergedItem::New { key: None, value: theirs.node }),
            None => {}
        }
    }
    items
}
