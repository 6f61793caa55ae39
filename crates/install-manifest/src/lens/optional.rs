//! Members of a manifest that may be missing.

use manifest_core::json::Node;
pub(super) use manifest_core::table::member_values_if_any as of;

/// The value of a member that may be missing.
pub(super) type OptionalNode<'a> = Option<Node<'a>>;

/// Returns the elements of a list that may be missing.
pub(super) fn elements(node: OptionalNode<'_>) -> impl Iterator<Item = Node<'_>> {
    node.into_iter().flat_map(Node::elements)
}
