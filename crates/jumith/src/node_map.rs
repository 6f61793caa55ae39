//! Nodes that the checks of semantics and advice need.
//!
//! The checks work on nodes, so that each problem has its place. Values that are missing or
//! of the wrong type are skipped: the structure check reports them.

use manifest_core::Text;
use manifest_core::json::Node;

/// A member that is captured. The table assigns them.
#[derive(Clone, Copy)]
pub(crate) enum NodeKey {
    Id,
    Name,
    Version,
    Summary,
    Description,
    Tags,
    Provider,
    Main,
    Export,
    Schema,
    Input,
    Output,
    RequiresApproval,
    RequiredSecrets,
}

const COUNT: usize = NodeKey::RequiredSecrets as usize + 1;

/// The captured nodes of a manifest, by [`NodeKey`].
#[derive(Default)]
pub(crate) struct NodeMap<'a>(pub(crate) [Option<Node<'a>>; COUNT]);

impl<'a> NodeMap<'a> {
    /// Returns the node of a part.
    pub(crate) fn at(&self, part: NodeKey) -> Option<Node<'a>> {
        self.0.get(part as usize).copied().flatten()
    }

    /// Returns the node and the text of a part that is a string.
    pub(crate) fn text(&self, part: NodeKey) -> Option<(Node<'a>, Text<'a>)> {
        self.at(part).and_then(|node| Some((node, node.text()?)))
    }
}
