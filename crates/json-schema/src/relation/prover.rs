//! The state of a proof.

use std::collections::{BTreeMap, BTreeSet};

use super::hints::Hints;
use super::side::ComparedSchema;
use super::truth::Truth;
use crate::Limits;

/// The values of the first schema that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueScope {
    /// All values that it accepts.
    Accepted,
    /// Values whose members are declared in some part, because senders follow the
    /// declarations. If the schema of an object does not mention other members, the object
    /// has none.
    Declared,
}

/// The maximum nesting of subschemas in a proof. It fits 512 KiB of stack.
pub(super) const MAX_DEPTH: usize = 24;

/// The steps of the smallest comparison. More are added by the length of the schemas, so
/// that many small ones take no longer than a large one.
pub(super) const BASE_STEPS: u64 = 4000;

/// One of the two schemas of a [`Prover`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    Sub,
    Sup,
}

/// The claim that the values of some parts of the first schema, as declared by them and by
/// the hinted parts, are within a part of the second.
pub(super) type Claim = (Vec<usize>, Hints, usize);

/// Proves or refutes that one schema is within another.
pub(super) struct Prover<'s, 'a> {
    pub(super) sub: &'s ComparedSchema<'a>,
    pub(super) sup: &'s ComparedSchema<'a>,
    pub(super) reading: ValueScope,
    pub(super) steps: u64,
    pub(super) depth: usize,
    /// The claims being proved. They may be assumed, because each proof goes into a smaller
    /// value.
    pub(super) in_progress: BTreeSet<Claim>,
    /// How often a claim was assumed.
    pub(super) assumptions: u64,
    /// Verdicts that depend on no assumption.
    pub(super) known: BTreeMap<Claim, Truth>,
}

impl<'s, 'a> Prover<'s, 'a> {
    pub(super) fn new(
        sub: &'s ComparedSchema<'a>,
        sup: &'s ComparedSchema<'a>,
        reading: ValueScope,
        limits: &Limits,
    ) -> Self {
        Self {
            sub,
            sup,
            reading,
            steps: limits
                .comparison_steps
                .min(BASE_STEPS.saturating_add(sub.steps()).saturating_add(sup.steps())),
            depth: 0,
            in_progress: BTreeSet::new(),
            assumptions: 0,
            known: BTreeMap::new(),
        }
    }

    /// Spends steps. Returns false if too few are left.
    pub(super) fn spend(&mut self, steps: usize) -> bool {
        let left = self.steps.checked_sub(u64::try_from(steps).unwrap_or(u64::MAX));
        self.steps = left.unwrap_or(0);
        left.is_some()
    }

    /// Returns true if one of the parts of `sub` has the same print as the part of `sup`.
    pub(super) fn same_fingerprint(&self, sub: &[usize], sup: usize) -> bool {
        let wanted = self.sup.fingerprint(sup);
        wanted.is_some() && sub.iter().any(|part| self.sub.fingerprint(*part) == wanted)
    }
}
