//! The cost of reading a part of a schema.

use crate::graph::Subschema;

/// Bytes of text that count as a step.
pub(super) const BYTES_PER_STEP: usize = 16;

/// Returns the steps to read a part: one for each keyword and subschema, and more for long
/// names and lists.
pub(super) fn cost(part: &Subschema<'_>) -> usize {
    let inside: usize =
        part.edges.iter().map(|found| 1 + found.name().len() / BYTES_PER_STEP).sum();
    let lists = part.node.members().filter(|member| {
        ["enum", "const", "required", "dependentRequired", "dependencies"]
            .iter()
            .any(|name| member.has_name(name))
    });
    let lists: usize = lists.map(|member| member.value.raw().len() / BYTES_PER_STEP).sum();
    part.node.members().count() + inside + lists
}
