//! Merges objects member by member.

use std::rc::Rc;

use super::class::{Item, NameIndex};
use super::style::Style;
use super::write::MergedItem;
use super::{ChangeKind, ConflictKind, MergePlace, MergeTask, Merger};
use crate::Node;

/// The members of an object on three sides.
struct Members<'m> {
    holder: Node<'m>,
    ours: Vec<Item<'m>>,
    ancestor: Vec<Item<'m>>,
    theirs: Vec<Item<'m>>,
    ours_index: NameIndex,
    ancestor_index: NameIndex,
    theirs_index: NameIndex,
}

/// The edits to the members of `ours`.
struct MemberEdits<'m> {
    keep: Vec<bool>,
    /// New members, each with the index of the old member that it precedes.
    added: Vec<(usize, Item<'m>)>,
    /// The index in `theirs` of the new member that [`Merger::merge_renamed`] has handled.
    handled_index: Option<usize>,
}

impl<'m> Members<'m> {
    fn find_ours(&self, item: &Item<'_>) -> Option<(usize, Item<'m>)> {
        let at = self.ours_index.get(item.name)?;
        Some((at, *self.ours.get(at)?))
    }

    /// Returns the place of a member that `ours` may lack.
    fn place(&self, item: &Item<'m>) -> MergePlace<'m> {
        match self.find_ours(item) {
            Some((_, mine)) => MergePlace::of(mine.value),
            None => MergePlace { node: self.holder, key: item.key },
        }
    }

    /// Returns the members that `theirs` removed, and the indices of those it added.
    fn removed_and_added(&self) -> (Vec<Item<'m>>, Vec<usize>) {
        let gone = self.ancestor.iter().filter(|item| self.theirs_index.get(item.name).is_none());
        let come = self.theirs.iter().enumerate();
        let come = come.filter(|(_, item)| self.ancestor_index.get(item.name).is_none());
        (gone.copied().collect(), come.map(|(index, _)| index).collect())
    }
}

impl<'m> Merger<'_, 'm> {
    pub(super) fn merge_object(&mut self, task: &MergeTask<'m>) {
        let ours = self.ours.items(task.ours);
        let was = task.ancestor.map_or_else(Vec::new, |was| self.ancestor.items(was));
        let theirs = self.theirs.items(task.theirs);
        self.add_steps(ours.len() + was.len() + theirs.len() + 1);
        let style = Rc::new(Style::of(task.ours, &task.style));
        let members = Members {
            holder: task.ours,
            ours_index: NameIndex::of(&ours),
            ancestor_index: NameIndex::of(&was),
            theirs_index: NameIndex::of(&theirs),
            ours,
            ancestor: was,
            theirs,
        };
        let kept = vec![true; members.ours.len()];
        let mut outcome = MemberEdits { keep: kept, added: Vec::new(), handled_index: None };
        let (mut gone, come) = members.removed_and_added();
        if let ([old], [at]) = (gone.as_slice(), come.as_slice())
            && let Some(new) = members.theirs.get(*at)
            && self.merge_renamed(&members, old, new, &mut outcome)
        {
            outcome.handled_index = Some(*at);
            gone.clear();
        }
        for item in gone {
            self.remove_member(&members, &item, &mut outcome);
        }
        self.merge_members(&members, &mut outcome, &style);
        for (_, item) in &outcome.added {
            let place = MergePlace { node: task.ours, key: item.key };
            self.add_change(place, ChangeKind::Added, None, Some(item.value));
        }
        if !outcome.added.is_empty() || outcome.keep.contains(&false) {
            self.rewrite(task.ours, outcome, &style);
        }
    }

    /// Handles the only removed and the only added member as one edit: a rename if their
    /// values are equal, otherwise a replacement at the same position. Returns false if
    /// they must be handled separately.
    fn merge_renamed(
        &mut self,
        members: &Members<'m>,
        old: &Item<'m>,
        new: &Item<'m>,
        outcome: &mut MemberEdits<'m>,
    ) -> bool {
        match (members.find_ours(old), members.find_ours(new), old.class == new.class) {
            (Some((_, mine)), None, true) => {
                if let Some((here, there)) = mine.key.zip(new.key) {
                    self.splices.replace(here.span(), there.raw().to_owned());
                    let place = MergePlace::of(mine.value);
                    self.add_change(place, ChangeKind::Renamed, Some(here), Some(there));
                }
                true
            }
            // Both sides renamed it, to the same name.
            (None, Some(_), true) => true,
            (None, None, true) => {
                let values = [Some(old.value), None, Some(new.value)];
                self.add_conflict(members.place(old), ConflictKind::RemovedByOurs, values);
                true
            }
            (Some((at, mine)), None, false) if self.is_unedited(mine.value, old.value) => {
                if let Some(kept) = outcome.keep.get_mut(at) {
                    *kept = false;
                }
                outcome.added.push((at, *new));
                self.add_change(
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

    fn remove_member(
        &mut self,
        members: &Members<'m>,
        item: &Item<'m>,
        outcome: &mut MemberEdits<'m>,
    ) {
        let Some((at, mine)) = members.find_ours(item) else { return };
        let place = MergePlace::of(mine.value);
        if self.is_unedited(mine.value, item.value) {
            if let Some(kept) = outcome.keep.get_mut(at) {
                *kept = false;
            }
            self.add_change(place, ChangeKind::Removed, Some(mine.value), None);
        } else {
            let values = [Some(item.value), Some(mine.value), None];
            self.add_conflict(place, ConflictKind::RemovedByTheirs, values);
        }
    }

    /// Queues the merge of the members that `theirs` changed, and adds new ones next to the
    /// members that they follow in `theirs`.
    fn merge_members(
        &mut self,
        members: &Members<'m>,
        outcome: &mut MemberEdits<'m>,
        style: &Rc<Style>,
    ) {
        let mut behind = None;
        let mut first = None;
        let mut added = Vec::new();
        for (index, item) in members.theirs.iter().enumerate() {
            let was = members.ancestor_index.get(item.name).and_then(|at| members.ancestor.get(at));
            let mine = members.find_ours(item);
            if let Some((at, _)) = mine {
                behind = Some(at + 1);
                first = first.or(Some(at));
            }
            match (was, mine) {
                _ if outcome.handled_index == Some(index) => {}
                (Some(was), _) if was.class == item.class => {}
                (None, None) => added.push((behind, *item)),
                (_, Some((_, mine))) => {
                    let was = was.map(|was| was.value);
                    self.pending.push(MergeTask {
                        ours: mine.value,
                        ancestor: was,
                        theirs: item.value,
                        style: Rc::clone(style),
                    });
                }
                (Some(was), None) => {
                    let values = [Some(was.value), None, Some(item.value)];
                    self.add_conflict(members.place(item), ConflictKind::RemovedByOurs, values);
                }
            }
        }
        let front = first.unwrap_or(members.ours.len());
        let added = added.into_iter().map(|(at, item)| (at.unwrap_or(front), item));
        outcome.added.extend(added);
        outcome.added.sort_by_key(|(at, _)| *at);
    }

    fn rewrite(&mut self, holder: Node<'m>, outcome: MemberEdits<'m>, style: &Style) {
        let mut items = Vec::new();
        let mut added = outcome.added.into_iter().peekable();
        for index in 0..=outcome.keep.len() {
            while let Some((_, Item { key, value, .. })) = added.next_if(|(at, _)| *at <= index) {
                items.push(MergedItem::New { key, value });
            }
            if outcome.keep.get(index) == Some(&true) {
                items.push(MergedItem::Old(index));
            }
        }
        self.splices.replace_items(holder, &items, style);
    }
}
