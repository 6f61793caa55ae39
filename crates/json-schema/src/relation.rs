//! Whether one schema takes all that another takes.
//!
//! A schema is a conjunction of what its keywords say, read into `facts`. One
//! is within another when its facts imply each fact of the other. Every *yes* is
//! a proof. A *no* is a fact that is not implied, where nothing that we cannot
//! read stands in the way. All else is *unknown*: another pattern, a `not`, a
//! schema that takes too long to compare.

use crate::Limits;
use json_text::Node;

mod arrays;
mod changes;
mod choices;
mod cost;
mod declared;
mod facts;
mod found;
mod hints;
mod notes;
mod numbers;
mod objects;
mod prints;
mod prover;
mod side;
mod truth;
mod types;
mod values;
mod within;

pub use changes::changes;
pub use found::{Direction, SchemaChange, What};
use prover::{Prover, Reading};
use side::Side;
use truth::Truth;

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

impl Relation {
    /// Its name, for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Narrower => "narrower",
            Self::Wider => "wider",
            Self::Incomparable => "incomparable",
            Self::Undecided => "undecided",
        }
    }
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
        (Truth::Yes, Truth::Yes) => Relation::Equal,
        (Truth::Yes, _) => Relation::Narrower,
        (_, Truth::Yes) => Relation::Wider,
        (Truth::No, Truth::No) => Relation::Incomparable,
        _ => Relation::Undecided,
    }
}
