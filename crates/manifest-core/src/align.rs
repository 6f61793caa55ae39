//! Matches the tools of one document with those of another.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Returns, for each id, the index in `known` of the same tool, or `None`.
///
/// Equal ids match first. The others match by the last part of the id, if it is unique
/// among `ids` and among the unmatched entries of `known`, because renaming a package
/// renames all its tools. If exactly one tool is then left on each side, it was renamed.
pub fn align(ids: &[&str], known: &[&str]) -> Vec<Option<usize>> {
    let mut by_id: BTreeMap<&str, VecDeque<usize>> = BTreeMap::new();
    for (index, id) in known.iter().enumerate() {
        by_id.entry(id).or_default().push_back(index);
    }
    let mut pairs: Vec<Option<usize>> = Vec::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for id in ids {
        pairs.push(by_id.get_mut(id).and_then(VecDeque::pop_front));
        *counts.entry(last_part(id)).or_default() += 1;
    }
    let mut left: BTreeSet<usize> = BTreeSet::new();
    let mut by_last: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (id, indices) in by_id {
        left.extend(&indices);
        by_last.entry(last_part(id)).or_default().extend(indices);
    }
    for (pair, id) in pairs.iter_mut().zip(ids) {
        let part = last_part(id);
        if pair.is_none()
            && counts.get(part) == Some(&1)
            && let Some([only]) = by_last.get(part).map(Vec::as_slice)
        {
            *pair = Some(*only);
            left.remove(only);
        }
    }
    let mut open: Vec<_> = pairs.iter_mut().filter(|pair| pair.is_none()).collect();
    if let (1, Some(only), [open]) = (left.len(), left.first(), open.as_mut_slice()) {
        **open = Some(*only);
    }
    pairs
}

/// Returns the part of an id after its last dot, or the whole id if it has no dot.
pub fn last_part(id: &str) -> &str {
    id.rsplit_once('.').map_or(id, |(_, last)| last)
}
