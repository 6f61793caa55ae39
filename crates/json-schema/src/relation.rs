//! Compares the values that two schemas accept.
//!
//! A schema is a conjunction of constraints, read into `facts`. One schema is within
//! another if its facts imply each fact of the other. Every *yes* is a proof. A *no* is a
//! fact that is not implied, unless a constraint that we cannot read might imply it.
//! Everything else is *unknown*: a different pattern, a `not`, a schema that takes too long
//! to compare.

use crate::Limits;
use json_text::Node;

mod annotations;
mod arrays;
mod change;
mod changes;
mod choices;
mod declarations;
mod facts;
mod fingerprint;
mod hints;
mod numbers;
mod objects;
mod prover;
mod side;
mod truth;
mod values;
mod within;

pub use change::{ChangeKind, Direction, SchemaChange};
pub use changes::changes;
use prover::{Prover, ValueScope};
use side::ComparedSchema;
use truth::Truth;

/// The relation between the values that a new schema accepts and the values that an old one
/// accepted.
///
/// ```
/// use toolglot_json_schema::{Limits, Relation, relation};
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
    /// Both accept the same values.
    Equal,
    /// The new schema accepts no value that the old one refused. It accepts fewer, or
    /// equality could not be shown.
    Narrower,
    /// The new schema refuses no value that the old one accepted. It accepts more, or
    /// equality could not be shown.
    Wider,
    /// Each refuses a value that the other accepts.
    Incomparable,
    /// The relation could not be decided.
    Undecided,
}

impl Relation {
    /// Returns the name, for programs.
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

/// Compares two schemas by the values that they accept.
///
/// `Equal`, `Narrower` and `Wider` are proofs. If [`check`](super::check) refuses one of
/// the schemas, the result is `Equal` for equal JSON values and `Undecided` otherwise.
pub fn relation(old: Node<'_>, new: Node<'_>, limits: impl Into<Limits>) -> Relation {
    let limits = &limits.into();
    let sides = (ComparedSchema::read(old, limits), ComparedSchema::read(new, limits));
    let (Some(before), Some(after)) = sides else {
        return if old.same_value(new) { Relation::Equal } else { Relation::Undecided };
    };
    let within = |sub, sup| Prover::new(sub, sup, ValueScope::Accepted, limits).root_within();
    match (within(&after, &before), within(&before, &after)) {
        (Truth::Yes, Truth::Yes) => Relation::Equal,
        (Truth::Yes, _) => Relation::Narrower,
        (_, Truth::Yes) => Relation::Wider,
        (Truth::No, Truth::No) => Relation::Incomparable,
        _ => Relation::Undecided,
    }
}
