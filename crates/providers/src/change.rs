//! A compiled schema and its changes.

use std::sync::Arc;

use diagnostic::Pointer;
use json_schema::Relation;
use json_text::Raw;

use crate::codec::Codec;
use crate::parts::SchemaParts;

/// A schema in the keywords of a target.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CompiledSchema {
    /// The schema for the target.
    pub schema: Raw<'static>,
    /// How the values that can be sent, once decoded, relate to those that the source
    /// accepts. `Equal`, `Narrower` and `Wider` are proofs.
    pub relation: Relation,
    /// The changes, with their places in the source.
    pub changes: Vec<Change>,
    /// Undoes the changes that only affect the spelling of values.
    pub codec: Codec,
    /// The source, and the schema of decoded values. `None` if the schema is unchanged.
    #[cfg_attr(not(feature = "schema"), allow(dead_code))] // values are checked against them
    pub(crate) comparison: Option<(String, String)>,
    /// The schema in parts. `None` if it is unchanged.
    pub(crate) parts: Option<Arc<SchemaParts>>,
}

/// One change of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The kind of the change.
    pub kind: ChangeKind,
    /// The place in the source.
    pub at: Pointer,
}

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The keyword is left out.
    Dropped,
    /// Members that the schema does not name are refused now.
    Closed,
    /// An object with arbitrary member names has no members now.
    MapClosed,
    /// An optional member is required now.
    Required,
    /// `null` replaces an absent member.
    NullForAbsent,
    /// A missing type was added.
    Typed,
    /// `oneOf` became `anyOf`.
    AnyOf,
    /// Schemas that apply together were merged into one.
    Merged,
    /// The elements of a tuple may be in any order now.
    Tuple,
    /// Several types became alternatives.
    Split,
    /// A recursive schema is cut off here.
    Cut,
    /// The same constraint is written in another way.
    Reworded,
    /// The value became a member of an object.
    Wrapped,
    /// The property was renamed.
    Renamed,
    /// A schema for elements was added to a list without one.
    Items,
    /// Required names were added to the properties.
    Named,
}

impl ChangeKind {
    /// Returns the name, for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dropped => "dropped",
            Self::Closed => "closed",
            Self::MapClosed => "map-closed",
            Self::Required => "required",
            Self::NullForAbsent => "null-for-absent",
            Self::Typed => "typed",
            Self::AnyOf => "any-of",
            Self::Merged => "merged",
            Self::Tuple => "tuple",
            Self::Split => "split",
            Self::Cut => "cut",
            Self::Reworded => "reworded",
            Self::Wrapped => "wrapped",
            Self::Renamed => "renamed",
            Self::Items => "items",
            Self::Named => "named",
        }
    }

    /// Returns the meaning, for people.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Dropped => "the target has no word for this",
            Self::Closed => "members that are not named are refused",
            Self::MapClosed => "the target takes no members with other names",
            Self::Required => "this cannot be left out: null means something else here",
            Self::NullForAbsent => "null is sent where this would be left out",
            Self::Typed => "the target needs a type, and none was named",
            Self::AnyOf => "more than one of the alternatives may match",
            Self::Merged => "the schemas that all apply are one",
            Self::Tuple => "the target does not tell elements apart by their place",
            Self::Split => "each type is an alternative",
            Self::Cut => "the target has no references, so what is inside itself ends here",
            Self::Reworded => "the same in other words",
            Self::Wrapped => "the target takes objects only, so this is the member of one",
            Self::Renamed => "the target does not take this name",
            Self::Items => "the target needs a schema for elements",
            Self::Named => "the target needs every required property among the properties",
        }
    }
}
