//! Nodes of tools that the checks need.

use manifest_core::Text;
use manifest_core::json::Node;

/// The nodes of a tool and its members.
pub(crate) struct ToolNodes<'a> {
    pub(crate) tool: Node<'a>,
    /// The name, which all checks need. A missing name is empty.
    pub(crate) name: Text<'a>,
    /// The node of the name, or of the tool if the name is missing.
    pub(crate) name_or_tool: Node<'a>,
    pub(crate) schema: Option<Node<'a>>,
    pub(crate) command: Option<Node<'a>>,
    pub(crate) timeout: Option<Node<'a>>,
    pub(crate) env: Option<Node<'a>>,
}

impl<'a> ToolNodes<'a> {
    /// Creates the parts of a tool from its `members`, in the order of the fields.
    pub(crate) fn new(whole: Node<'a>, members: [Option<Node<'a>>; 5]) -> Self {
        let [name, schema, command, timeout, env] = members;
        let text = name.and_then(Node::text).unwrap_or_default();
        let name_or_whole = name.unwrap_or(whole);
        Self { tool: whole, name: text, name_or_tool: name_or_whole, schema, command, timeout, env }
    }
}
