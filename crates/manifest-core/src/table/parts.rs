//! The parts of a table, and the parts that a document contains. Tests use them to check
//! that generators produce every part.

use std::collections::BTreeSet;

use super::{Branch, Object, Shape};
use json_text::Node;

/// A member, an enumerated value or a branch of a table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct TablePart {
    /// The path: names after slashes, `*` for elements of arrays and values of maps, and
    /// the tag of a branch in braces. For example, `/env/*/name` or
    /// `/smoke{shell}/command`.
    pub path: String,
    /// The kind of part.
    pub kind: PartKind,
    /// The first version that has the part and everything around it.
    pub since: u8,
    /// The last version that has the part and everything around it.
    pub until: u8,
}

/// The kind of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartKind {
    /// A member of an object.
    Member,
    /// An allowed value of the string at the path. Booleans are `true` and `false`.
    EnumValue(&'static str),
    /// A branch of the union at the path, or one of several types, for example `an object`.
    Branch(&'static str),
}

/// Returns every part of a table.
pub fn parts(object: &'static Object) -> BTreeSet<TablePart> {
    let mut walk = Walk::default();
    walk.object(object, None, &TablePath::ROOT);
    walk.parts
}

/// Returns the parts that a document of a version contains. They are always a subset of
/// [`parts`].
pub fn covered_parts(object: &'static Object, node: Node<'_>, version: u8) -> BTreeSet<TablePart> {
    let mut walk = Walk::default();
    walk.object(object, Some((node, version)), &TablePath::ROOT);
    walk.parts
}

/// A path in a table, and the versions that have it.
struct TablePath {
    path: String,
    since: u8,
    until: u8,
}

impl TablePath {
    const ROOT: Self = Self { path: String::new(), since: 0, until: u8::MAX };

    fn inside(&self, path: String, since: u8, until: u8) -> Self {
        Self { path, since: self.since.max(since), until: self.until.min(until) }
    }

    /// The path of all elements.
    fn each(&self) -> Self {
        self.inside(format!("{}/*", self.path), 0, u8::MAX)
    }
}

/// A value and the version of its document. `None` selects every part of the table.
type DocumentValue<'n> = Option<(Node<'n>, u8)>;

#[derive(Default)]
struct Walk {
    parts: BTreeSet<TablePart>,
    /// The objects around the current one. Ends the walk if a table is recursive by
    /// mistake.
    ancestors: Vec<&'static Object>,
}

impl Walk {
    fn object(&mut self, object: &'static Object, shown: DocumentValue<'_>, at: &TablePath) {
        if self.ancestors.iter().any(|above| std::ptr::eq(*above, object)) {
            return;
        }
        self.ancestors.push(object);
        for member in object.members {
            let value = match shown {
                Some((node, version)) if member.is_in(version) => {
                    let Some(value) = node.get(member.name) else { continue };
                    Some((value, version))
                }
                Some(_) => continue,
                None => None,
            };
            let path = format!("{}/{}", at.path, member.name);
            let place = at.inside(path, member.since, member.until);
            self.record(&place, PartKind::Member);
            self.shape(member.shape, value, &place);
        }
        self.ancestors.pop();
    }

    fn shape(&mut self, shape: &'static Shape, shown: DocumentValue<'_>, at: &TablePath) {
        if shown.is_some_and(|(node, _)| !shape.allows_type_of(node)) {
            return;
        }
        match shape {
            Shape::Enum(words) => {
                for word in *words {
                    if shown.is_none_or(|(node, _)| node.text().as_deref() == Some(*word)) {
                        self.record(at, PartKind::EnumValue(word));
                    }
                }
            }
            Shape::List { of, .. } | Shape::Map(of) => match shown {
                Some((node, version)) => {
                    let values = node.members().map(|member| member.value);
                    for value in node.elements().chain(values) {
                        self.shape(of, Some((value, version)), &at.each());
                    }
                }
                None => self.shape(of, None, &at.each()),
            },
            Shape::Object(object) => self.object(object, shown, at),
            Shape::Union { tag, branches } => self.branches(tag, branches, shown, at),
            Shape::OneOf(shapes) => {
                for one in *shapes {
                    if shown.is_some_and(|(node, _)| !one.allows_type_of(node)) {
                        continue;
                    }
                    if let Some(kind) = one.kind() {
                        self.record(at, PartKind::Branch(kind.with_article()));
                    }
                    self.shape(one, shown, at);
                }
            }
            Shape::Bool => {
                for (value, word) in [(false, "false"), (true, "true")] {
                    if shown.is_none_or(|(node, _)| node.bool() == Some(value)) {
                        self.record(at, PartKind::EnumValue(word));
                    }
                }
            }
            Shape::Any
            | Shape::Opaque
            | Shape::Integer { .. }
            | Shape::Number { .. }
            | Shape::Text(_) => {}
        }
    }

    fn branches(
        &mut self,
        tag: &str,
        branches: &'static [Branch],
        shown: DocumentValue<'_>,
        at: &TablePath,
    ) {
        for branch in branches {
            if let Some((node, version)) = shown {
                let value = node.get(tag).and_then(Node::text);
                if value.as_deref() != Some(branch.tag_value) || !branch.is_in(version) {
                    continue;
                }
            }
            let place = at.inside(at.path.clone(), branch.since, branch.until);
            self.record(&place, PartKind::Branch(branch.tag_value));
            let path = format!("{}{{{}}}", at.path, branch.tag_value);
            let place = at.inside(path, branch.since, branch.until);
            self.object(branch.object, shown, &place);
        }
    }

    fn record(&mut self, at: &TablePath, kind: PartKind) {
        // A part that no version has is in no document.
        if at.since <= at.until {
            let TablePath { path, since, until } = at;
            let part = TablePart { path: path.clone(), kind, since: *since, until: *until };
            self.parts.insert(part);
        }
    }
}
