//! Nodes that the checks of semantics and advice need.
//!
//! The checks work on nodes, so a problem needs no search for its place. Values that are
//! missing or of the wrong type are skipped, because the structure check reports them.

use manifest_core::Text;
use manifest_core::json::Node;

/// A member of a manifest. The table maps members to parts.
#[derive(Clone, Copy)]
pub(crate) enum NodeKey {
    Id,
    Version,
    Origin,
    Source,
    Digest,
    Url,
    Path,
    Inputs,
    Outputs,
    Permissions,
    Network,
    Devices,
    Allowlist,
    Cpu,
    Memory,
    Timeout,
    RequiresOauth,
    Secrets,
    Implementation,
    Kind,
    Command,
    Python,
    Mcp,
    A2a,
    Argv,
    Callable,
    RegistryUrl,
    ToolName,
    ServerId,
    Endpoint,
}

const COUNT: usize = NodeKey::Endpoint as usize + 1;

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

    /// Returns true if a part is this text.
    pub(crate) fn has_text(&self, part: NodeKey, text: &str) -> bool {
        self.text(part).is_some_and(|(_, found)| found == text)
    }
}
