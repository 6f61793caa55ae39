//! Nodes that the semantic checks need.
//!
//! The checks work on nodes, so a problem needs no search for its place. Values that are
//! missing or of the wrong type are skipped, because the structure check reports them.

use manifest_core::Text;
use manifest_core::json::Node;

/// A member of a manifest. The table maps members to parts.
#[derive(Clone, Copy)]
pub(crate) enum NodeKey {
    ToolId,
    Name,
    Version,
    Description,
    Capabilities,
    Endpoint,
    Implementations,
    Chain,
    Input,
    Output,
    Tests,
    Examples,
    Meta,
}

const COUNT: usize = NodeKey::Meta as usize + 1;

/// The nodes of a manifest, by part.
#[derive(Default)]
pub(crate) struct NodeMap<'a>(pub(crate) [Option<Node<'a>>; COUNT]);

impl<'a> NodeMap<'a> {
    pub(crate) fn get(&self, part: NodeKey) -> Option<Node<'a>> {
        self.0.get(part as usize).copied().flatten()
    }

    /// Returns the node and the text of a part that is a string.
    pub(crate) fn text(&self, part: NodeKey) -> Option<(Node<'a>, Text<'a>)> {
        self.get(part).and_then(|node| Some((node, node.text()?)))
    }

    /// Returns the elements of a list of objects. Returns no elements if one of them is not
    /// an object.
    pub(crate) fn objects(&self, part: NodeKey) -> impl Iterator<Item = Node<'a>> + use<'a> {
        let whole = self.get(part).filter(|list| list.elements().all(Node::is_object));
        whole.into_iter().flat_map(Node::elements)
    }
}
