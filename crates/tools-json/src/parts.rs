//! Tools taken apart: where their values stand.

use manifest_core::Text;
use manifest_core::json::Node;

/// Where a tool and its members stand.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    pub(crate) whole: Node<'a>,
    pub(crate) name: Option<Node<'a>>,
    pub(crate) schema: Option<Node<'a>>,
    pub(crate) command: Option<Node<'a>>,
    pub(crate) timeout: Option<Node<'a>>,
    pub(crate) env: Option<Node<'a>>,
}

impl<'a> Parts<'a> {
    /// The name; none is empty.
    pub(crate) fn name(&self) -> Text<'a> {
        self.name.and_then(Node::text).unwrap_or_default()
    }

    /// Where the name stands, or the tool when it has none.
    pub(crate) fn name_or_whole(&self) -> Node<'a> {
        self.name.unwrap_or(self.whole)
    }
}
