//! The result of a merge: the text, the changes and the conflicts.

use crate::Node;
use diagnostic::Pointer;
use diagnostic::Span;

/// The result of a merge.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MergeOutcome<'m> {
    /// The new text of ours. Values in conflict are unchanged.
    pub text: String,
    /// The conflicting changes of both sides, in the order of ours.
    pub conflicts: Vec<Conflict<'m>>,
    /// The changes to ours, in its order.
    pub changes: Vec<Change<'m>>,
}

/// A place in ours, as it was before the merge.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct MergePlace<'m> {
    /// The value, or the object that lacks the member. For a missing element, the array.
    pub node: Node<'m>,
    /// The name of the missing member.
    pub key: Option<Node<'m>>,
}

impl<'m> MergePlace<'m> {
    pub(super) const fn of(holder: Node<'m>) -> Self {
        Self { node: holder, key: None }
    }

    /// Returns the pointer of the place. It is computed on demand, because the pointers of
    /// many places can be longer than the document.
    pub fn pointer(&self) -> Pointer {
        match self.key.and_then(Node::text) {
            Some(name) => self.node.pointer().push(&name),
            None => self.node.pointer(),
        }
    }

    /// Returns the span in ours of the value, or of the container that lacks it.
    pub fn span(&self) -> Span {
        self.node.span()
    }

    /// Returns the sort position. A missing member counts as the end of its object.
    pub(super) fn sort_position(&self) -> usize {
        let span = self.span();
        if self.key.is_some() { span.end } else { span.start }
    }
}

/// Two changes to the same place.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Conflict<'m> {
    /// The place in ours.
    pub at: MergePlace<'m>,
    /// The kind of the conflict.
    pub kind: ConflictKind,
    /// The ancestor's value.
    pub ancestor: Option<Node<'m>>,
    /// The value in ours.
    pub ours: Option<Node<'m>>,
    /// The value in theirs.
    pub theirs: Option<Node<'m>>,
}

/// The kind of a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConflictKind {
    /// Both sides changed or added a value, with different results.
    BothChanged,
    /// Ours removed a value that theirs changed or renamed.
    RemovedByOurs,
    /// Theirs removed a value that ours changed.
    RemovedByTheirs,
    /// Both sides reordered the elements, with different results.
    BothReordered,
}

/// A change to ours.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Change<'m> {
    /// The place in ours, as it was before the merge.
    pub at: MergePlace<'m>,
    /// The kind of the change.
    pub kind: ChangeKind,
    /// The value in ours. For a renamed member, its old name.
    pub old: Option<Node<'m>>,
    /// The value in theirs. For a renamed member, its new name.
    pub new: Option<Node<'m>>,
}

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// A value was replaced.
    Replaced,
    /// A member or element was added.
    Added,
    /// A member or element was removed.
    Removed,
    /// A member was renamed.
    Renamed,
    /// The elements of an array were reordered.
    Reordered,
}
