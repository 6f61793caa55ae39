//! The cost of a schema on any one value, found without running it.
//!
//! The subschemas that apply to the same value form a graph of their own. A cycle in it
//! never ends. Without a cycle, a subschema takes one step plus the steps of all subschemas
//! that it applies, which can double with every line.

use super::graph::{Edge, Graph, Subschema};
use super::rules;
use crate::Limits;
use diagnostic::Diagnostic;

/// The maximum length of a chain of subschemas that apply each other to one value, if it
/// begins with `unevaluatedProperties` or `unevaluatedItems`. The engine recurses there
/// when it compiles; this many fit a stack of 512 KiB.
const MAX_UNEVALUATED_CALLS: usize = 16;

/// The costs of a subschema.
#[derive(Clone, Copy, Default)]
struct Steps {
    /// Steps to check a value.
    check: u64,
    /// Steps to find out which parts of a value it evaluates.
    mark: u64,
    /// The longest chain of subschemas that apply each other.
    height: usize,
    /// The same chain without pure references.
    calls: usize,
    state: State,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum State {
    #[default]
    New,
    Open,
    Done,
}

/// Returns a diagnostic if the graph has a cycle or its cost passes a limit.
pub(super) fn check(graph: &Graph<'_>, limits: &Limits) -> Option<Diagnostic> {
    let mut steps = vec![Steps::default(); graph.subschemas.len()];
    let mut marked: u64 = 0;
    // The parts being visited, each with the index of its next use.
    let mut path = Vec::new();
    for root in 0..graph.subschemas.len() {
        path.push((root, 0));
        while let Some((part, next)) = path.pop() {
            match visit(graph, &mut steps, part, next) {
                Next::Descend(target) => path.extend([(part, next + 1), (target, 0)]),
                Next::Skip => path.push((part, next + 1)),
                Next::Finished => {}
                Next::Cycle(target) => {
                    let message = "this schema applies itself again to the same value";
                    return Some(rules::REF_CYCLE.at(graph.subschemas.get(target)?.node, message));
                }
                Next::Leave => {
                    let (at, found) = (graph.subschemas.get(part)?, steps.get(part)?);
                    if at.has_unevaluated() {
                        marked = marked.saturating_add(found.mark);
                    }
                    if let Some(diagnostic) = exceeded_limit(at, found, marked, limits) {
                        return Some(diagnostic);
                    }
                }
            }
        }
    }
    None
}

/// Returns a diagnostic if a subschema passes a limit.
fn exceeded_limit(
    part: &Subschema<'_>,
    steps: &Steps,
    marked: u64,
    limits: &Limits,
) -> Option<Diagnostic> {
    let too_many_calls = part.has_unevaluated() && steps.calls > MAX_UNEVALUATED_CALLS;
    if steps.height > limits.schema_depth.saturating_add(1) || too_many_calls {
        let message = "too many subschemas apply each other in turn";
        return Some(rules::DEPTH.at(part.node, message));
    }
    let limit = limits.schema_cost;
    if steps.check.max(marked) <= limit {
        return None;
    }
    let message = format!("this schema takes more than {limit} steps per value");
    Some(rules::COST.at(part.node, message))
}

enum Next {
    Descend(usize),
    Skip,
    Cycle(usize),
    Leave,
    Finished,
}

/// Makes one step of a depth-first walk, without recursion.
fn visit(graph: &Graph<'_>, steps: &mut [Steps], part: usize, next: usize) -> Next {
    let (Some(own), Some(subschema)) = (steps.get_mut(part), graph.subschemas.get(part)) else {
        return Next::Finished;
    };
    if own.state == State::Done {
        return Next::Finished;
    }
    let Some(edge) = subschema.edges.get(next) else {
        let sum = total(subschema, steps);
        if let Some(own) = steps.get_mut(part) {
            *own = sum;
        }
        return Next::Leave;
    };
    own.state = State::Open;
    if !edge.in_place() {
        return Next::Skip;
    }
    match steps.get(edge.target).map(|target| target.state) {
        Some(State::New) => Next::Descend(edge.target),
        Some(State::Open) => Next::Cycle(edge.target),
        Some(State::Done) | None => Next::Skip,
    }
}

/// Adds up the costs of a subschema whose uses are all known. A pure reference takes no
/// steps of its own.
fn total(part: &Subschema<'_>, steps: &[Steps]) -> Steps {
    // A reference that leads nowhere has been reported, and costs nothing.
    let known = |edge: &Edge<'_>| steps.get(edge.target).map_or(Steps::default(), |known| *known);
    if let Some(reference) = part.alias() {
        let below = known(reference);
        return Steps { height: below.height + 1, state: State::Done, ..below };
    }
    let own = 1 + part.edges.len() as u64;
    let mut sum = Steps { check: own, mark: own, height: 1, calls: 1, state: State::Done };
    for edge in &part.edges {
        if !edge.in_place() {
            continue;
        }
        let below = known(edge);
        sum.check = sum.check.saturating_add(below.check);
        sum.mark = sum.mark.saturating_add(below.check).saturating_add(below.mark);
        sum.height = sum.height.max(below.height + 1);
        sum.calls = sum.calls.max(below.calls + 1);
    }
    if part.has_unevaluated() {
        sum.check = sum.check.saturating_add(sum.mark);
    }
    sum
}
