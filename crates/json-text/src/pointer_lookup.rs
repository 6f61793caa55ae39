//! Pointers of values, and access by index or name. Large documents and containers use a
//! table instead of a linear search.

use super::positions::LINEAR_LOOKUP_ITEMS;
use super::{Member, Node};
use diagnostic::{HasLocation, Pointer, Span};

/// In a smaller document, a search is cheaper than a table.
const LINEAR_LOOKUP_ENTRIES: usize = 256;

impl Node<'_> {
    /// Returns the pointer of this value in its document.
    pub fn pointer(self) -> Pointer {
        if self.document.tape.len() < LINEAR_LOOKUP_ENTRIES {
            return self.pointer_from_root();
        }
        let places = &self.document.places().positions;
        let mut path = Vec::new();
        let mut node = self;
        while let (1.., Some(place)) = (node.index, places.get(node.index as usize)) {
            path.push((node, place.index));
            node = node.sibling(place.container);
        }
        let step = |pointer: Pointer, (node, before): (Self, u32)| {
            // A member's name is the entry before its value, and has the same pointer.
            let named = [node.index, node.index - 1]
                .map(|index| node.sibling(index))
                .into_iter()
                .find(|found| found.entry().is_name);
            match named.and_then(Node::text) {
                Some(name) => pointer.push(&name),
                None => pointer.push_index(before as usize),
            }
        };
        path.into_iter().rev().fold(Pointer::root(), step)
    }

    /// Returns the element at an index.
    pub fn element(self, number: usize) -> Option<Self> {
        let Some(later) = number.checked_sub(LINEAR_LOOKUP_ITEMS).filter(|_| self.is_array())
        else {
            return self.elements().nth(number);
        };
        let elements = self.document.places().long_containers.get(&self.index)?;
        elements.get(later).map(|index| self.sibling(*index))
    }

    /// Returns the value of the member with that name, without a linear search through a
    /// large object. [`Node::get`] is cheaper for a single lookup in a document.
    pub(super) fn member(self, name: &str) -> Option<Self> {
        let first = self.members().take(LINEAR_LOOKUP_ITEMS).find(|member| member.has_name(name));
        if let Some(member) = first {
            return Some(member.value);
        }
        self.members().nth(LINEAR_LOOKUP_ITEMS)?;
        let members = self.document.places().long_containers.get(&self.index)?;
        let name_of = |index: &u32| Member::of(self.sibling(*index)).name();
        let found = members.binary_search_by(|index| name_of(index).as_ref().cmp(name)).ok()?;
        members.get(found).map(|index| self.sibling(*index))
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

impl HasLocation for Node<'_> {
    fn pointer(&self) -> Pointer {
        Node::pointer(*self)
    }

    fn span(&self) -> Span {
        Node::span(*self)
    }
}
