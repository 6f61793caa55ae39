//! Tools taken apart: where their values stand.

use manifest_core::Text;
use manifest_core::json::Node;

/// Where a tool and its members stand.
pub(crate) struct Parts<'a> {
    pub(crate) whole: Node<'a>,
    /// The name, which all checks ask for; none is empty.
    pub(crate) name: Text<'a>,
    /// Where the name stands, or the tool when it has none.
    pub(crate) name_or_whole: Node<'a>,
    pub(crate) schema: Option<Node<'a>>,
    pub(crate) command: Option<Node<'a>>,
    pub(crate) timeout: Option<Node<'a>>,
    pub(crate) env: Option<Node<'a>>,
}

impl<'a> Parts<'a> {
    /// A tool, and its members in the order of the fields.
    pub(crate) fn new(whole: Node<'a>, members: [Option<Node<'a>>; 5]) -> Self {
        let [name, schema, command, timeout, env] = members;
        let text = name.and_then(Node::text).unwrap_or_default();
        let name_or_whole = name.unwrap_or(whole);
        Self { whole, name: text, name_or_whole, schema, command, timeout, env }
    }
}
