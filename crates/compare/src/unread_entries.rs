//! Compares the entries of documents that descriptors do not model.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::change::{Class, Findings};
use super::place::{Side, same_format};
use diagnostic::{Pointer, quoted};
use json_text::Node;
use manifest_core::{Place, ToolDescriptor};

/// The entries of a part of a document, sorted by path. The path of an array element
/// contains its key if it has one, and its index otherwise.
#[derive(Default)]
struct Entries<'d> {
    /// The leaves that the reader did not consume.
    unread_leaves: Vec<(Pointer, Node<'d>)>,
    /// Entries that the reader consumed, that are compared separately, or that contain
    /// others.
    excluded_paths: Vec<Pointer>,
}

impl Entries<'_> {
    fn excludes(&self, path: &Pointer) -> bool {
        self.excluded_paths.binary_search(path).is_ok()
    }
}

/// Compares the unread entries of two tools.
pub(super) fn compare_tools(
    sides: [&Side<'_>; 2],
    [old, new]: [&ToolDescriptor<'_>; 2],
    found: &mut Findings<'_>,
) {
    compare_parts(sides, [old.at, new.at], |_, _| false, found);
}

/// Compares the unread entries outside of all tools and packages.
pub(super) fn compare_documents(sides: [&Side<'_>; 2], found: &mut Findings<'_>) {
    let roots = sides.map(|side| {
        let (_, document) = side.source?;
        let root = Place::at(0, document.root());
        if is_tool_or_package(side, root.entry) { None } else { Some(root) }
    });
    compare_parts(sides, roots, is_tool_or_package, found);
}

fn is_tool_or_package(side: &Side<'_>, entry: u32) -> bool {
    has_tool_at(side, entry, |tool| tool.at) || has_tool_at(side, entry, |tool| tool.package.at)
}

/// Compares parts of two documents, except for the entries that `apart` selects.
fn compare_parts(
    [old, new]: [&Side<'_>; 2],
    [before, after]: [Option<Place>; 2],
    apart: impl Fn(&Side<'_>, u32) -> bool,
    found: &mut Findings<'_>,
) {
    // Documents of different formats cannot be compared entry by entry.
    if same_format(old, new)
        && let Some(before) = collect_entries(old, before, &apart)
        && let Some(after) = collect_entries(new, after, &apart)
    {
        compare_entries(&before, &after, found);
    }
}

/// The address of a document, and the entry of a package in it.
pub(super) type PackagePlace = (usize, u32);

/// Returns the places of the packages of two tools. Returns `None` if the formats differ,
/// if a document is unknown, or if a package has no place other than its tool's.
pub(super) fn package_places(
    [before, after]: [&Side<'_>; 2],
    [old, new]: [&ToolDescriptor<'_>; 2],
) -> Option<[PackagePlace; 2]> {
    if !same_format(before, after) {
        return None;
    }
    Some([package_place(before, old)?, package_place(after, new)?])
}

fn package_place(side: &Side<'_>, tool: &ToolDescriptor<'_>) -> Option<PackagePlace> {
    let at = tool.package.at?;
    if tool.at == Some(at) {
        return None;
    }
    let (_, document) = side.source?;
    Some((std::ptr::from_ref(document).addr(), at.entry))
}

/// The unread entries of packages, read once for each place. They are stored by place, not
/// by pair of packages, because tools of one old package may be in different new ones.
#[derive(Default)]
pub(super) struct PackageEntries<'d>(BTreeMap<PackagePlace, Entries<'d>>);

impl<'d> PackageEntries<'d> {
    /// Compares the unread entries of two packages.
    pub(super) fn compare(
        &mut self,
        sides: [&Side<'d>; 2],
        tools: [&ToolDescriptor<'_>; 2],
        places: [PackagePlace; 2],
        found: &mut Findings<'_>,
    ) {
        for ((side, tool), place) in sides.into_iter().zip(tools).zip(places) {
            if let Entry::Vacant(new) = self.0.entry(place) {
                let entries = collect_entries(side, tool.package.at, |side, entry| {
                    has_tool_at(side, entry, |tool| tool.at)
                });
                // Without a source, there is nothing to compare.
                new.insert(entries.unwrap_or_default());
            }
        }
        if let [Some(old), Some(new)] = places.map(|place| self.0.get(&place)) {
            compare_entries(old, new, found);
        }
    }
}

/// Returns true if a tool or package is at an entry. Searches in binary steps, because
/// tools are in document order.
fn has_tool_at(
    side: &Side<'_>,
    entry: u32,
    place: impl Fn(&ToolDescriptor<'_>) -> Option<Place>,
) -> bool {
    let tools = side.tools();
    tools.binary_search_by_key(&Some(entry), |tool| place(tool).map(|at| at.entry)).is_ok()
}

/// Compares the unread leaves without regard to order and spelling.
fn compare_entries(before: &Entries<'_>, after: &Entries<'_>, found: &mut Findings<'_>) {
    let mut leaves = [before, after].map(|entries| entries.unread_leaves.iter().peekable());
    loop {
        let [old, new] = &mut leaves;
        let order = match (old.peek(), new.peek()) {
            (Some((old, _)), Some((new, _))) => old.cmp(new),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return,
        };
        let old = old.next_if(|_| order.is_le());
        let new = new.next_if(|_| order.is_ge());
        if let (Some((_, old)), Some((_, new))) = (old, new)
            && old.same_value(*new)
        {
            continue;
        }
        // If either side read an entry, it is compared as a field. If it contains others on
        // either side, those are compared instead.
        let Some((path, newest)) = new.or(old) else { return };
        if before.excludes(path) || after.excludes(path) {
            continue;
        }
        let shown = quoted(newest.pointer().as_str());
        let message = format!("{shown} says something else, and has no meaning here");
        found.push_at(Class::Undecided, "other-changed", Pointer::root(), message);
        found.edit_last(|change| {
            change.old = old.map(|(_, node)| node.pointer());
            change.new = new.map(|(_, node)| node.pointer());
        });
    }
}

/// Collects the entries of a part of a document.
fn collect_entries<'d>(
    side: &Side<'d>,
    at: Option<Place>,
    apart: impl Fn(&Side<'_>, u32) -> bool,
) -> Option<Entries<'d>> {
    let (format, document) = side.source?;
    let from = document.node(at?.entry)?;
    let mut found = Entries::default();
    let mut open = vec![(Pointer::root(), from)];
    while let Some((path, node)) = open.pop() {
        let index = node.index();
        // A consumed entry was consumed with everything inside it.
        if side.lifted.marks.has(index) || apart(side, index) && index != from.index() {
            found.excluded_paths.push(path);
            continue;
        }
        if node.index_after() == index + 1 {
            found.unread_leaves.push((path, node));
            continue;
        }
        for member in node.members() {
            open.push((path.clone().push(&member.name()), member.value));
        }
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        for (number, element) in node.elements().enumerate() {
            let path = path.clone();
            let path = match format.keys.iter().find_map(|key| element.identity(key)) {
                Some(key) => {
                    let path = path.push(&format!("={key}"));
                    let times = times.entry(key.into_owned()).or_default();
                    *times += 1;
                    path.push_index(*times)
                }
                None => path.push_index(number),
            };
            open.push((path, element));
        }
        found.excluded_paths.push(path);
    }
    found.unread_leaves.sort_by(|(path, _), (other, _)| path.cmp(other));
    found.excluded_paths.sort();
    Some(found)
}
