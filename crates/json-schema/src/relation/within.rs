//! Checks that one schema is within another: the first implies each fact of the second.

use super::facts::Facts;
use super::hints::Hints;
use super::numbers;
use super::prover::{MAX_DEPTH, Operand, Prover};
use super::truth::Truth;
use crate::Dialect;
use crate::types::Types;

impl<'a> Prover<'_, 'a> {
    /// Checks that the whole first schema is within the whole second.
    pub(super) fn root_within(&mut self) -> Truth {
        // draft-04 treats numbers differently: 1.0 is not an integer.
        let sub_is_old = self.sub.graph.dialect == Dialect::Draft4;
        let sup_is_old = self.sup.graph.dialect == Dialect::Draft4;
        if sub_is_old == sup_is_old && self.same_fingerprint(&[0], 0) {
            return Truth::Yes;
        }
        if sub_is_old || sup_is_old {
            return Truth::Unknown;
        }
        let mut facts = self.sender_facts(&[0], &Hints::default());
        facts.root = true;
        let sup = self.facts(Operand::Sup, &[0]);
        self.implies(&facts, &sup)
    }

    /// Checks that every value that matches all given parts of the first schema matches a
    /// part of the second. Only for a value inside the current one.
    pub(super) fn within(&mut self, mut sub: Vec<usize>, hints: Hints, sup: usize) -> Truth {
        sub.sort_unstable();
        sub.dedup();
        if self.same_fingerprint(&sub, sup) {
            return Truth::Yes;
        }
        if !self.spend(1) || self.depth >= MAX_DEPTH {
            return Truth::Unknown;
        }
        let key = (sub, hints, sup);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        if self.in_progress.contains(&key) {
            self.assumptions += 1;
            return Truth::Yes;
        }
        let (facts, other) = (self.sender_facts(&key.0, &key.1), self.facts(Operand::Sup, &[sup]));
        let assumed = self.assumptions;
        self.in_progress.insert(key.clone());
        self.depth += 1;
        let verdict = self.implies(&facts, &other);
        self.depth -= 1;
        self.in_progress.remove(&key);
        if self.assumptions == assumed {
            self.known.insert(key, verdict);
        }
        verdict
    }

    /// Checks that the facts of the first schema imply those of the second.
    pub(super) fn implies(&mut self, sub: &Facts<'a>, sup: &Facts<'a>) -> Truth {
        let possible = sub.possible();
        if possible.is_empty() {
            return Truth::Yes;
        }
        if !self.spend(sub.cost() + sup.cost()) || self.depth >= MAX_DEPTH {
            return Truth::Unknown;
        }
        if !sub.values.is_empty() {
            return self.values_within(sub, sup);
        }
        let sub = &Facts { types: possible, ..sub.clone() };
        let direct = self.facts_within(sub, sup);
        if direct == Truth::Yes || sub.choices.is_empty() {
            return direct;
        }
        self.depth += 1;
        let split = self.split_choices(sub, sup);
        self.depth -= 1;
        split
    }

    /// Checks that each fact is implied, one by one.
    pub(super) fn facts_within(&mut self, sub: &Facts<'a>, sup: &Facts<'a>) -> Truth {
        let blind = sub.unread_types();
        let mut verdict = Truth::Yes;
        for kind in sub.types.iter() {
            let found = match kind {
                _ if !sup.types.has(kind) => Truth::No,
                Types::INTEGER => numbers::integers_within(&sub.numbers, &sup.numbers),
                Types::FRACTION => numbers::fractions_within(&sub.numbers, &sup.numbers),
                Types::STRING => sub.strings_within(sup),
                Types::ARRAY => self.arrays_within(sub, sup),
                Types::OBJECT => self.objects_within(sub, sup),
                _ => Truth::Yes,
            };
            verdict = verdict.and(found.unknown_if(blind.has(kind)));
            if verdict == Truth::No {
                return verdict;
            }
        }
        verdict = verdict.and(sub.lists_within(sup).unknown_if(!blind.is_empty()));
        for (kinds, print) in &sup.unread {
            let known = print.is_some() && sub.unread.iter().any(|(_, other)| other == print);
            if !known && kinds.intersects(sub.types) {
                verdict = verdict.and(Truth::Unknown);
            }
        }
        for choice in &sup.choices {
            if verdict == Truth::No {
                break;
            }
            self.depth += 1;
            let found = self.choice_within(sub, choice);
            self.depth -= 1;
            verdict = verdict.and(found.unknown_if(!blind.is_empty()));
        }
        verdict
    }
}
