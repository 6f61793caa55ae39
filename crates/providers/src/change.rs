//! What became of a schema on its way to a target.

use std::sync::Arc;

use diagnostic::Pointer;
use json_schema::Relation;
use json_text::Raw;

use crate::codec::Codec;
use crate::graph::Graph;

/// A schema in the words of a target.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Compiled {
    /// What the target is given.
    pub schema: Raw<'static>,
    /// How the values that can be sent relate to those that the source takes, once they are
    /// decoded. `Equal`, `Narrower` and `Wider` are proofs.
    pub relation: Relation,
    /// What was changed, and where in the source.
    pub changes: Vec<Change>,
    /// What undoes the changes that only spell values in another way.
    pub codec: Codec,
    /// The source, and what can be sent once it is decoded, where both are not the same text.
    #[cfg_attr(not(feature = "schema"), allow(dead_code))] // values are checked against them
    pub(crate) compared: Option<(String, String)>,
    /// What can be sent, in parts that know their place in the source; the same case.
    pub(crate) graph: Option<Arc<Graph>>,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// What was done.
    pub code: Code,
    /// Where, in the source.
    pub at: Pointer,
}

/// What was done to a place of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Code {
    /// The keyword is left out.
    Dropped,
    /// Members that are not named are refused now.
    Closed,
    /// An object with any names has none now.
    MapClosed,
    /// The member cannot be left out any more.
    Required,
    /// The member is `null` where it would be left out.
    NullForAbsent,
    /// A type is named, where there was none.
    Typed,
    /// `oneOf` is `anyOf`.
    AnyOf,
    /// Schemas that all apply are one.
    Merged,
    /// The elements of a tuple are in any order.
    Tuple,
    /// Several types are alternatives.
    Split,
    /// A schema inside itself ends here.
    Cut,
    /// The same is said by another keyword.
    Reworded,
    /// The arguments are a member of an object.
    Wrapped,
    /// The property has another name.
    Renamed,
    /// The elements of a list have a schema, where there was none.
    Items,
    /// What is required is among the properties, where it was not.
    Named,
}

impl Code {
    /// Its name, for programs.
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

    /// What it means, for people.
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
