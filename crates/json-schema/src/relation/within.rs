//! Checks that one schema is within another: the first implies each fact of the second.

use super::facts::Facts;
use super::hints::Hints;
use super::numbers;
use super::prover::{DEPTH, Prover, Which};
use super::side::Side;
use super::truth::Truth;
use super::types::Types;
use crate::Dialect;

impl<'a> Prover<'_, 'a> {
    /// Checks that the whole first schema is within the whole second.
    pub(super) fn root(&mut self) -> Truth {
        // draft-04 treats numbers differently: 1.0 is not an integer.
        let old = |side: &Side<'_>| side.graph.dialect == Dialect::Draft4;
        if old(self.sub) != old(self.sup) {
            return Truth::Unknown;
        }
        if self.same(&[0], 0) {
            return Truth::Yes;
        }
        if old(self.sub) {
            return Truth::Unknown;
        }
        let mut facts = self.sent(&[0], &Hints::default());
        facts.root = true;
        let sup = self.facts(Which::Sup, &[0]);
        self.implied(&facts, &sup)
    }

    /// Checks that every value that matches all given parts of the first schema matches a
    /// part of the second. Only for a value inside the current one.
    pub(super) fn within(&mut self, mut sub: Vec<usize>, hints: Hints, sup: usize) -> Truth {
        sub.sort_unstable();
        sub.dedup();
        if self.same(&sub, sup) {
            return Truth::Yes;
        }
        if !self.spend(1) || self.depth >= DEPTH {
            return Truth::Unknown;
        }
        let key = (sub, hints, sup);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        if self.open.contains(&key) {
            self.assumed += 1;
            return Truth::Yes;
        }
        let (facts, other) = (self.sent(&key.0, &key.1), self.facts(Which::Sup, &[sup]));
        let assumed = self.assumed;
        self.open.insert(key.clone());
        self.depth += 1;
        let verdict = self.implied(&facts, &other);
        self.depth -= 1;
        self.open.remove(&key);
        if self.assumed == assumed {
            self.known.insert(key, verdict);
        }
        verdict
    }

    /// Checks that the facts of the first schema imply those of the second.
    pub(super) fn implied(&mut self, sub: &Facts<'a>, sup: &Facts<'a>) -> Truth {
        let possible = sub.possible();
        if possible.is_empty() {
            return Truth::Yes;
        }
        if !self.spend(sub.cost() + sup.cost()) || self.depth >= DEPTH {
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
        let split = self.split(sub, sup);
        self.depth -= 1;
        split
    }

    /// Checks that each fact is implied, one by one.
    pub(super) fn facts_within(&mut self, sub: &Facts<'a>, sup: &Facts<'a>) -> Truth {
        let blind = sub.blind();
        let mut verdict = Truth::Yes;
        for kind in sub.types.each() {
            let found = match kind {
                _ if !sup.types.has(kind) => Truth::No,
                Types::INTEGER => numbers::integers(&sub.numbers, &sup.numbers),
                Types::FRACTION => numbers::fractions(&sub.numbers, &sup.numbers),
                Types::STRING => sub.strings_within(sup),
                Types::ARRAY => self.arrays_within(sub, sup),
                Types::OBJECT => self.objects_within(sub, sup),
                _ => Truth::Yes,
            };
            verdict = verdict.and(found.unless(blind.has(kind)));
            if verdict == Truth::No {
                return verdict;
            }
        }
        verdict = verdict.and(sub.listed(sup).unless(!blind.is_empty()));
        for (kinds, print) in &sup.opaque {
            let known = print.is_some() && sub.opaque.iter().any(|(_, other)| other == print);
            if !known && !kinds.and(sub.types).is_empty() {
                verdict = verdict.and(Truth::Unknown);
            }
        }
        for choice in &sup.choices {
            if verdict == Truth::No {
                break;
            }
            self.depth += 1;
            let found = self.chosen(sub, choice);
            self.depth -= 1;
            verdict = verdict.and(found.unless(!blind.is_empty()));
        }
        verdict
    }
}
