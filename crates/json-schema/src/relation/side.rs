//! A schema that can be compared.

use json_text::Node;

use super::prints::{Print, prints};
use crate::graph::Graph;
use crate::{Limits, guard};

/// A schema that can be compared.
pub(super) struct Side<'a> {
    pub(super) graph: Graph<'a>,
    /// What each part means, where that can be said in one value.
    pub(super) prints: Vec<Option<Print>>,
}

impl<'a> Side<'a> {
    pub(super) fn read(schema: Node<'a>, limits: &Limits) -> Option<Self> {
        let graph = guard::graph(schema, limits).ok()?;
        let prints = prints(&graph);
        Some(Self { graph, prints })
    }

    /// The steps that its length is good for.
    pub(super) fn steps(&self) -> u64 {
        let bytes = self.graph.parts.first().map_or(0, |part| part.node.raw().len());
        u64::try_from(bytes).unwrap_or(u64::MAX).saturating_mul(STEPS_A_BYTE)
    }

    pub(super) fn print(&self, part: usize) -> Option<Print> {
        self.prints.get(part).copied().flatten()
    }
}

/// Steps grow with the schemas, so that many small ones take no longer than a large
/// one.
const STEPS_A_BYTE: u64 = 32;
