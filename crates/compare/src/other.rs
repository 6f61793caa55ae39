//! What descriptors have no word for: the entries of a document that were not read.

use std::collections::{BTreeMap, BTreeSet};

use super::change::{Class, Findings};
use super::place::{Side, same_format};
use diagnostic::{Pointer, quoted};
use json_text::Node;
use manifest_core::{Place, ToolDescriptor};

/// What stands at a path.
enum AtPath<'d> {
    /// A leaf that was not read.
    Other(Node<'d>),
    /// What was read, or only stands around others.
    Known,
}

/// Compares what two tools say besides.
pub(super) fn tool(
    [old_side, new_side]: [&Side<'_>; 2],
    [old, new]: [&ToolDescriptor<'_>; 2],
    found: &mut Findings<'_>,
) {
    let none = |_: u32| false;
    compare((old_side, old.at, &none), (new_side, new.at, &none), found);
}

/// Which document a package stands in, by its address, and where.
pub(super) type Around = (usize, u32);

/// Where the package of a tool stands around it.
pub(super) fn around(side: &Side<'_>, tool: &ToolDescriptor<'_>) -> Option<Around> {
    let (_, document) = side.source?;
    Some((std::ptr::from_ref(document).addr(), apart(tool)?.entry))
}

fn apart(tool: &ToolDescriptor<'_>) -> Option<Place> {
    tool.package.at.filter(|at| Some(*at) != tool.at)
}

/// Compares what two packages say besides, where they stand around their tools.
pub(super) fn package(
    [old_side, new_side]: [&Side<'_>; 2],
    [old, new]: [&ToolDescriptor<'_>; 2],
    found: &mut Findings<'_>,
) {
    let is_tool = |side: &Side<'_>, entry| holds(side, entry, |tool| tool.at);
    compare(
        (old_side, apart(old), &|entry| is_tool(old_side, entry)),
        (new_side, apart(new), &|entry| is_tool(new_side, entry)),
        found,
    );
}

/// Compares what stands around all tools and packages.
pub(super) fn document([old, new]: [&Side<'_>; 2], found: &mut Findings<'_>) {
    let inner = |side: &Side<'_>, entry| {
        holds(side, entry, |tool| tool.at) || holds(side, entry, |tool| tool.package.at)
    };
    let root = |side: &Side<'_>| {
        let (_, document) = side.source.filter(|_| !inner(side, 0))?;
        Some(Place::at(0, document.root()))
    };
    compare(
        (old, root(old), &|entry| inner(old, entry)),
        (new, root(new), &|entry| inner(new, entry)),
        found,
    );
}

/// Whether a tool or a package is at an entry. They are in the order of the document.
fn holds(
    side: &Side<'_>,
    entry: u32,
    place: impl Fn(&ToolDescriptor<'_>) -> Option<Place>,
) -> bool {
    let tools = side.tools();
    tools.binary_search_by_key(&Some(entry), |tool| place(tool).map(|at| at.entry)).is_ok()
}

/// A part of a document, and which entries inside it are looked at by themselves.
type Part<'p> = (&'p Side<'p>, Option<Place>, &'p dyn Fn(u32) -> bool);

/// Compares the leaves that were not read. Order and spelling do not count.
fn compare(old: Part<'_>, new: Part<'_>, found: &mut Findings<'_>) {
    // What another format has no word for says nothing here.
    if !same_format(old.0, new.0) {
        return;
    }
    let Some((before, after)) = entries(old).zip(entries(new)) else { return };
    let paths: BTreeSet<&Pointer> = before.keys().chain(after.keys()).collect();
    for path in paths {
        let (old, new) = match (before.get(path), after.get(path)) {
            (Some(AtPath::Other(old)), Some(AtPath::Other(new))) if old.same_value(*new) => {
                continue;
            }
            (Some(AtPath::Other(old)), Some(AtPath::Other(new))) => (Some(old), Some(new)),
            (Some(AtPath::Other(old)), None) => (Some(old), None),
            (None, Some(AtPath::Other(new))) => (None, Some(new)),
            // What one of them read is compared as a field, and what has something
            // inside by that.
            _ => continue,
        };
        let [old, new] = [old, new].map(|node| node.map(|node| node.pointer()));
        let shown = quoted(new.as_ref().or(old.as_ref()).map_or("", Pointer::as_str));
        let message = format!("{shown} says something else, and has no meaning here");
        found.at(Class::Undecided, "other-changed", Pointer::root(), message);
        if let Some(change) = found.changes.last_mut() {
            (change.old, change.new) = (old, new);
        }
    }
}

/// What stands in a part of a document, by path. An element of an array goes by its
/// key, where it has one, and not by its number.
fn entries((side, at, apart): Part<'_>) -> Option<BTreeMap<Pointer, AtPath<'_>>> {
    let (format, document) = side.source?;
    let from = document.node(at?.entry)?;
    let key = |node: Node<'_>| {
        format.keys.iter().find_map(|key| node.identity(key)).map(std::borrow::Cow::into_owned)
    };
    let mut found = BTreeMap::new();
    let mut open = vec![(Pointer::root(), from)];
    while let Some((path, node)) = open.pop() {
        let index = node.index();
        // A value that was read was read with all that is inside it.
        if side.lifted.marks.has(index) || apart(index) && index != from.index() {
            found.insert(path, AtPath::Known);
            continue;
        }
        if node.index_after() == index + 1 {
            found.insert(path, AtPath::Other(node));
            continue;
        }
        open.extend(node.members().map(|m| (path.clone().push(&m.name()), m.value)));
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        for (number, element) in node.elements().enumerate() {
            let path = path.clone();
            let path = match key(element) {
                Some(key) => {
                    let path = path.push(&format!("={key}"));
                    let times = times.entry(key).or_default();
                    *times += 1;
                    path.push_index(*times)
                }
                None => path.push_index(number),
            };
            open.push((path, element));
        }
        found.insert(path, AtPath::Known);
    }
    Some(found)
}
