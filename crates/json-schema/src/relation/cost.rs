//! What reading a part of a schema costs.

use crate::graph::Subschema;

/// So many bytes of text are a step.
pub(super) const BYTES_A_STEP: usize = 16;

/// How many steps it takes to read a part: one for each keyword and subschema, and
/// what it takes to read lists of values and names.
pub(super) fn cost(part: &Subschema<'_>) -> usize {
    let inside: usize = part.uses.iter().map(|found| 1 + found.name().len() / BYTES_A_STEP).sum();
    let lists = part.node.members().filter(|member| {
        ["enum", "const", "required", "dependentRequired", "dependencies"]
            .iter()
            .any(|name| member.is(name))
    });
    let lists: usize = lists.map(|member| member.value.raw().len() / BYTES_A_STEP).sum();
    part.node.members().count() + inside + lists
}
