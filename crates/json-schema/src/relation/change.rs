//! Changes between two schemas.

use diagnostic::Pointer;

/// The direction in which values travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the tool: refusing a value that was accepted breaks callers.
    Input,
    /// From the tool: returning a value that was never returned breaks callers.
    Output,
}

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// An optional member was added.
    Added,
    /// A required member was added.
    RequiredAdded,
    /// A member was removed.
    Removed,
    /// A member became required.
    NowRequired,
    /// A member became optional.
    NowOptional,
    /// Unnamed members are now refused.
    Closed,
    /// Unnamed members are now accepted.
    Opened,
    /// Fewer values are accepted.
    Narrowed,
    /// More values are accepted.
    Widened,
    /// Neither narrower nor wider.
    Changed,
    /// The effect of the change could not be decided.
    Undecided,
    /// A default was added.
    DefaultAdded,
    /// A default was changed or removed.
    DefaultChanged,
    /// The meaning for programs is the same.
    Reworded,
}

/// A change at one place.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SchemaChange {
    /// The kind of the change.
    pub kind: ChangeKind,
    /// The place in the new schema or, for a removed member, in the old one.
    pub pointer: Pointer,
    /// True if everything that worked still works; `None` if unknown.
    pub safe: Option<bool>,
}
