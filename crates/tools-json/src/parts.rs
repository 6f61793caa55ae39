//! Tools taken apart: where their values stand.

use manifest_core::json::Node;
use manifest_core::{Text, table};

use crate::table::{MANIFEST, TOOL};

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
    /// The tools of a manifest.
    pub(crate) fn all(root: Node<'a>) -> Vec<Self> {
        let [tools] = table::entries(root, &MANIFEST);
        tools.into_iter().flat_map(Node::elements).map(Self::of).collect()
    }

    fn of(whole: Node<'a>) -> Self {
        let [name, _description, schema, command, timeout, env] = table::entries(whole, &TOOL);
        Self { whole, name, schema, command, timeout, env }
    }

    /// The name; none is empty.
    pub(crate) fn name(&self) -> Text<'a> {
        self.name.and_then(Node::text).unwrap_or_default()
    }

    /// Where the name stands, or the tool when it has none.
    pub(crate) fn name_or_whole(&self) -> Node<'a> {
        self.name.unwrap_or(self.whole)
    }
}
