//! Counts the steps that checking a value takes, before anything runs.
//!
//! The count follows the schema into the value as far as an engine might have to: every
//! alternative, every pattern, without caching. It stops at the limit, so counting stays
//! cheap.

use super::keywords::Applies;
use super::plan::{Plan, PlannedSubschema};
use json_text::{Kind, Node};

/// The maximum nesting of subschema evaluations. The engine recurses; this many fit a stack
/// of 512 KiB, even in a build without optimisation.
const MAX_FRAMES: u32 = 256;

/// Matching one term against this many bytes counts as a step.
const BYTES_PER_STEP: u64 = 64;

/// The cost of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RunCost {
    pub(super) steps: u64,
    /// An upper bound on the errors.
    pub(super) errors: u64,
    /// Bytes in the longest path to a checked value.
    pub(super) path: usize,
    /// The nesting of subschema evaluations.
    pub(super) frames: u32,
}

/// The reason to refuse a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Steps,
    Depth,
}

/// A subschema to check a value against.
struct Task<'a> {
    part: usize,
    value: Node<'a>,
    frames: u32,
    path: usize,
    /// True to find only which parts of the value are evaluated.
    mark: bool,
}

struct Count<'p, 'a> {
    plan: &'p Plan,
    limit: u64,
    spent: RunCost,
    tasks: Vec<Task<'a>>,
}

/// Counts the steps to check a value.
pub(super) fn count(plan: &Plan, value: Node<'_>, limit: u64) -> Result<RunCost, Refusal> {
    let mut count = Count { plan, limit, spent: RunCost::default(), tasks: Vec::new() };
    count.push(0, value, 0, 0, false)?;
    while let Some(task) = count.tasks.pop() {
        if let Some(part) = plan.get(task.part) {
            count.expand(part, &task)?;
        }
    }
    Ok(count.spent)
}

impl<'a> Count<'_, 'a> {
    fn spend(&mut self, steps: u64) -> Result<(), Refusal> {
        self.spent.steps = self.spent.steps.saturating_add(steps);
        if self.spent.steps > self.limit {
            return Err(Refusal::Steps);
        }
        Ok(())
    }

    fn push(
        &mut self,
        part: usize,
        value: Node<'a>,
        frames: u32,
        path: usize,
        mark: bool,
    ) -> Result<(), Refusal> {
        // Finding the evaluated parts takes two calls of the engine.
        let frames = frames + if mark { 2 } else { 1 };
        if frames > MAX_FRAMES {
            return Err(Refusal::Depth);
        }
        let (steps, errors) = match self.plan.get(part) {
            Some(part) => (part.steps, part.errors),
            None => (1, 0),
        };
        self.spend(steps)?;
        self.spent.errors = self.spent.errors.saturating_add(errors);
        self.spent.path = self.spent.path.max(path);
        self.spent.frames = self.spent.frames.max(frames);
        self.tasks.push(Task { part, value, frames, path, mark });
        Ok(())
    }

    fn expand(&mut self, part: &PlannedSubschema, task: &Task<'a>) -> Result<(), Refusal> {
        let (value, frames, path) = (task.value, task.frames, task.path);
        for found in part.uses().iter().filter(|found| found.in_place()) {
            self.push(found.target, value, frames, path, false)?;
            if task.mark {
                self.push(found.target, value, frames, path, true)?;
            }
        }
        if !task.mark {
            self.spend_on_text(part, value)?;
            if part.unseen {
                self.push(task.part, value, frames, path, true)?;
            }
        }
        if value.is_object() { self.members(part, task) } else { self.elements(part, task) }
    }

    /// Spends the steps of reading the value itself.
    fn spend_on_text(&mut self, part: &PlannedSubschema, value: Node<'_>) -> Result<(), Refusal> {
        let length = value.raw().len() as u64;
        if value.kind() == Kind::String {
            let terms = part.string_terms + 1;
            self.spend(terms.saturating_mul(length) / BYTES_PER_STEP)?;
        }
        if part.unique_items && value.is_array() {
            self.spend(length)?;
        }
        Ok(())
    }

    fn members(&mut self, part: &PlannedSubschema, task: &Task<'a>) -> Result<(), Refusal> {
        let mut every = Vec::new();
        for edge in part.uses() {
            match edge.applies {
                Applies::UnevaluatedProperties => every.push(edge),
                Applies::PatternProperties
                | Applies::AdditionalProperties
                | Applies::PropertyNames
                    if !task.mark =>
                {
                    every.push(edge);
                }
                _ => {}
            }
        }
        for member in task.value.members() {
            let length = member.key.raw().len();
            let path = task.path.saturating_add(length);
            self.spend(1 + part.name_terms.saturating_mul(length as u64) / BYTES_PER_STEP)?;
            let named = part.for_member(&member.name());
            if let (Some(target), false) = (named, task.mark) {
                self.push(target, member.value, task.frames, path, false)?;
            }
            for found in &every {
                let value = match found.applies {
                    Applies::AdditionalProperties if named.is_some() => continue,
                    Applies::PropertyNames => member.key,
                    _ => member.value,
                };
                self.push(found.target, value, task.frames, path, false)?;
            }
        }
        Ok(())
    }

    fn elements(&mut self, part: &PlannedSubschema, task: &Task<'a>) -> Result<(), Refusal> {
        let (mut first, mut others, mut every) = (Vec::new(), Vec::new(), Vec::new());
        for edge in part.uses() {
            match edge.applies {
                Applies::Item if !task.mark => first.push(edge.target),
                Applies::AdditionalItems if !task.mark => others.push(edge.target),
                Applies::Contains | Applies::UnevaluatedItems => every.push(edge.target),
                _ => {}
            }
        }
        for (index, element) in task.value.elements().enumerate() {
            self.spend(1)?;
            // Room for the longest index in a path.
            let path = task.path.saturating_add(8);
            let own = match first.get(index) {
                Some(target) => std::slice::from_ref(target),
                None => &others,
            };
            for target in own.iter().chain(&every) {
                self.push(*target, element, task.frames, path, false)?;
            }
        }
        Ok(())
    }
}
