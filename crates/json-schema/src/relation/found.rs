//! What came between two schemas.

use diagnostic::Pointer;

/// Which way values go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the tool: refusing what was taken breaks.
    Input,
    /// From the tool: answering what was never answered breaks.
    Output,
}

/// What happened to one place of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A member that may be left out.
    Added,
    /// A member that must be there.
    RequiredAdded,
    /// A member is gone.
    Removed,
    /// A member must be there now.
    NowRequired,
    /// A member may be left out now.
    NowOptional,
    /// Members that are not named are refused now.
    Closed,
    /// Members that are not named are taken now.
    Opened,
    /// It takes less.
    Narrowed,
    /// It takes more.
    Widened,
    /// Neither narrower nor wider.
    Changed,
    /// It is not known what the change does.
    Undecided,
    /// There is a default now.
    DefaultAdded,
    /// The default is another.
    DefaultChanged,
    /// It says the same, for programs.
    Reworded,
}

/// A change at one place.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SchemaChange {
    /// What happened.
    pub what: What,
    /// Where: in the new schema or, for what is gone, in the old one.
    pub at: Pointer,
    /// Whether what worked still works; `None` when that is not known.
    pub safe: Option<bool>,
}
