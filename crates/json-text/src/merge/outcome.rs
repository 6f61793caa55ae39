//! What came of a merge: the text, what was changed in it, and what was not.

use crate::Node;
use diagnostic::Pointer;
use diagnostic::Span;

/// What came of a merge.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Merged<'m> {
    /// The new text of ours. Where there is a conflict, it is as it was.
    pub text: String,
    /// Where both sides changed the same and not alike, in the order of ours.
    pub conflicts: Vec<Conflict<'m>>,
    /// What was changed in ours, in its order.
    pub changes: Vec<Change<'m>>,
}

/// A place in ours, as it was before the merge.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct MergePlace<'m> {
    /// The value, or the object that lacks it. For an element that is not there,
    /// the array.
    pub holder: Node<'m>,
    /// The name of the member that the holder lacks.
    pub key: Option<Node<'m>>,
}

impl<'m> MergePlace<'m> {
    pub(super) const fn of(holder: Node<'m>) -> Self {
        Self { holder, key: None }
    }

    /// Its address. Worked out when it is asked for: addresses of many places can be
    /// longer than the document.
    pub fn pointer(&self) -> Pointer {
        match self.key.and_then(Node::text) {
            Some(name) => self.holder.pointer().push(&name),
            None => self.holder.pointer(),
        }
    }

    /// The bytes in ours of the value, or of the nearest one that is there.
    pub fn span(&self) -> Span {
        self.holder.span()
    }

    /// What is missing stands at the end of what it is missing from.
    pub(super) fn rank(&self) -> usize {
        let span = self.span();
        if self.key.is_some() { span.end } else { span.start }
    }
}

/// Two changes to the same place.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Conflict<'m> {
    /// Where, in ours.
    pub at: MergePlace<'m>,
    /// How they contradict each other.
    pub kind: ConflictKind,
    /// What it was.
    pub was: Option<Node<'m>>,
    /// What it is in ours.
    pub ours: Option<Node<'m>>,
    /// What it is in theirs.
    pub theirs: Option<Node<'m>>,
}

/// How two changes contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConflictKind {
    /// Both sides changed a value, or added it, and not to the same.
    Changed,
    /// Ours removed what theirs changed or renamed.
    RemovedHere,
    /// Theirs removed what ours changed.
    RemovedThere,
    /// Both sides put the elements into another order, and not into the same.
    Order,
}

/// A change to ours.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Change<'m> {
    /// Where, in ours as it was before.
    pub at: MergePlace<'m>,
    /// What was done.
    pub kind: ChangeKind,
    /// The value in ours; the name of a member that was renamed.
    pub old: Option<Node<'m>>,
    /// The value in theirs; the new name of a member that was renamed.
    pub new: Option<Node<'m>>,
}

/// What was done to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// A value was replaced.
    Replaced,
    /// A member or element was added.
    Added,
    /// A member or element was removed.
    Removed,
    /// A member has a new name.
    Renamed,
    /// The elements of an array are in another order.
    Reordered,
}
