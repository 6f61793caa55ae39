//! Merges objects member by member.

use super::class::{Index, Item};
use super::write::NewItem;
use super::{ChangeKind, ConflictKind, MergePlace, Merger, Task};
use crate::Node;

/// The members of an object on three sides.
struct Members<'m> {
    holder: Node<'m>,
    ours: Vec<Item<'m>>,
    was: Vec<Item<'m>>,
    theirs: Vec<Item<'m>>,
    in_ours: Index,
    in_was: Index,
    in_theirs: Index,
}

/// The edits to the members of `ours`.
struct Outcome<'m> {
    kept: Vec<bool>,
    /// New members, each with the index of the old member that it precedes.
    added: Vec<(usize, Item<'m>)>,
    /// The index in `theirs` of the new member that [`Merger::renamed`] has handled.
    placed: Option<usize>,
}

impl<'m> Members<'m> {
    fn mine(&self, item: &Item<'_>) -> Option<(usize, Item<'m>)> {
        let at = self.in_ours.get(item.name)?;
        Some((at, *self.ours.get(at)?))
    }

    /// Returns the place of a member that `ours` may lack.
    fn place(&self, item: &Item<'m>) -> MergePlace<'m> {
        match self.mine(item) {
            Some((_, mine)) => MergePlace::of(mine.value),
            None => MergePlace { holder: self.holder, key: item.key },
        }
    }

    /// Returns the members that `theirs` removed, and the indices of those it added.
    fn gone_and_come(&self) -> (Vec<Item<'m>>, Vec<usize>) {
        let gone = self.was.iter().filter(|item| self.in_theirs.get(item.name).is_none());
        let come = self.theirs.iter().enumerate();
        let come = come.filter(|(_, item)| self.in_was.get(item.name).is_none());
        (gone.copied().collect(), come.map(|(index, _)| index).collect())
    }
}

impl<'m> Merger<'_, 'm> {
    pub(super) fn object(&mut self, task: &Task<'m>) {
        let ours = self.ours.items(task.ours);
        let was = task.was.map_or_else(Vec::new, |was| self.ancestor.items(was));
        let theirs = self.theirs.items(task.theirs);
        self.step(ours.len() + was.len() + theirs.len() + 1);
        let style = self.style_of(task);
        let members = Members {
            holder: task.ours,
            in_ours: Index::of(&ours),
            in_was: Index::of(&was),
            in_theirs: Index::of(&theirs),
            ours,
            was,
            theirs,
        };
        let kept = vec![true; members.ours.len()];
        let mut outcome = Outcome { kept, added: Vec::new(), placed: None };
        let (mut gone, come) = members.gone_and_come();
        if let ([old], [at]) = (gone.as_slice(), come.as_slice())
            && let Some(new) = members.theirs.get(*at)
            && self.renamed(&members, old, new, &mut outcome)
        {
            outcome.placed = Some(*at);
            gone.clear();
        }
        for item in gone {
            self.gone(&members, &item, &mut outcome);
        }
        self.stay_or_come(&members, &mut outcome, style);
        for (_, item) in &outcome.added {
            let place = MergePlace { holder: task.ours, key: item.key };
            self.change(place, ChangeKind::Added, None, Some(item.value));
        }
        if !outcome.added.is_empty() || outcome.kept.contains(&false) {
            self.rewrite(task.ours, outcome, style);
        }
    }

    /// Handles the only removed and the only added member as one edit: a rename if their
    /// values are equal, otherwise a replacement at the same position. Returns false if
    /// they must be handled separately.
    fn renamed(
        &mut self,
        members: &Members<'m>,
        old: &Item<'m>,
        new: &Item<'m>,
        outcome: &mut Outcome<'m>,
    ) -> bool {
        match (members.mine(old), members.mine(new), old.class == new.class) {
            (Some((_, mine)), None, true) => {
                if let Some((here, there)) = mine.key.zip(new.key) {
                    self.splices.replace(here.span(), there.raw().to_owned());
                    let place = MergePlace::of(mine.value);
                    self.change(place, ChangeKind::Renamed, Some(here), Some(there));
                }
                true
            }
            // Both sides renamed it, to the same name.
            (None, Some(_), true) => true,
            (None, None, true) => {
                let values = [Some(old.value), None, Some(new.value)];
                self.conflict(members.place(old), ConflictKind::RemovedHere, values);
                true
            }
            (Some((at, mine)), None, false) if self.unchanged(mine.value, old.value) => {
                if let Some(kept) = outcome.kept.get_mut(at) {
                    *kept = false;
                }
                outcome.added.push((at, *new));
                self.change(
                    MergePlace::of(mine.value),
                    ChangeKind::Removed,
                    Some(mine.value),
                    None,
                );
                true
            }
            _ => false,
        }
    }

    fn gone(&mut self, members: &Members<'m>, item: &Item<'m>, outcome: &mut Outcome<'m>) {
        let Some((at, mine)) = members.mine(item) else { return };
        let place = MergePlace::of(mine.value);
        if self.unchanged(mine.value, item.value) {
            if let Some(kept) = outcome.kept.get_mut(at) {
                *kept = false;
            }
            self.change(place, ChangeKind::Removed, Some(mine.value), None);
        } else {
            let values = [Some(item.value), Some(mine.value), None];
            self.conflict(place, ConflictKind::RemovedThere, values);
        }
    }

    /// Queues the merge of the members that `theirs` changed, and adds new ones next to the
    /// members that they follow in `theirs`.
    fn stay_or_come(&mut self, members: &Members<'m>, outcome: &mut Outcome<'m>, style: usize) {
        let mut behind = None;
        let mut first = None;
        let mut added = Vec::new();
        for (index, item) in members.theirs.iter().enumerate() {
            let was = members.in_was.get(item.name).and_then(|at| members.was.get(at));
            let mine = members.mine(item);
            if let Some((at, _)) = mine {
                behind = Some(at + 1);
                first = first.or(Some(at));
            }
            match (was, mine) {
                _ if outcome.placed == Some(index) => {}
                (Some(was), _) if was.class == item.class => {}
                (None, None) => added.push((behind, *item)),
                (_, Some((_, mine))) => {
                    let was = was.map(|was| was.value);
                    self.pending.push(Task { ours: mine.value, was, theirs: item.value, style });
                }
                (Some(was), None) => {
                    let values = [Some(was.value), None, Some(item.value)];
                    self.conflict(members.place(item), ConflictKind::RemovedHere, values);
                }
            }
        }
        let front = first.unwrap_or(members.ours.len());
        let added = added.into_iter().map(|(at, item)| (at.unwrap_or(front), item));
        outcome.added.extend(added);
        outcome.added.sort_by_key(|(at, _)| *at);
    }

    fn rewrite(&mut self, holder: Node<'m>, outcome: Outcome<'m>, style: usize) {
        let mut items = Vec::new();
        let mut added = outcome.added.into_iter().peekable();
        for index in 0..=outcome.kept.len() {
            while let Some((_, Item { key, value, .. })) = added.next_if(|(at, _)| *at <= index) {
                items.push(NewItem::Added { key, value });
            }
            if outcome.kept.get(index) == Some(&true) {
                items.push(NewItem::Kept(index));
            }
        }
        self.write_items(holder, &items, style);
    }
}
