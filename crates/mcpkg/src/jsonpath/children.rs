//! Lookup of the children of a node.

use std::ops::Range;

use super::ast::{Segment, Selector, Slice};
use manifest_core::json::Node;

/// A child, if there is one, and the number of bytes read to find it. Each element passed
/// counts as one byte.
pub(super) type ChildLookup<'a> = (Option<Node<'a>>, usize);

/// Returns the child that a segment of a singular query selects.
pub(super) fn singular_child<'a>(node: Node<'a>, segment: &Segment) -> ChildLookup<'a> {
    match segment.selectors.as_slice() {
        [Selector::Name(name)] => member(node, name),
        [Selector::Index(index)] => element(node, *index),
        _ => (None, 0),
    }
}

pub(super) fn member<'a>(node: Node<'a>, name: &str) -> ChildLookup<'a> {
    let mut read = 0;
    for member in node.members() {
        read += member.key.raw().len();
        if member.has_name(name) {
            return (Some(member.value), read);
        }
    }
    (None, read)
}

/// Returns the element at an index. A negative index counts from the end.
pub(super) fn element(node: Node<'_>, index: i64) -> ChildLookup<'_> {
    let mut read = 0;
    let index = if index < 0 {
        read = node.elements().count();
        to_i64(read) + index
    } else {
        index
    };
    let Ok(index) = usize::try_from(index) else { return (None, read) };
    for (position, element) in node.elements().enumerate() {
        read += 1;
        if position == index {
            return (Some(element), read);
        }
    }
    (None, read)
}

/// Returns everything directly inside an array or object.
pub(super) fn children(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    node.elements().chain(node.members().map(|member| member.value))
}

/// Converts a count to the type of indices, saturating.
pub(super) fn to_i64(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl Slice {
    /// Returns the range of indices that the slice selects from, in an array of `len`
    /// elements.
    pub(super) fn bounds(&self, len: i64) -> Range<i64> {
        let [start, end] = [self.start, self.end].map(|bound| match bound {
            Some(index) if index < 0 => Some(len + index),
            bound => bound,
        });
        if self.step < 0 {
            let first = start.unwrap_or(len - 1).clamp(-1, len - 1);
            let last = end.unwrap_or(-1).clamp(-1, len - 1);
            last + 1..first + 1
        } else {
            start.unwrap_or(0).clamp(0, len)..end.unwrap_or(len).clamp(0, len)
        }
    }

    /// Returns true if the slice selects an index within its bounds.
    pub(super) fn selects(&self, index: i64, bounds: &Range<i64>) -> bool {
        let distance = if self.step < 0 { bounds.end - 1 - index } else { index - bounds.start };
        self.step != 0 && distance % self.step == 0
    }
}
