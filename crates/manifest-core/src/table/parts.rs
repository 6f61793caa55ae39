//! The parts of a table, and the parts that a document contains. Tests use them to check
//! that generators produce every part.

use std::collections::BTreeSet;

use super::{Object, Shape};
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
    Word(&'static str),
    /// A branch of the union at the path, or one of several types, for example `an object`.
    Branch(&'static str),
}

/// Returns every part of a table.
pub fn parts(object: &'static Object) -> BTreeSet<TablePart> {
    let mut walk = Walk::default();
    walk.object(object, None, &TablePlace::ROOT);
    walk.parts
}

/// Returns the parts that a document of a version contains. They are always a subset of
/// [`parts`].
pub fn covers(object: &'static Object, node: Node<'_>, version: u8) -> BTreeSet<TablePart> {
    let mut walk = Walk::default();
    walk.object(object, Some((node, version)), &TablePlace::ROOT);
    walk.parts
}

/// A path in a table, and the versions that have it.
struct TablePlace {
    path: String,
    since: u8,
    until: u8,
}

impl TablePlace {
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
type Shown<'n> = Option<(Node<'n>, u8)>;

#[derive(Default)]
struct Walk {
    parts: BTreeSet<TablePart>,
    /// The objects around the current one. Ends the walk if a table is recursive by
    /// mistake.
    above: Vec<&'static Object>,
}

impl Walk {
    fn object(&mut self, object: &'static Object, shown: Shown<'_>, at: &TablePlace) {
        if self.above.iter().any(|above| std::ptr::eq(*above, object)) {
            return;
        }
        self.above.push(object);
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
            self.show(&place, PartKind::Member);
            self.shape(member.shape, value, &place);
        }
        self.above.pop();
    }

    fn shape(&mut self, shape: &'static Shape, shown: Shown<'_>, at: &TablePlace) {
        if shown.is_some_and(|(node, _)| !shape.is_type_of(node)) {
            return;
        }
        match shape {
            Shape::Word(words) => {
                let text = shown.map(|(node, _)| node.text());
                let is_shown = |word: &&&str| match &text {
                    Some(text) => text.as_deref() == Some(**word),
                    None => true,
                };
                words.iter().filter(is_shown).for_each(|word| self.show(at, PartKind::Word(word)));
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
            Shape::Union { tag, branches } => {
                let word = shown.map(|(node, _)| node.get(tag).and_then(Node::text));
                for branch in *branches {
                    let has = word.as_ref().is_none_or(|word| word.as_deref() == Some(branch.word));
                    if !has || shown.is_some_and(|(_, version)| !branch.is_in(version)) {
                        continue;
                    }
                    let place = at.inside(at.path.clone(), branch.since, branch.until);
                    self.show(&place, PartKind::Branch(branch.word));
                    let path = format!("{}{{{}}}", at.path, branch.word);
                    let place = at.inside(path, branch.since, branch.until);
                    self.object(branch.object, shown, &place);
                }
            }
            Shape::OneOf(shapes) => {
                for one in *shapes {
                    if shown.is_some_and(|(node, _)| !one.is_type_of(node)) {
                        continue;
                    }
                    if let Some(kind) = one.kind() {
                        self.show(at, PartKind::Branch(kind.described()));
                    }
                    self.shape(one, shown, at);
                }
            }
            Shape::Bool => {
                for (value, word) in [(false, "false"), (true, "true")] {
                    if shown.is_none_or(|(node, _)| node.bool() == Some(value)) {
                        self.show(at, PartKind::Word(word));
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

    fn show(&mut self, at: &TablePlace, kind: PartKind) {
        // A part that no version has is in no document.
        if at.since <= at.until {
            let TablePlace { path, since, until } = at;
            let part = TablePart { path: path.clone(), kind, since: *since, until: *until };
            self.parts.insert(part);
        }
    }
}
