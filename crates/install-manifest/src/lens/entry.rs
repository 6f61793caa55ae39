//! The parts of a manifest as they are found, whether they are there or not.

use manifest_core::json::Node;
use manifest_core::table::{self, Member};

/// The value of a member that may not be there.
pub(super) type Entry<'a> = Option<Node<'a>>;

/// The members of an object that may not be there.
pub(super) fn of<'a, const N: usize>(
    node: Entry<'a>,
    members: &'static [Member; N],
) -> [Entry<'a>; N] {
    node.map_or([None; N], |node| table::entries(node, members))
}

/// The elements of a list that may not be there.
pub(super) fn elements(node: Entry<'_>) -> impl Iterator<Item = Node<'_>> {
    node.into_iter().flat_map(Node::elements)
}
