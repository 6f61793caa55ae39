//! Whether one schema takes all that another takes.
//!
//! A schema is a conjunction of what its keywords say, read into [`Facts`]. One
//! is within another when its facts imply each fact of the other. Every *yes* is
//! a proof. A *no* is a fact that is not implied, where nothing that we cannot
//! read stands in the way. All else is *unknown*: another pattern, a `not`, a
//! schema that takes too long to compare.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::Graph;
use super::{Dialect, guard};
use crate::Limits;
use json_text::Node;

mod arrays;
mod changes;
mod choices;
mod declared;
mod facts;
mod notes;
mod numbers;
mod objects;
mod prints;
mod types;
mod values;

pub use changes::{Direction, Found, What, changes};
use declared::Hints;
use facts::Facts;
use prints::{Print, prints};
use types::Types;

/// How what a new schema takes relates to what an old one took.
///
/// ```
/// use json_schema::{Limits, Relation, relation};
/// use json_text::Document;
///
/// let limits = Limits::default();
/// let old = Document::parse(br#"{"type": "number", "minimum": 1}"#, json_text::Limits::default())?;
/// let new = Document::parse(br#"{"type": ["integer", "number"], "minimum": 0.0}"#, json_text::Limits::default())?;
/// assert_eq!(relation(old.root(), new.root(), &limits), Relation::Wider);
/// # Ok::<(), diagnostic::Diagnostic>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_enums)] // all that there are
pub enum Relation {
    /// Both take the same values.
    Equal,
    /// The new one takes no value that the old one refused. It takes fewer, or it
    /// could not be shown that it takes the same.
    Narrower,
    /// The new one refuses no value that the old one took. It takes more, or it
    /// could not be shown that it takes the same.
    Wider,
    /// Each refuses something that the other takes.
    Incomparable,
    /// It could not be decided.
    Undecided,
}

/// Compares two schemas by what they take.
///
/// `Equal`, `Narrower` and `Wider` are proofs. A schema that
/// [`check`](super::check) refuses is `Undecided`, unless both say the same.
pub fn relation(old: Node<'_>, new: Node<'_>, limits: impl Into<Limits>) -> Relation {
    let limits = &limits.into();
    let sides = (Side::read(old, limits), Side::read(new, limits));
    let (Some(before), Some(after)) = sides else {
        return if old.same_value(new) { Relation::Equal } else { Relation::Undecided };
    };
    let within = |sub, sup| Prover::new(sub, sup, Reading::Instances, limits).root();
    match (within(&after, &before), within(&before, &after)) {
        (Verdict::Yes, Verdict::Yes) => Relation::Equal,
        (Verdict::Yes, _) => Relation::Narrower,
        (_, Verdict::Yes) => Relation::Wider,
        (Verdict::No, Verdict::No) => Relation::Incomparable,
        _ => Relation::Undecided,
    }
}

/// Whether something holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Yes,
    No,
    Unknown,
}

impl Verdict {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::Unknown,
        }
    }

    /// Not a no, where something that we cannot read stands in the way.
    fn unless(self, blind: bool) -> Self {
        if blind && self == Self::No { Self::Unknown } else { self }
    }
}

/// Which values of the first schema count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// All that it takes.
    Instances,
    /// Those whose members it names, in whatever part: who sends them goes by what is
    /// declared. An object that says nothing of other members has none.
    Declared,
}

/// A schema that can be compared.
struct Side<'a> {
    graph: Graph<'a>,
    /// What each part means, where that can be said in one value.
    prints: Vec<Option<Print>>,
}

impl<'a> Side<'a> {
    fn read(schema: Node<'a>, limits: &Limits) -> Option<Self> {
        let graph = guard::graph(schema, limits).ok()?;
        let prints = prints(&graph);
        Some(Self { graph, prints })
    }

    /// The steps that its length is good for.
    fn steps(&self) -> u64 {
        let bytes = self.graph.parts.first().map_or(0, |part| part.node.raw().len());
        u64::try_from(bytes).unwrap_or(u64::MAX).saturating_mul(STEPS_A_BYTE)
    }

    fn print(&self, part: usize) -> Option<Print> {
        self.prints.get(part).copied().flatten()
    }
}

/// How many subschemas inside each other are looked at. It fits 512 KiB of stack.
const DEPTH: usize = 24;

/// Steps grow with the schemas, so that many small ones take no longer than a large
/// one.
const FEWEST_STEPS: u64 = 4000;
const STEPS_A_BYTE: u64 = 32;

/// One of the two schemas of a [`Prover`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    Sub,
    Sup,
}

/// That what some parts of the first schema take, as far as it is declared by them and
/// by others, is within a part of the second.
type Claim = (Vec<usize>, Hints, usize);

/// Finds out whether one schema is within another.
struct Prover<'s, 'a> {
    sub: &'s Side<'a>,
    sup: &'s Side<'a>,
    reading: Reading,
    steps: u64,
    depth: usize,
    /// What is being proved, for a smaller value each time: it may be assumed.
    open: BTreeSet<Claim>,
    /// How often something was assumed.
    assumed: u64,
    /// What was found without assuming anything.
    known: BTreeMap<Claim, Verdict>,
}

impl<'s, 'a> Prover<'s, 'a> {
    fn new(sub: &'s Side<'a>, sup: &'s Side<'a>, reading: Reading, limits: &Limits) -> Self {
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

    /// Whether the whole first schema is within the whole second.
    fn root(&mut self) -> Verdict {
        // draft-04 has numbers of its own: 1.0 is no integer there.
        let old = |side: &Side<'_>| side.graph.dialect == Dialect::Draft4;
        if old(self.sub) != old(self.sup) {
            return Verdict::Unknown;
        }
        if self.same(&[0], 0) {
            return Verdict::Yes;
        }
        if old(self.sub) {
            return Verdict::Unknown;
        }
        let mut facts = self.sent(&[0], &Hints::default());
        facts.root = true;
        let sup = self.facts(Which::Sup, &[0]);
        self.implied(&facts, &sup)
    }

    /// Takes steps, if there are so many left.
    fn spend(&mut self, steps: usize) -> bool {
        let left = self.steps.checked_sub(u64::try_from(steps).unwrap_or(u64::MAX));
        self.steps = left.unwrap_or(0);
        left.is_some()
    }

    /// Whether one of the parts means what the other means.
    fn same(&self, sub: &[usize], sup: usize) -> bool {
        let wanted = self.sup.print(sup);
        wanted.is_some() && sub.iter().any(|part| self.sub.print(*part) == wanted)
    }

    /// Whether what all the parts of the first schema take is within a part of the
    /// second. Only for a value inside the value at hand.
    fn within(&mut self, mut sub: Vec<usize>, hints: Hints, sup: usize) -> Verdict {
        sub.sort_unstable();
        sub.dedup();
        if self.same(&sub, sup) {
            return Verdict::Yes;
        }
        if !self.spend(1) || self.depth >= DEPTH {
            return Verdict::Unknown;
        }
        let key = (sub, hints, sup);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        if self.open.contains(&key) {
            self.assumed += 1;
            return Verdict::Yes;
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

    /// Whether the facts of the first schema imply those of the second.
    fn implied(&mut self, sub: &Facts<'a>, sup: &Facts<'a>) -> Verdict {
        let possible = sub.possible();
        if possible.is_empty() {
            return Verdict::Yes;
        }
        if !self.spend(sub.cost() + sup.cost()) || self.depth >= DEPTH {
            return Verdict::Unknown;
        }
        if !sub.values.is_empty() {
            return self.values_within(sub, sup);
        }
        let sub = &Facts { types: possible, ..sub.clone() };
        let direct = self.facts_within(sub, sup);
        if direct == Verdict::Yes || sub.choices.is_empty() {
            return direct;
        }
        self.depth += 1;
        let split = self.split(sub, sup);
        self.depth -= 1;
        split
    }

    /// Whether each fact is implied, one by one.
    fn facts_within(&mut self, sub: &Facts<'a>, sup: &Facts<'a>) -> Verdict {
        let blind = sub.blind();
        let mut verdict = Verdict::Yes;
        for kind in sub.types.each() {
            let found = match kind {
                _ if !sup.types.has(kind) => Verdict::No,
                Types::INTEGER => numbers::integers(&sub.numbers, &sup.numbers),
                Types::FRACTION => numbers::fractions(&sub.numbers, &sup.numbers),
                Types::STRING => sub.strings_within(sup),
                Types::ARRAY => self.arrays_within(sub, sup),
                Types::OBJECT => self.objects_within(sub, sup),
                _ => Verdict::Yes,
            };
            verdict = verdict.and(found.unless(blind.has(kind)));
            if verdict == Verdict::No {
                return verdict;
            }
        }
        verdict = verdict.and(sub.listed(sup).unless(!blind.is_empty()));
        for (kinds, print) in &sup.opaque {
            let known = print.is_some() && sub.opaque.iter().any(|(_, other)| other == print);
            if !known && !kinds.and(sub.types).is_empty() {
                verdict = verdict.and(Verdict::Unknown);
            }
        }
        for choice in &sup.choices {
            if verdict == Verdict::No {
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
