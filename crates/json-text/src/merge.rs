//! Three-way merge: applies the difference between two values to a third, and preserves
//! every other byte of its text.
//!
//! | file | contents |
//! |---|---|
//! | `class` | equivalence classes of values |
//! | `object`, `array` | merges of members and elements |
//! | `align` | matching of array elements |
//! | `style`, `write` | the new text |
//! | `outcome` | the result |

use std::cell::Cell;
use std::rc::Rc;

use self::class::{NameIndex, TreeClasses, classify};
use self::style::Style;
use self::write::Splices;
use super::{Document, Node};

mod align;
mod array;
mod class;
mod object;
mod outcome;
mod style;
mod write;

pub use outcome::{Change, ChangeKind, Conflict, ConflictKind, MergeOutcome, MergePlace};

/// Options of a merge.
#[derive(Clone, Copy, Debug, Default)]
pub struct MergeOptions<'k> {
    /// Names of members that identify an element of an array. The first one that an element
    /// has is its key. `a/b` is the member `b` of the member `a`.
    pub keys: &'k [&'k str],
    /// True if the ancestor contains only a part of what ours was before its edits. A value
    /// that the ancestor lacks is then not an edit of ours, and if theirs removes or
    /// replaces a value, its contents go with it. If false, a value with contents that the
    /// ancestor lacks counts as edited, and its removal is a conflict.
    pub partial: bool,
}

/// Applies the difference between `ancestor` and `theirs` to the text of `ours`. Every
/// other byte is preserved.
///
/// Members match by name. Elements match by key, or by value if they have no key. Values
/// that only ours has keep their position. Numbers are compared by value and strings by
/// characters, so a different spelling is not a difference. A merge takes about as long as
/// sorting the contents of the three values.
///
/// ```
/// use toolglot_json_text::{ConflictKind, Document, Limits, MergeOptions, merge};
///
/// let limits = Limits::default();
/// let ours = Document::parse(b"{ \"port\" : 80,\n  \"note\": \"ours\",  \"tls\": true }", &limits)?;
/// let was = Document::parse(br#"{"port":8e1,"tls":false}"#, &limits)?;
/// let theirs = Document::parse(br#"{"port":81,"host":"h","tls":null}"#, &limits)?;
/// let merged = merge(&ours, was.root(), theirs.root(), &MergeOptions::default());
/// assert_eq!(merged.text, "{ \"port\" : 81,\n  \"host\": \"h\",\n  \"note\": \"ours\",  \"tls\": true }");
/// let [conflict] = merged.conflicts.as_slice() else { panic!() };
/// assert_eq!(conflict.kind, ConflictKind::BothChanged);
/// assert_eq!(conflict.at.pointer().as_str(), "/tls");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn merge<'m>(
    ours: &'m Document<'m>,
    ancestor: Node<'m>,
    theirs: Node<'m>,
    options: &MergeOptions<'_>,
) -> MergeOutcome<'m> {
    merge_counted(ours, ancestor, theirs, options).0
}

/// Changes the text of `base` where its value differs from `target`: a [`merge`] without
/// edits on our side. `keys` are those of [`MergeOptions::keys`].
///
/// ```
/// use toolglot_json_text::{Document, Limits, patch};
///
/// let limits = Limits::default();
/// let base = Document::parse(b"{ \"b\" : 1e2,\n \"a\": [ 1,2 ] }", &limits)?;
/// let target = Document::parse(br#"{"a":[2,1,3],"b":100}"#, &limits)?;
/// assert_eq!(patch(&base, target.root(), &[]), "{ \"b\" : 1e2,\n \"a\": [ 2,1,3 ] }");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn patch(base: &Document<'_>, target: Node<'_>, keys: &[&str]) -> String {
    merge(base, base.root(), target, &MergeOptions { keys, partial: false }).text
}

/// Merges like [`merge`], and also returns the number of steps.
#[cfg(feature = "count")]
pub fn merge_steps<'m>(
    ours: &'m Document<'m>,
    ancestor: Node<'m>,
    theirs: Node<'m>,
    options: &MergeOptions<'_>,
) -> (MergeOutcome<'m>, u64) {
    merge_counted(ours, ancestor, theirs, options)
}

fn merge_counted<'m>(
    ours: &'m Document<'m>,
    ancestor: Node<'m>,
    theirs: Node<'m>,
    options: &MergeOptions<'_>,
) -> (MergeOutcome<'m>, u64) {
    if ancestor.raw() == theirs.raw() {
        let text = ours.text().to_owned();
        return (MergeOutcome { text, conflicts: Vec::new(), changes: Vec::new() }, 1);
    }
    let root = ours.root();
    let shared = std::ptr::eq(ancestor.document, ours) && ancestor.index == root.index;
    let ([in_ours, in_theirs], in_ancestor, steps) = if shared {
        let (sides, steps) = classify([root, theirs]);
        (sides, None, steps)
    } else {
        let ([in_ours, in_theirs, in_ancestor], steps) = classify([root, theirs, ancestor]);
        ([in_ours, in_theirs], Some(in_ancestor), steps)
    };
    let mut merger = Merger {
        options,
        ours: &in_ours,
        ancestor: in_ancestor.as_ref().unwrap_or(&in_ours),
        theirs: &in_theirs,
        pending: vec![MergeTask {
            ours: root,
            ancestor: Some(ancestor),
            theirs,
            style: Rc::new(Style::of_document(ours.text())),
        }],
        splices: Splices::default(),
        conflicts: Vec::new(),
        changes: Vec::new(),
        steps: Cell::new(steps),
    };
    // No recursion, because documents may be as deep as their limits allow.
    while let Some(task) = merger.pending.pop() {
        merger.merge_value(&task);
    }
    let Merger { mut splices, mut conflicts, mut changes, steps, .. } = merger;
    let text = splices.render(ours.text());
    conflicts.sort_by_key(|conflict| conflict.at.sort_position());
    changes.sort_by_key(|change| change.at.sort_position());
    (MergeOutcome { text, conflicts, changes }, steps.get() + splices.steps)
}

/// A value to merge. The ancestor may lack it.
struct MergeTask<'m> {
    ours: Node<'m>,
    ancestor: Option<Node<'m>>,
    theirs: Node<'m>,
    /// The style of the surrounding container.
    style: Rc<Style>,
}

struct Merger<'s, 'm> {
    options: &'s MergeOptions<'s>,
    ours: &'s TreeClasses,
    ancestor: &'s TreeClasses,
    theirs: &'s TreeClasses,
    pending: Vec<MergeTask<'m>>,
    splices: Splices,
    conflicts: Vec<Conflict<'m>>,
    changes: Vec<Change<'m>>,
    steps: Cell<u64>,
}

impl<'m> Merger<'_, 'm> {
    fn add_steps(&self, count: usize) {
        self.steps.set(self.steps.get() + count as u64);
    }

    fn merge_value(&mut self, task: &MergeTask<'m>) {
        let MergeTask { ours, ancestor: was, theirs, .. } = *task;
        let class = self.theirs.class(theirs);
        self.add_steps(1);
        if self.ours.class(ours) == class || was.is_some_and(|w| self.ancestor.class(w) == class) {
            return;
        }
        let all = |is: fn(Node<'m>) -> bool| is(ours) && is(theirs) && was.is_none_or(is);
        if all(Node::is_object) {
            self.merge_object(task);
        } else if all(Node::is_array) && (was.is_some() || self.all_have_keys(ours, theirs)) {
            self.merge_array(task);
        } else if was.is_some_and(|was| self.is_unedited(ours, was)) {
            self.splices.replace(ours.span(), task.style.write_value(theirs));
            self.add_change(MergePlace::of(ours), ChangeKind::Replaced, Some(ours), Some(theirs));
        } else {
            let values = [was, Some(ours), Some(theirs)];
            self.add_conflict(MergePlace::of(ours), ConflictKind::BothChanged, values);
        }
    }

    /// Returns true if all elements have keys, so that arrays which both sides added can be
    /// merged element by element.
    fn all_have_keys(&self, ours: Node<'m>, theirs: Node<'m>) -> bool {
        let (ours, theirs) = (self.elements(self.ours, ours), self.elements(self.theirs, theirs));
        ours.iter().chain(&theirs).all(|element| element.key.is_some())
    }

    /// Returns true if ours has not edited a value. The merge visits nothing inside the
    /// value afterwards, so the total work does not grow with the depth.
    fn is_unedited(&self, ours: Node<'m>, was: Node<'m>) -> bool {
        let mut pending = vec![(ours, was)];
        while let Some((ours, was)) = pending.pop() {
            self.add_steps(1);
            if self.ours.class(ours) == self.ancestor.class(was) {
                continue;
            }
            if !self.options.partial || ours.kind() != was.kind() {
                return false;
            }
            let covered = if ours.is_object() {
                let (mine, old) = (self.ours.items(ours), self.ancestor.items(was));
                let index = NameIndex::of(&mine);
                self.add_steps(mine.len() + old.len());
                let found = |name| mine.get(index.get(name)?).map(|item| item.value);
                let pairs = old.iter().map(|item| Some((found(item.name)?, item.value)));
                pairs.collect::<Option<Vec<_>>>()
            } else if ours.is_array() {
                let old = self.elements(self.ancestor, was);
                let mine = self.elements(self.ours, ours);
                let aligned = self.align_ours(&old, &mine);
                let pairs = old.iter().zip(aligned);
                let pairs = pairs.map(|(old, at)| Some((mine.get(at?)?.node, old.node)));
                pairs.collect::<Option<Vec<_>>>()
            } else {
                None
            };
            let Some(covered) = covered else { return false };
            pending.extend(covered);
        }
        true
    }

    fn add_conflict(
        &mut self,
        at: MergePlace<'m>,
        kind: ConflictKind,
        values: [Option<Node<'m>>; 3],
    ) {
        let [was, ours, theirs] = values;
        self.conflicts.push(Conflict { at, kind, ancestor: was, ours, theirs });
    }

    fn add_change(
        &mut self,
        at: MergePlace<'m>,
        kind: ChangeKind,
        old: Option<Node<'m>>,
        new: Option<Node<'m>>,
    ) {
        self.changes.push(Change { at, kind, old, new });
    }
}
