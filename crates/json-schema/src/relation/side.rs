//! A schema prepared for comparison.

use json_text::Node;

use super::fingerprint::{Fingerprint, fingerprints};
use crate::graph::{Graph, Subschema};
use crate::{Limits, guard};

/// A schema prepared for comparison.
pub(super) struct ComparedSchema<'a> {
    pub(super) graph: Graph<'a>,
    /// The fingerprint of each part that has one.
    fingerprints: Vec<Option<Fingerprint>>,
}

impl<'a> ComparedSchema<'a> {
    pub(super) fn read(schema: Node<'a>, limits: &Limits) -> Option<Self> {
        let graph = guard::graph(schema, limits).ok()?;
        let fingerprints = fingerprints(&graph);
        Some(Self { graph, fingerprints })
    }

    pub(super) fn part(&self, part: usize) -> Option<&Subschema<'a>> {
        self.graph.subschemas.get(part)
    }

    /// Returns the steps that its length adds to a comparison.
    pub(super) fn steps(&self) -> u64 {
        let bytes = self.part(0).map_or(0, |part| part.node.raw().len());
        u64::try_from(bytes).unwrap_or(u64::MAX).saturating_mul(STEPS_PER_BYTE)
    }

    pub(super) fn fingerprint(&self, part: usize) -> Option<Fingerprint> {
        self.fingerprints.get(part).copied().flatten()
    }
}

/// Steps grow with the schemas, so that many small ones take no longer than a large one.
const STEPS_PER_BYTE: u64 = 32;

/// Bytes of text that count as a step.
pub(super) const BYTES_PER_STEP: usize = 16;

/// Returns the steps to read a part: one for each keyword and subschema, and more for long
/// names and lists.
pub(super) fn cost(part: &Subschema<'_>) -> usize {
    let mut steps = 0;
    for edge in &part.edges {
        steps += 1 + edge.name().len() / BYTES_PER_STEP;
    }
    for member in part.node.members() {
        steps += 1;
        let lists = ["enum", "const", "required", "dependentRequired", "dependencies"];
        if lists.iter().any(|name| member.has_name(name)) {
            steps += member.value.raw().len() / BYTES_PER_STEP;
        }
    }
    steps
}
