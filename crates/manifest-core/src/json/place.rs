//! Where each value is: what it takes to give addresses at once, however many
//! values there are.

use super::{Entry, Node};
use crate::Pointer;

/// The place of every entry of a document.
#[derive(Clone, Debug)]
pub(super) struct Places(Vec<Place>);

#[derive(Clone, Copy, Debug)]
struct Place {
    /// The entry of the container.
    container: u32,
    /// How many values come before this one there.
    before: u32,
}

impl Places {
    pub(super) fn of(entries: &[Entry]) -> Self {
        // What is next inside each open container, and what follows the container.
        let mut open: Vec<(Place, u32)> = Vec::new();
        let mut places = Vec::with_capacity(entries.len());
        for (index, entry) in (0..).zip(entries) {
            while open.pop_if(|(_, end)| *end <= index).is_some() {}
            let root = Place { container: 0, before: 0 };
            places.push(open.last().map_or(root, |(place, _)| *place));
            if let (Some((place, _)), false) = (open.last_mut(), entry.name) {
                place.before += 1;
            }
            if entry.next > index + 1 {
                let first = Place { container: index, before: 0 };
                open.push((first, entry.next));
            }
        }
        Self(places)
    }
}

/// Looking for a value among fewer entries than this is cheaper than a table.
const FEW_ENTRIES: usize = 256;

impl Node<'_> {
    /// The address of this value in its document.
    pub fn pointer(self) -> Pointer {
        if self.document.tape.len() < FEW_ENTRIES {
            return self.pointer_from_root();
        }
        let Places(places) = self.document.places();
        let mut path = Vec::new();
        let mut node = self;
        while let (1.., Some(place)) = (node.index, places.get(node.index as usize)) {
            path.push((node, place.before));
            node = node.sibling(place.container);
        }
        let step = |pointer: Pointer, (node, before): (Self, u32)| {
            // A member's name stands before its value, and has the same address.
            let named = [node.index, node.index - 1]
                .map(|index| node.sibling(index))
                .into_iter()
                .find(|found| found.entry().name);
            match named.and_then(Node::text) {
                Some(name) => pointer.push(&name),
                None => pointer.push_index(before as usize),
            }
        };
        path.into_iter().rev().fold(Pointer::root(), step)
    }

    fn pointer_from_root(self) -> Pointer {
        let mut pointer = Pointer::root();
        let mut node = self.document.root();
        while node.index < self.index {
            let mut items = node.items().enumerate();
            let Some((index, (key, value))) =
                items.find(|(_, (_, value))| self.index < value.entry().next)
            else {
                break;
            };
            pointer = match key.and_then(Node::text) {
                Some(name) => pointer.push(&name),
                None => pointer.push_index(index),
            };
            node = value;
        }
        pointer
    }
}
