//! The parts of a manifest that more is to be said of than their shape.
//!
//! The checks look at values where they stand, so that a problem needs no search for its
//! place. What is missing or of the wrong type is skipped: the structure says so.

use manifest_core::Text;
use manifest_core::json::Node;

/// A part of a manifest. The table says which member it is.
#[derive(Clone, Copy)]
pub(crate) enum Part {
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

/// How many there are.
const COUNT: usize = Part::Meta as usize + 1;

/// Where the parts of a manifest stand.
#[derive(Default)]
pub(crate) struct Parts<'a>(pub(crate) [Option<Node<'a>>; COUNT]);

impl<'a> Parts<'a> {
    /// Where a part stands.
    pub(crate) fn at(&self, part: Part) -> Option<Node<'a>> {
        self.0.get(part as usize).copied().flatten()
    }

    /// Where a part stands that is a text, and that text.
    pub(crate) fn text(&self, part: Part) -> Option<(Node<'a>, Text<'a>)> {
        self.at(part).and_then(|node| Some((node, node.text()?)))
    }

    /// The elements of a list of objects: none, where one of them is something else.
    pub(crate) fn objects(&self, part: Part) -> impl Iterator<Item = Node<'a>> + use<'a> {
        let whole = self.at(part).filter(|list| list.elements().all(Node::is_object));
        whole.into_iter().flat_map(Node::elements)
    }
}
