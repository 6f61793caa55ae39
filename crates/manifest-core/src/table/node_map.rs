//! The nodes that the check of a table captures.

use json_text::{Node, Text};

/// The values of a document's members, by the keys that its table assigns to them. The
/// [check](super::check()) of the table fills them in.
///
/// Further checks work on nodes, so that each problem has its place. They skip values that
/// are missing or of the wrong type, because the check of the table reports them.
#[derive(Debug)]
pub struct NodeMap<'a, const N: usize>([Option<Node<'a>>; N]);

impl<const N: usize> Default for NodeMap<'_, N> {
    fn default() -> Self {
        Self([None; N])
    }
}

impl<'a, const N: usize> NodeMap<'a, N> {
    /// Returns the slots that the check of the table fills.
    pub fn slots(&mut self) -> &mut [Option<Node<'a>>] {
        &mut self.0
    }

    /// Returns the node of a member.
    pub fn get(&self, key: impl Into<usize>) -> Option<Node<'a>> {
        self.0.get(key.into()).copied().flatten()
    }

    /// Returns the node and the text of a member that is a string.
    pub fn text(&self, key: impl Into<usize>) -> Option<(Node<'a>, Text<'a>)> {
        let node = self.get(key)?;
        Some((node, node.text()?))
    }
}
