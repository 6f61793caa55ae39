//! The parts of a manifest that more is to be said of than their shape.
//!
//! The checks look at values where they stand, so that a problem needs no search for its
//! place. What is missing or of the wrong type is skipped: the structure says so.

use manifest_core::Text;
use manifest_core::json::Node;

/// A part of a manifest. The table says which member it is.
#[derive(Clone, Copy)]
pub(crate) enum Part {
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

/// How many there are.
const COUNT: usize = Part::Endpoint as usize + 1;

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

    /// Whether a part is that text.
    pub(crate) fn is(&self, part: Part, text: &str) -> bool {
        self.text(part).is_some_and(|(_, found)| found == text)
    }
}
