//! The parts of a manifest as they are found, whether they are there or not.

use manifest_core::json::Node;
pub(super) use manifest_core::table::entries_of as of;

/// The value of a member that may not be there.
pub(super) type Entry<'a> = Option<Node<'a>>;

/// The elements of a list that may not be there.
pub(super) fn elements(node: Entry<'_>) -> impl Iterator<Item = Node<'_>> {
    node.into_iter().flat_map(Node::elements)
}
