//! A table of the position of each entry in its container.

use std::collections::BTreeMap;

use crate::Kind;
use crate::entry::Entry;

/// The positions of all entries of a document.
#[derive(Clone, Debug)]
pub(super) struct PositionTable {
    pub(super) positions: Vec<IndexInParent>,
    /// The values of long containers from index [`LINEAR_LOOKUP_ITEMS`] on: elements in order, members
    /// sorted by name.
    pub(super) long_containers: BTreeMap<u32, Vec<u32>>,
}

/// Below this index, counting is cheaper than a table.
pub(super) const LINEAR_LOOKUP_ITEMS: usize = 16;

#[derive(Clone, Copy, Debug)]
pub(super) struct IndexInParent {
    /// The index of the container's entry.
    pub(super) container: u32,
    /// The number of values before this one in the container.
    pub(super) index: u32,
}

impl PositionTable {
    pub(super) fn of(text: &str, tape: &[Entry]) -> Self {
        // For each open container, the position of its next item, and the entry after the
        // container.
        let mut open: Vec<(IndexInParent, u32)> = Vec::new();
        let mut places = Vec::with_capacity(tape.len());
        let mut later: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (index, entry) in (0..).zip(tape) {
            while open.pop_if(|(_, end)| *end <= index).is_some() {}
            let root = IndexInParent { container: 0, index: 0 };
            places.push(open.last().map_or(root, |(place, _)| *place));
            if let (Some((place, _)), false) = (open.last_mut(), entry.is_name) {
                if place.index as usize >= LINEAR_LOOKUP_ITEMS {
                    later.entry(place.container).or_default().push(index);
                }
                place.index += 1;
            }
            if entry.next > index + 1 {
                let first = IndexInParent { container: index, index: 0 };
                open.push((first, entry.next));
            }
        }
        let entry = |index: u32| tape.get(index as usize);
        for (container, values) in &mut later {
            if entry(*container).is_some_and(|entry| entry.kind == Kind::Object) {
                // A member's name is the entry before its value.
                values.sort_by_cached_key(|value| entry(value - 1).map(|name| name.text(text)));
            }
        }
        Self { positions: places, long_containers: later }
    }
}
