//! `anyOf` and `oneOf`.

use super::facts::{Choice, Facts};
use super::prover::{Operand, Prover};
use super::truth::Truth;
use crate::types::Types;

/// The types that are compared together.
const GROUPS: [Types; 6] =
    [Types::NULL, Types::BOOL, Types::NUMBER, Types::STRING, Types::ARRAY, Types::OBJECT];

impl<'a> Prover<'_, 'a> {
    /// Checks that facts with choices imply others, one alternative at a time.
    pub(super) fn split_choices(&mut self, sub: &Facts<'a>, sup: &Facts<'a>) -> Truth {
        let mut best = Truth::Unknown;
        for (index, choice) in sub.choices.iter().enumerate() {
            // If alternatives of `oneOf` overlap, the whole may refuse a value that one
            // accepts.
            let blind = choice.exclusive && !self.are_disjoint(Operand::Sub, &choice.parts);
            let mut rest = sub.clone();
            rest.choices.remove(index);
            let mut all = Truth::Yes;
            for part in &choice.parts {
                let mut facts = rest.clone();
                self.add_facts(Operand::Sub, &[*part], &mut facts);
                let found = self.implies(&facts, sup).unknown_if(blind);
                all = all.and(found);
                if all == Truth::No || !self.spend(sub.cost()) {
                    break;
                }
            }
            match all {
                Truth::Yes if self.steps > 0 => return Truth::Yes,
                Truth::No => best = Truth::No,
                _ => {}
            }
        }
        best
    }

    /// Checks that a choice accepts every value of `sub`.
    pub(super) fn choice_within(&mut self, sub: &Facts<'a>, choice: &Choice) -> Truth {
        if sub.choices.iter().any(|ours| ours.is_same(choice)) {
            return Truth::Yes;
        }
        if choice.exclusive && !self.are_disjoint(Operand::Sup, &choice.parts) {
            return Truth::Unknown;
        }
        let mut alternatives = Vec::with_capacity(choice.parts.len());
        for part in &choice.parts {
            let facts = self.facts(Operand::Sup, &[*part]);
            if self.implies(sub, &facts) == Truth::Yes {
                return Truth::Yes;
            }
            alternatives.push(facts);
        }
        // One alternative may accept the strings, and another the numbers.
        let mut verdict = Truth::Yes;
        for group in GROUPS {
            let part = Facts { types: sub.types.and(group), ..sub.clone() };
            if part.types.is_empty() {
                continue;
            }
            let fit: Vec<_> =
                alternatives.iter().filter(|other| other.types.intersects(group)).collect();
            let found = match fit.as_slice() {
                [] => Truth::No,
                [only] => self.implies(&part, only),
                // Together, they may accept more than each of them.
                several if several.iter().any(|o| self.implies(&part, o) == Truth::Yes) => {
                    Truth::Yes
                }
                _ => Truth::Unknown,
            };
            verdict = verdict.and(found);
            if verdict == Truth::No {
                break;
            }
        }
        verdict
    }

    /// Returns true if no two of the parts accept a common value.
    fn are_disjoint(&mut self, which: Operand, parts: &[usize]) -> bool {
        let facts: Vec<_> = parts.iter().map(|part| self.facts(which, &[*part])).collect();
        let pairs = facts.len().saturating_mul(facts.len());
        if !self.spend(pairs) {
            return false;
        }
        for (index, one) in facts.iter().enumerate() {
            for other in facts.iter().skip(index + 1) {
                if one.types.intersects(other.types)
                    && !no_common_value(one, other)
                    && !self.have_distinct_tags(which, one, other)
                {
                    return false;
                }
            }
        }
        true
    }

    /// Returns true if both are objects that a required member distinguishes.
    fn have_distinct_tags(&mut self, which: Operand, one: &Facts<'a>, other: &Facts<'a>) -> bool {
        if one.types.and(other.types) != Types::OBJECT {
            return false;
        }
        let common: Vec<_> = one.required.intersection(&other.required).collect();
        if !self.spend(common.len()) {
            return false;
        }
        for name in common {
            let one = self.facts(which, &member_schemas(one, name));
            let other = self.facts(which, &member_schemas(other, name));
            if !one.types.intersects(other.types) || no_common_value(&one, &other) {
                return true;
            }
        }
        false
    }
}

/// Returns the schemas of a named member.
fn member_schemas(facts: &Facts<'_>, name: &str) -> Vec<usize> {
    facts.objects.iter().filter_map(|shape| shape.properties.get(name).copied()).collect()
}

/// Returns true if both list values, and no value is in both lists.
fn no_common_value(one: &Facts<'_>, other: &Facts<'_>) -> bool {
    one.values.iter().any(|ours| {
        other.values.iter().any(|theirs| ours.keys().all(|value| !theirs.contains_key(value)))
    })
}
