//! Compares facts about arrays.

use super::facts::{ArrayShape, Facts};
use super::prover::Prover;
use super::truth::Truth;

impl ArrayShape {
    /// Returns the schema of the element at an index.
    pub(super) fn element_schema(&self, index: usize) -> Option<usize> {
        self.first.get(index).copied().or(self.rest)
    }
}

impl<'a> Prover<'_, 'a> {
    /// Checks that the facts of `sub` about arrays imply those of `sup`.
    pub(super) fn arrays_within(&mut self, sub: &Facts<'a>, sup: &Facts<'a>) -> Truth {
        if sub.items.min < sup.items.min {
            return Truth::No;
        }
        // If no further element is accepted, arrays are no longer than the listed elements.
        let mut items = sub.items;
        for shape in &sub.arrays {
            if shape.rest.is_some_and(|rest| self.is_false_schema(rest)) {
                items.lower_max(u64::try_from(shape.first.len()).unwrap_or(u64::MAX));
            }
        }
        let mut verdict = Truth::Yes;
        if !items.at_most(sup.items.max) {
            verdict = Truth::No;
        }
        if sup.unique && !sub.unique && !items.at_most(Some(1)) {
            // The schemas of listed elements may rule out equal elements.
            let listed = sub.arrays.iter().any(|shape| !shape.first.is_empty());
            verdict = verdict.and(Truth::No.unknown_if(listed));
        }
        let mut listed = 0;
        for shape in sub.arrays.iter().chain(&sup.arrays) {
            listed = listed.max(shape.first.len());
        }
        // One more index represents all further elements.
        for index in 0..=listed {
            let reached = u64::try_from(index).unwrap_or(u64::MAX);
            if verdict == Truth::No || items.at_most(Some(reached)) {
                break;
            }
            for shape in &sup.arrays {
                let Some(wanted) = shape.element_schema(index) else { continue };
                if !self.spend(1 + sub.arrays.len() + sub.declared.cost()) {
                    return verdict.and(Truth::Unknown);
                }
                let ours =
                    sub.arrays.iter().filter_map(|shape| shape.element_schema(index)).collect();
                verdict = verdict.and(self.within(ours, sub.declared.element(index), wanted));
            }
        }
        verdict
    }
}
