//! A schema prepared for comparison.

use json_text::Node;

use super::fingerprint::{Fingerprint, fingerprints};
use crate::graph::Graph;
use crate::{Limits, guard};

/// A schema prepared for comparison.
pub(super) struct ComparedSchema<'a> {
    pub(super) graph: Graph<'a>,
    /// The print of each part that has one.
    pub(super) prints: Vec<Option<Fingerprint>>,
}

impl<'a> ComparedSchema<'a> {
    pub(super) fn read(schema: Node<'a>, limits: &Limits) -> Option<Self> {
        let graph = guard::graph(schema, limits).ok()?;
        let prints = fingerprints(&graph);
        Some(Self { graph, prints })
    }

    /// Returns the steps that its length adds to a comparison.
    pub(super) fn steps(&self) -> u64 {
        let bytes = self.graph.subschemas.first().map_or(0, |part| part.node.raw().len());
        u64::try_from(bytes).unwrap_or(u64::MAX).saturating_mul(STEPS_PER_BYTE)
    }

    pub(super) fn print(&self, part: usize) -> Option<Fingerprint> {
        self.prints.get(part).copied().flatten()
    }
}

/// Steps grow with the schemas, so that many small ones take no longer than a large one.
const STEPS_PER_BYTE: u64 = 32;
