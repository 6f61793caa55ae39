//! Which elements of two arrays are the same.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

use super::Node;
use super::layout::compact;

/// For each new element, the old one that it is.
pub(super) fn align(old: &[Node<'_>], new: &[Node<'_>], identity: &[&str]) -> Vec<Option<usize>> {
    let mut aligned = vec![None; new.len()];
    let mut free = vec![true; old.len()];
    let mut claim = |slot: &mut Option<usize>, index: usize| {
        if let Some(free @ true) = free.get_mut(index) {
            *free = false;
            *slot = Some(index);
        }
    };
    // Equal values, first of all those that stayed where they were.
    for (index, (slot, (old, new))) in aligned.iter_mut().zip(old.iter().zip(new)).enumerate() {
        if old.raw() == new.raw() || old.same_value(*new) {
            claim(slot, index);
        }
    }
    by_key(old, new, &mut aligned, &mut claim, |node| Some(compact(node)));
    by_key(old, new, &mut aligned, &mut claim, |node| {
        let found = identity.iter().find_map(|name| node.identity(name));
        found.map(Cow::into_owned)
    });
    // What is left changed too much to be recognised, unless there is no doubt.
    let left_old: Vec<usize> =
        free.iter().enumerate().filter(|(_, free)| **free).map(|(i, _)| i).collect();
    let left_new: Vec<&mut Option<usize>> =
        aligned.iter_mut().filter(|slot| slot.is_none()).collect();
    let certain = left_old.len() == 1 || old.len() == new.len();
    if certain && left_old.len() == left_new.len() {
        for (slot, index) in left_new.into_iter().zip(left_old) {
            *slot = Some(index);
        }
    }
    aligned
}

/// Aligns the elements that have equal keys, in order.
fn by_key(
    old: &[Node<'_>],
    new: &[Node<'_>],
    aligned: &mut [Option<usize>],
    claim: &mut impl FnMut(&mut Option<usize>, usize),
    key: impl Fn(Node<'_>) -> Option<String>,
) {
    if aligned.iter().all(Option::is_some) {
        return;
    }
    let taken: Vec<usize> = aligned.iter().flatten().copied().collect();
    let mut taken_map = vec![false; old.len()];
    for index in taken {
        if let Some(slot) = taken_map.get_mut(index) {
            *slot = true;
        }
    }
    let mut places: BTreeMap<String, VecDeque<usize>> = BTreeMap::new();
    for (index, (node, taken)) in old.iter().zip(taken_map).enumerate() {
        if let (false, Some(key)) = (taken, key(*node)) {
            places.entry(key).or_default().push_back(index);
        }
    }
    for (slot, node) in aligned.iter_mut().zip(new).filter(|(slot, _)| slot.is_none()) {
        let found = key(*node).and_then(|key| places.get_mut(&key)?.pop_front());
        if let Some(index) = found {
            claim(slot, index);
        }
    }
}
