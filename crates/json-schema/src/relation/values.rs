//! Schemas that list the values they accept.

use std::collections::BTreeSet;

use super::facts::Facts;
use super::prover::{MAX_DEPTH, Operand, Prover};
use super::side::BYTES_PER_STEP;
use super::truth::Truth;
use crate::types::Types;
use diagnostic::some_or_bug;
use json_text::Node;
use json_text::canonical;

impl<'a> Prover<'_, 'a> {
    /// Checks that `sup` accepts every value that `sub` lists.
    pub(super) fn values_within(&mut self, sub: &Facts<'a>, sup: &Facts<'a>) -> Truth {
        let shortest = sub.values.iter().min_by_key(|list| list.len());
        let mut verdict = Truth::Yes;
        for value in shortest.into_iter().flat_map(|list| list.values()) {
            if !self.spend(1) {
                return Truth::Unknown;
            }
            let ours = self.accepts(Operand::Sub, sub, *value);
            if ours == Truth::No {
                continue;
            }
            let found = self.accepts(Operand::Sup, sup, *value).unknown_if(ours == Truth::Unknown);
            verdict = verdict.and(found);
            if verdict == Truth::No {
                return verdict;
            }
        }
        verdict
    }

    /// Checks that a value is accepted, as far as that can be decided.
    fn accepts(&mut self, which: Operand, facts: &Facts<'a>, value: Node<'a>) -> Truth {
        if !self.spend(1 + value.raw().len() / BYTES_PER_STEP) || self.depth >= MAX_DEPTH {
            return Truth::Unknown;
        }
        let kind = Types::of(value);
        if !facts.types.has(kind) {
            return Truth::No;
        }
        if !facts.values.is_empty() {
            let text = canonical(value);
            if facts.values.iter().any(|list| !list.contains_key(&text)) {
                return Truth::No;
            }
        }
        self.depth += 1;
        let mut verdict = match kind {
            Types::INTEGER | Types::FRACTION => {
                value.number().map_or(Truth::Unknown, |number| facts.numbers.accepts(&number))
            }
            Types::STRING => string_holds(facts, &some_or_bug(value.text())),
            Types::ARRAY => self.array_holds(which, facts, value),
            Types::OBJECT => self.object_holds(which, facts, value),
            _ => Truth::Yes,
        };
        for choice in &facts.choices {
            let (mut accepting, mut unknown) = (0, 0);
            for part in &choice.parts {
                match self.part_holds(which, *part, value) {
                    Truth::Yes => accepting += 1,
                    Truth::No => {}
                    Truth::Unknown => unknown += 1,
                }
            }
            verdict = verdict.and(match (choice.exclusive, accepting, unknown) {
                (false, 1.., _) | (true, 1, 0) => Truth::Yes,
                (_, 0, 0) | (true, 2.., _) => Truth::No,
                _ => Truth::Unknown,
            });
        }
        self.depth -= 1;
        if facts.unread.iter().any(|(types, _)| types.has(kind)) {
            verdict = verdict.and(Truth::Unknown);
        }
        verdict
    }

    fn part_holds(&mut self, which: Operand, part: usize, value: Node<'a>) -> Truth {
        let facts = self.facts(which, &[part]);
        self.accepts(which, &facts, value)
    }

    fn array_holds(&mut self, which: Operand, facts: &Facts<'a>, value: Node<'a>) -> Truth {
        let count = u64::try_from(value.elements().count()).unwrap_or(u64::MAX);
        if !facts.items.contains(count) {
            return Truth::No;
        }
        if facts.unique {
            let mut seen = BTreeSet::new();
            if !value.elements().all(|element| seen.insert(canonical(element))) {
                return Truth::No;
            }
        }
        let mut verdict = Truth::Yes;
        for (index, element) in value.elements().enumerate() {
            for shape in &facts.arrays {
                if let Some(part) = shape.element_schema(index) {
                    verdict = verdict.and(self.part_holds(which, part, element));
                }
            }
        }
        verdict
    }

    fn object_holds(&mut self, which: Operand, facts: &Facts<'a>, value: Node<'a>) -> Truth {
        let count = u64::try_from(value.members().count()).unwrap_or(u64::MAX);
        let members = value.index_members();
        if !facts.members.contains(count)
            || facts.required.iter().any(|name| members.get(name).is_none())
        {
            return Truth::No;
        }
        let blind = !facts.names.is_empty() || facts.objects.iter().any(|shape| shape.patterns);
        let mut verdict = if blind && count > 0 { Truth::Unknown } else { Truth::Yes };
        for member in value.members() {
            for shape in &facts.objects {
                if let Some(part) = shape.member_schema(Some(&member.name())) {
                    verdict = verdict.and(self.part_holds(which, part, member.value));
                }
            }
        }
        verdict
    }
}

impl Facts<'_> {
    /// Checks that facts without a list of values are within the lists of `sup`.
    pub(super) fn lists_within(&self, sup: &Self) -> Truth {
        let mut verdict = Truth::Yes;
        for list in &sup.values {
            for kind in self.types.iter() {
                let has_unlisted = match kind {
                    Types::NULL if list.contains_key("null") => continue,
                    Types::BOOL if list.contains_key("true") && list.contains_key("false") => {
                        continue;
                    }
                    Types::NULL | Types::BOOL => true,
                    // There are more one-letter strings than fit into a schema.
                    Types::STRING => {
                        let any = self.patterns.is_empty() && self.formats.is_empty();
                        any && !self.length.at_most(Some(0))
                    }
                    Types::INTEGER => self.numbers.is_unbounded(),
                    Types::ARRAY => {
                        self.items.max.is_none() && self.arrays.is_empty() && !self.unique
                    }
                    _ => false,
                };
                verdict = verdict.and(if has_unlisted { Truth::No } else { Truth::Unknown });
            }
        }
        verdict
    }
}

fn string_holds(facts: &Facts<'_>, text: &str) -> Truth {
    let length = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
    if !facts.length.contains(length) {
        Truth::No
    } else if facts.patterns.is_empty() && facts.formats.is_empty() {
        Truth::Yes
    } else {
        Truth::Unknown
    }
}
