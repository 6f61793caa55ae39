//! Fills in members that an instance leaves out.

use std::collections::BTreeSet;

use super::keywords::Applies;
use super::plan::{Plan, PlannedSubschema};
use diagnostic::Pointer;
use json_text::{Edit, Node};

/// The sum of bytes of a path and values stepped over that counts as one step.
const PATH_BYTES_PER_STEP: usize = 64;

/// A subschema that a value must match.
struct Task<'a> {
    part: usize,
    value: Node<'a>,
    pointer: Pointer,
    /// The number of earlier values that an edit must step over.
    skipped_values: usize,
}

struct Fill<'p, 'a> {
    plan: &'p Plan,
    steps: u64,
    tasks: Vec<Task<'a>>,
    /// The members filled in, each with the start of its object.
    filled: BTreeSet<(usize, &'p str)>,
    edits: Vec<Edit>,
}

/// Returns the edits that insert the defaults of missing members, found through
/// `properties`, `$ref`, `allOf` and array items. Returns `None` past the limit.
pub(super) fn edits(plan: &Plan, value: Node<'_>, limit: u64) -> Option<Vec<Edit>> {
    let mut fill =
        Fill { plan, steps: limit, tasks: Vec::new(), filled: BTreeSet::new(), edits: Vec::new() };
    fill.push(0, value, Pointer::root(), 0)?;
    while let Some(task) = fill.tasks.pop() {
        if let Some(part) = plan.get(task.part) {
            fill.expand(part, &task)?;
        }
    }
    Some(fill.edits)
}

impl<'p, 'a> Fill<'p, 'a> {
    fn push(
        &mut self,
        part: usize,
        value: Node<'a>,
        pointer: Pointer,
        passed: usize,
    ) -> Option<()> {
        let own = self.plan.get(part).map_or(1, |part| part.steps);
        let path = (pointer.as_str().len() + passed) / PATH_BYTES_PER_STEP;
        self.steps = self.steps.checked_sub(own.saturating_add(path as u64))?;
        self.tasks.push(Task { part, value, pointer, skipped_values: passed });
        Some(())
    }

    fn expand(&mut self, part: &'p PlannedSubschema, task: &Task<'a>) -> Option<()> {
        // Pushed in reverse, so that earlier subschemas are read first and win.
        for found in part.uses().iter().rev() {
            if found.applies == Applies::Always {
                self.push(found.target, task.value, task.pointer.clone(), task.skipped_values)?;
            }
        }
        if task.value.is_object() { self.members(part, task) } else { self.elements(part, task) }
    }

    fn members(&mut self, part: &'p PlannedSubschema, task: &Task<'a>) -> Option<()> {
        let present = task.value.index_members();
        let passed = task.skipped_values + task.value.members().count();
        for found in part.uses() {
            if found.applies != Applies::Property {
                continue;
            }
            let name = found.name();
            if let Some(value) = present.get(name) {
                let pointer = task.pointer.clone().push(name);
                self.push(found.target, value, pointer, passed)?;
                continue;
            }
            let object = task.value.span().start;
            if let Some(default) = self.default(found.target)?
                && self.filled.insert((object, name))
            {
                let pointer = task.pointer.clone().push(name);
                let path = (pointer.as_str().len() + passed) / PATH_BYTES_PER_STEP;
                self.steps = self.steps.checked_sub((path + default.len() / 8) as u64)?;
                self.edits.push(Edit::Insert(pointer, default.to_owned()));
            }
        }
        Some(())
    }

    fn elements(&mut self, part: &PlannedSubschema, task: &Task<'a>) -> Option<()> {
        let (mut first, mut others) = (Vec::new(), Vec::new());
        for edge in part.uses() {
            match edge.applies {
                Applies::Item => first.push(edge.target),
                Applies::AdditionalItems => others.push(edge.target),
                _ => {}
            }
        }
        for (index, element) in task.value.elements().enumerate() {
            let own = match first.get(index) {
                Some(target) => std::slice::from_ref(target),
                None => &others,
            };
            for target in own {
                let pointer = task.pointer.clone().push_index(index);
                self.push(*target, element, pointer, task.skipped_values + index)?;
            }
        }
        Some(())
    }

    /// Returns the default of a part, or else of a subschema that it always applies.
    #[allow(clippy::option_option)] // past the limit, or no default
    fn default(&mut self, part: usize) -> Option<Option<&'p str>> {
        let mut pending = vec![part];
        while let Some(part) = pending.pop() {
            let part = self.plan.get(part)?;
            self.steps = self.steps.checked_sub(part.steps)?;
            if let Some(default) = &part.default {
                return Some(Some(default));
            }
            for edge in part.uses().iter().rev() {
                if edge.applies == Applies::Always {
                    pending.push(edge.target);
                }
            }
        }
        Some(None)
    }
}
