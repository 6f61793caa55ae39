//! The difference between two values, made to a third: a three-way merge that keeps
//! the bytes of the text that it is made to.
//!
//! | file | what |
//! |---|---|
//! | `class` | which values are equal, once for all of them |
//! | `object`, `array` | what becomes of members and elements |
//! | `align` | which elements are the same |
//! | `style`, `write` | the new text |
//! | `outcome` | what is told about it |

use std::cell::Cell;

use self::class::{Index, Side, classes};
use self::style::Style;
use self::write::{NewItem, Splices};
use super::{Document, Node};

mod align;
mod array;
mod class;
mod object;
mod outcome;
mod style;
mod write;

pub use outcome::{Change, ChangeKind, Conflict, ConflictKind, MergePlace, Merged};

/// How a merge recognises things.
#[derive(Clone, Copy, Debug, Default)]
pub struct MergeOptions<'k> {
    /// Members whose text identifies an element of an array, the first that it has;
    /// `a/b` is the member `b` of the member `a`.
    pub keys: &'k [&'k str],
    /// The ancestor says only a part of what ours said: what it lacks is no edit of
    /// ours. What theirs removes or replaces then goes with all that is inside it.
    /// Without this, a value that has something inside that the ancestor's has not
    /// was edited, and removing it is a conflict.
    pub partial: bool,
}

/// The text of `ours`, with the difference between `ancestor` and `theirs` made to
/// it. Every byte that the difference is not about stays.
///
/// Members are the same by name, elements by their key, or by value if they have
/// none. What ours has and neither of the others knows stays where it is. Numbers
/// are compared by value and strings by characters, so that another spelling is no
/// difference. Time is that of sorting what is in the three values.
///
/// ```
/// use json_text::{ConflictKind, Document, Limits, MergeOptions, merge};
///
/// let limits = Limits::default();
/// let ours = Document::parse(b"{ \"port\" : 80,\n  \"note\": \"ours\",  \"tls\": true }", &limits)?;
/// let was = Document::parse(br#"{"port":8e1,"tls":false}"#, &limits)?;
/// let theirs = Document::parse(br#"{"port":81,"host":"h","tls":null}"#, &limits)?;
/// let merged = merge(&ours, was.root(), theirs.root(), &MergeOptions::default());
/// assert_eq!(merged.text, "{ \"port\" : 81,\n  \"host\": \"h\",\n  \"note\": \"ours\",  \"tls\": true }");
/// let [conflict] = merged.conflicts.as_slice() else { panic!() };
/// assert_eq!(conflict.kind, ConflictKind::Changed);
/// assert_eq!(conflict.at.pointer().as_str(), "/tls");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn merge<'m>(
    ours: &'m Document<'m>,
    ancestor: Node<'m>,
    theirs: Node<'m>,
    options: &MergeOptions<'_>,
) -> Merged<'m> {
    merge_counted(ours, ancestor, theirs, options).0
}

/// The text of `base`, changed only where its value is not that of `target`:
/// [`merge`] where nobody else changed anything. `keys` are those of
/// [`MergeOptions::keys`].
///
/// ```
/// use json_text::{Document, Limits, patch};
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

/// Merges as [`merge`] does, and returns how many steps it took.
#[cfg(feature = "count")]
pub fn merge_steps<'m>(
    ours: &'m Document<'m>,
    ancestor: Node<'m>,
    theirs: Node<'m>,
    options: &MergeOptions<'_>,
) -> (Merged<'m>, u64) {
    merge_counted(ours, ancestor, theirs, options)
}

fn merge_counted<'m>(
    ours: &'m Document<'m>,
    ancestor: Node<'m>,
    theirs: Node<'m>,
    options: &MergeOptions<'_>,
) -> (Merged<'m>, u64) {
    if ancestor.raw() == theirs.raw() {
        let text = ours.text().to_owned();
        return (Merged { text, conflicts: Vec::new(), changes: Vec::new() }, 1);
    }
    let root = ours.root();
    let shared = std::ptr::eq(ancestor.document, ours) && ancestor.index == root.index;
    let ([in_ours, in_theirs], in_ancestor, steps) = if shared {
        let (sides, steps) = classes([root, theirs]);
        (sides, None, steps)
    } else {
        let ([in_ours, in_theirs, in_ancestor], steps) = classes([root, theirs, ancestor]);
        ([in_ours, in_theirs], Some(in_ancestor), steps)
    };
    let mut merger = Merger {
        options,
        ours: &in_ours,
        ancestor: in_ancestor.as_ref().unwrap_or(&in_ours),
        theirs: &in_theirs,
        styles: vec![Style::of_document(ours.text())],
        pending: vec![Task { ours: root, was: Some(ancestor), theirs, style: 0 }],
        splices: Splices::default(),
        conflicts: Vec::new(),
        changes: Vec::new(),
        steps: Cell::new(steps),
    };
    // No recursion: documents may be as deep as their reader allows.
    while let Some(task) = merger.pending.pop() {
        merger.value(&task);
    }
    let Merger { mut splices, mut conflicts, mut changes, steps, .. } = merger;
    let text = splices.render(ours.text());
    conflicts.sort_by_key(|conflict| conflict.at.rank());
    changes.sort_by_key(|change| change.at.rank());
    (Merged { text, conflicts, changes }, steps.get() + splices.steps)
}

/// A value on three sides; the ancestor may not have it.
struct Task<'m> {
    ours: Node<'m>,
    was: Option<Node<'m>>,
    theirs: Node<'m>,
    /// The style of the container that it is in.
    style: usize,
}

struct Merger<'s, 'm> {
    options: &'s MergeOptions<'s>,
    ours: &'s Side,
    ancestor: &'s Side,
    theirs: &'s Side,
    styles: Vec<Style>,
    pending: Vec<Task<'m>>,
    splices: Splices,
    conflicts: Vec<Conflict<'m>>,
    changes: Vec<Change<'m>>,
    steps: Cell<u64>,
}

impl<'m> Merger<'_, 'm> {
    fn step(&self, count: usize) {
        self.steps.set(self.steps.get() + count as u64);
    }

    fn value(&mut self, task: &Task<'m>) {
        let Task { ours, was, theirs, style } = *task;
        let class = self.theirs.class(theirs);
        self.step(1);
        if self.ours.class(ours) == class || was.is_some_and(|w| self.ancestor.class(w) == class) {
            return;
        }
        let all = |is: fn(Node<'m>) -> bool| is(ours) && is(theirs) && was.is_none_or(is);
        if all(Node::is_object) {
            self.object(task);
        } else if all(Node::is_array) && (was.is_some() || self.all_keyed(ours, theirs)) {
            self.array(task);
        } else if was.is_some_and(|was| self.unchanged(ours, was)) {
            let text = self.styles.get(style).map(|style| style.value(theirs));
            self.splices.replace(ours.span(), text.unwrap_or_default());
            self.change(MergePlace::of(ours), ChangeKind::Replaced, Some(ours), Some(theirs));
        } else {
            let values = [was, Some(ours), Some(theirs)];
            self.conflict(MergePlace::of(ours), ConflictKind::Changed, values);
        }
    }

    /// Whether two arrays that both sides added can be told apart element by element.
    fn all_keyed(&self, ours: Node<'m>, theirs: Node<'m>) -> bool {
        let (ours, theirs) = (self.elements(self.ours, ours), self.elements(self.theirs, theirs));
        ours.iter().chain(&theirs).all(|element| element.key.is_some())
    }

    /// Whether a value of ours is what it was. Each is asked about once, and nothing
    /// inside it is looked at afterwards.
    fn unchanged(&self, ours: Node<'m>, was: Node<'m>) -> bool {
        let mut pending = vec![(ours, was)];
        while let Some((ours, was)) = pending.pop() {
            self.step(1);
            if self.ours.class(ours) == self.ancestor.class(was) {
                continue;
            }
            if !self.options.partial || ours.kind() != was.kind() {
                return false;
            }
            let covered = if ours.is_object() {
                let (mine, old) = (self.ours.items(ours), self.ancestor.items(was));
                let index = Index::of(&mine);
                self.step(mine.len() + old.len());
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

    /// The style of a container that is about to be looked into.
    fn style_of(&mut self, task: &Task<'m>) -> usize {
        let style = self.styles.get(task.style).map(|outer| Style::of(task.ours, outer));
        self.styles.extend(style);
        self.styles.len() - 1
    }

    fn write_items(&mut self, container: Node<'m>, items: &[NewItem<'m>], style: usize) {
        if let Some(style) = self.styles.get(style) {
            self.splices.items(container, items, style);
        }
    }

    fn conflict(&mut self, at: MergePlace<'m>, kind: ConflictKind, values: [Option<Node<'m>>; 3]) {
        let [was, ours, theirs] = values;
        self.conflicts.push(Conflict { at, kind, was, ours, theirs });
    }

    fn change(
        &mut self,
        at: MergePlace<'m>,
        kind: ChangeKind,
        old: Option<Node<'m>>,
        new: Option<Node<'m>>,
    ) {
        self.changes.push(Change { at, kind, old, new });
    }
}
