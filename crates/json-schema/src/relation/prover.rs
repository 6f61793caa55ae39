//! What a proof has to hand.

use std::collections::{BTreeMap, BTreeSet};

use super::hints::Hints;
use super::side::Side;
use super::truth::Truth;
use crate::Limits;

/// Which values of the first schema count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// All that it takes.
    Instances,
    /// Those whose members it names, in whatever part: who sends them goes by what is
    /// declared. An object that says nothing of other members has none.
    Declared,
}

/// How many subschemas inside each other are looked at. It fits 512 KiB of stack.
pub(super) const DEPTH: usize = 24;

/// Steps grow with the schemas, so that many small ones take no longer than a large
/// one.
pub(super) const FEWEST_STEPS: u64 = 4000;

/// One of the two schemas of a [`Prover`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    Sub,
    Sup,
}

/// That what some parts of the first schema take, as far as it is declared by them and
/// by others, is within a part of the second.
pub(super) type Claim = (Vec<usize>, Hints, usize);

/// Finds out whether one schema is within another.
pub(super) struct Prover<'s, 'a> {
    pub(super) sub: &'s Side<'a>,
    pub(super) sup: &'s Side<'a>,
    pub(super) reading: Reading,
    pub(super) steps: u64,
    pub(super) depth: usize,
    /// What is being proved, for a smaller value each time: it may be assumed.
    pub(super) open: BTreeSet<Claim>,
    /// How often something was assumed.
    pub(super) assumed: u64,
    /// What was found without assuming anything.
    pub(super) known: BTreeMap<Claim, Truth>,
}

impl<'s, 'a> Prover<'s, 'a> {
    pub(super) fn new(
        sub: &'s Side<'a>,
        sup: &'s Side<'a>,
        reading: Reading,
        limits: &Limits,
    ) -> Self {
        Self {
            sub,
            sup,
            reading,
            steps: limits
                .comparison_steps
                .min(FEWEST_STEPS.saturating_add(sub.steps()).saturating_add(sup.steps())),
            depth: 0,
            open: BTreeSet::new(),
            assumed: 0,
            known: BTreeMap::new(),
        }
    }

    /// Takes steps, if there are so many left.
    pub(super) fn spend(&mut self, steps: usize) -> bool {
        let left = self.steps.checked_sub(u64::try_from(steps).unwrap_or(u64::MAX));
        self.steps = left.unwrap_or(0);
        left.is_some()
    }

    /// Whether one of the parts means what the other means.
    pub(super) fn same(&self, sub: &[usize], sup: usize) -> bool {
        let wanted = self.sup.print(sup);
        wanted.is_some() && sub.iter().any(|part| self.sub.print(*part) == wanted)
    }
}
