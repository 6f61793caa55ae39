//! Matches the elements of two arrays.

use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};

use super::class::Class;
use crate::Node;

/// An element and the values that it is matched by.
#[derive(Clone, Copy)]
pub(super) struct Element<'m> {
    pub(super) node: Node<'m>,
    pub(super) class: Class,
    /// The index of its key in [`MergeOptions::keys`](super::MergeOptions::keys), and the
    /// class of the key's value.
    pub(super) key: Option<(usize, Class)>,
}

/// The key of an element, or its value if it has no key.
type Identity = (usize, Class);

impl Element<'_> {
    fn identity(&self) -> Identity {
        self.key.unwrap_or((usize::MAX, self.class))
    }
}

/// The conditions under which unequal elements match.
pub(super) struct MatchRules<'l> {
    /// Returns true if the second element may be the first one under a new key.
    pub(super) may_be_renamed: &'l dyn Fn(Node<'_>, Node<'_>) -> bool,
    /// Returns true if the new element contains everything that the old one contains.
    pub(super) covers: &'l dyn Fn(Node<'_>, Node<'_>) -> bool,
}

/// Returns for each old element the index of the matching new one.
pub(super) fn align(
    old: &[Element<'_>],
    new: &[Element<'_>],
    likeness: &MatchRules<'_>,
    steps: &Cell<u64>,
) -> Vec<Option<usize>> {
    let pairs = Pairs { new_of_old: vec![None; old.len()], old_of_new: vec![None; new.len()] };
    let mut aligner = Aligner { old, new, pairs, steps };
    aligner.pair_common_ends();
    if !aligner.is_complete() {
        aligner.pair_unique();
        aligner.pair_in_order();
        aligner.pair_renamed(likeness);
        aligner.pair_changed(likeness);
    }
    aligner.pairs.new_of_old
}

/// Returns for each old element the index of the new one with the same key or value. Equal
/// elements match in order.
pub(super) fn align_equal(
    old: &[Element<'_>],
    new: &[Element<'_>],
    steps: &Cell<u64>,
) -> Vec<Option<usize>> {
    let pairs = Pairs { new_of_old: vec![None; old.len()], old_of_new: vec![None; new.len()] };
    let mut aligner = Aligner { old, new, pairs, steps };
    aligner.pair_in_order();
    aligner.pairs.new_of_old
}

struct Pairs {
    new_of_old: Vec<Option<usize>>,
    old_of_new: Vec<Option<usize>>,
}

struct Aligner<'a, 'm> {
    old: &'a [Element<'m>],
    new: &'a [Element<'m>],
    pairs: Pairs,
    steps: &'a Cell<u64>,
}

/// Unpaired elements without a key, between two paired ones.
#[derive(Default)]
struct UnpairedRun {
    items: Vec<usize>,
    /// The old index of the paired element after the run; `None` at the end of the array.
    next: Option<usize>,
}

impl Aligner<'_, '_> {
    fn step(&self, count: usize) {
        self.steps.set(self.steps.get() + count as u64);
    }

    fn is_complete(&self) -> bool {
        self.pairs.new_of_old.iter().chain(&self.pairs.old_of_new).all(Option::is_some)
    }

    fn pair(&mut self, old: usize, new: usize) {
        if let (Some(to @ None), Some(from @ None)) =
            (self.pairs.new_of_old.get_mut(old), self.pairs.old_of_new.get_mut(new))
        {
            (*to, *from) = (Some(new), Some(old));
        }
    }

    fn unpaired_old(&self) -> impl Iterator<Item = usize> {
        self.pairs
            .new_of_old
            .iter()
            .enumerate()
            .filter(|(_, to)| to.is_none())
            .map(|(index, _)| index)
    }

    fn unpaired_new(&self) -> impl Iterator<Item = usize> {
        self.pairs
            .old_of_new
            .iter()
            .enumerate()
            .filter(|(_, from)| from.is_none())
            .map(|(at, _)| at)
    }

    /// Pairs the common prefix and the common suffix.
    fn pair_common_ends(&mut self) {
        let same = |(old, new): &(&Element<'_>, &Element<'_>)| old.identity() == new.identity();
        let front = self.old.iter().zip(self.new).take_while(same).count();
        for index in 0..front {
            self.pair(index, index);
        }
        let (old, new) = (self.old.len() - front, self.new.len() - front);
        let ends = self.old.iter().rev().zip(self.new.iter().rev());
        let back = ends.take(old.min(new)).take_while(same).count();
        for index in 1..=back {
            let (old, new) = (self.old.len() - index, self.new.len() - index);
            // Elements with equal keys are paired in order, from the front.
            if self.old.get(old).is_some_and(|element| element.key.is_none()) {
                self.pair(old, new);
            }
        }
        self.step(front + back + 1);
    }

    /// Pairs elements that occur once on each side, and the equal elements next to them.
    /// Among equal elements, the ones with the same neighbours match.
    fn pair_unique(&mut self) {
        let mut counts: BTreeMap<Identity, [(usize, usize); 2]> = BTreeMap::new();
        let lists = [(self.old, &self.pairs.new_of_old), (self.new, &self.pairs.old_of_new)];
        for (side, (elements, pairs)) in lists.into_iter().enumerate() {
            self.step(elements.len());
            let left =
                elements.iter().zip(pairs).enumerate().filter(|(_, (_, pair))| pair.is_none());
            for (index, (element, _)) in left {
                let slots = counts.entry(element.identity()).or_default();
                if let Some((count, at)) = slots.get_mut(side) {
                    (*count, *at) = (*count + 1, index);
                }
            }
        }
        for (index, element) in self.old.iter().enumerate() {
            if let Some([(1, _), (1, new)]) = counts.get(&element.identity()) {
                self.pair(index, *new);
                self.extend(index, *new, |at| at.checked_add(1));
                self.extend(index, *new, |at| at.checked_sub(1));
            }
        }
    }

    /// Pairs equal elements without a key next to a pair, in one direction.
    fn extend(&mut self, old: usize, new: usize, next: impl Fn(usize) -> Option<usize>) {
        let (mut old, mut new) = (next(old), next(new));
        while let (Some(i), Some(j)) = (old, new) {
            let free = self.pairs.new_of_old.get(i) == Some(&None)
                && self.pairs.old_of_new.get(j) == Some(&None);
            let equal = self
                .old
                .get(i)
                .zip(self.new.get(j))
                .is_some_and(|(a, b)| a.key.is_none() && a.identity() == b.identity());
            self.step(1);
            if !free || !equal {
                return;
            }
            self.pair(i, j);
            (old, new) = (next(i), next(j));
        }
    }

    /// Pairs equal elements in order.
    fn pair_in_order(&mut self) {
        let mut places: BTreeMap<Identity, VecDeque<usize>> = BTreeMap::new();
        for index in self.unpaired_new() {
            if let Some(element) = self.new.get(index) {
                places.entry(element.identity()).or_default().push_back(index);
            }
        }
        let left: Vec<_> = self.unpaired_old().collect();
        self.step(self.old.len() + self.new.len());
        for index in left {
            let identity = self.old.get(index).map(Element::identity);
            let found = identity.and_then(|identity| places.get_mut(&identity)?.pop_front());
            if let Some(found) = found {
                self.pair(index, found);
            }
        }
    }

    /// Pairs the only unpaired element with a key on each side, then the only unpaired
    /// element at all, which may have lost or gained a key. Each pair must satisfy
    /// [`MatchRules::may_be_renamed`].
    fn pair_renamed(&mut self, likeness: &MatchRules<'_>) {
        for keyed in [true, false] {
            let Some((old, new)) = self.sole_unpaired(keyed) else { continue };
            let nodes = self.old.get(old).zip(self.new.get(new));
            let alike = nodes.is_some_and(|(old, new)| {
                let named = old.key.is_some() || new.key.is_some();
                named && (likeness.may_be_renamed)(old.node, new.node)
            });
            if alike {
                self.pair(old, new);
            }
        }
    }

    /// Returns the only unpaired element of each side, among all or among elements with a
    /// key.
    fn sole_unpaired(&self, keyed: bool) -> Option<(usize, usize)> {
        self.step(self.old.len() + self.new.len());
        let counts = |list: &[Element<'_>], index: &usize| {
            list.get(*index).is_some_and(|element| !keyed || element.key.is_some())
        };
        let mut old = self.unpaired_old().filter(|index| counts(self.old, index));
        let mut new = self.unpaired_new().filter(|index| counts(self.new, index));
        match (old.next(), old.next(), new.next(), new.next()) {
            (Some(old), None, Some(new), None) => Some((old, new)),
            _ => None,
        }
    }

    /// Pairs unpaired elements without a key between the same neighbours: all of them if
    /// both sides have the same number, otherwise those that are covered.
    fn pair_changed(&mut self, likeness: &MatchRules<'_>) {
        let paired = self.pairs.new_of_old.iter().enumerate();
        let paired: Vec<_> = paired.map(|(index, to)| to.map(|_| index)).collect();
        let old = runs(self.old, &paired);
        let new = runs(self.new, &self.pairs.old_of_new);
        self.step(self.old.len() + self.new.len());
        for (after, new) in new {
            let Some(old) = old.get(&after).filter(|old| old.next == new.next) else { continue };
            if old.items.len() == new.items.len() {
                for (old, new) in old.items.iter().zip(new.items) {
                    self.pair(*old, new);
                }
                continue;
            }
            let mut left = old.items.iter().peekable();
            for index in new.items {
                self.step(1);
                let nodes =
                    left.peek().and_then(|old| self.old.get(**old)).zip(self.new.get(index));
                let covered = nodes.is_some_and(|(old, new)| (likeness.covers)(old.node, new.node));
                if let Some(old) = left.next_if(|_| covered) {
                    self.pair(*old, index);
                }
            }
        }
    }
}

/// Groups the unpaired elements without a key by the old element before them. `names` has
/// for each element the old element that it is paired with.
fn runs(elements: &[Element<'_>], names: &[Option<usize>]) -> BTreeMap<Option<usize>, UnpairedRun> {
    let mut runs = BTreeMap::new();
    let mut after = None;
    let mut run = UnpairedRun::default();
    for (index, (element, name)) in elements.iter().zip(names).enumerate() {
        if name.is_some() {
            run.next = *name;
            runs.insert(after, std::mem::take(&mut run));
            after = *name;
        } else if element.key.is_none() {
            run.items.push(index);
        }
    }
    runs.insert(after, run);
    runs
}
