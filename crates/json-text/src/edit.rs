//! Edits a text in place. All other bytes are preserved.

use std::collections::{BTreeMap, BTreeSet};

use super::splice::{Item, Splice, splice_items, splice_text};
use super::{Document, Node};
use diagnostic::Pointer;

/// One change to a document. Pointers refer to the document before any change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Replaces the value at the pointer.
    Set(Pointer, String),
    /// Adds a member, or an element before the one at the pointer. The token `-` is the end
    /// of an array.
    Insert(Pointer, String),
    /// Removes the value at the pointer, with its name.
    Remove(Pointer),
}

/// The reason why an edit cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The pointer leads to no value, or to no container that could take one.
    #[error("there is no place at {0:?}")]
    NoPlace(Pointer),
    /// The object already has a member of that name.
    #[error("there is a member at {0:?} already")]
    Exists(Pointer),
    /// The new value is not JSON.
    #[error("the value for {0:?} is not JSON")]
    NotJson(Pointer),
    /// Two edits touch the same bytes.
    #[error("two edits touch the same value at {0:?}")]
    Overlap(Pointer),
}

/// Applies all edits at once and returns the new text.
///
/// ```
/// use diagnostic::Pointer;
/// use toolglot_json_text::{Document, Edit, Limits, apply};
///
/// let document = Document::parse(b"{ \"a\" : 1e2,\n  \"b\":[1,  2] }", &Limits::default())?;
/// let edited = apply(&document, &[
///     Edit::Set(Pointer::parse("/b/1")?, "3".into()),
///     Edit::Insert(Pointer::parse("/b/-")?, "4".into()),
/// ])?;
/// assert_eq!(edited, "{ \"a\" : 1e2,\n  \"b\":[1,  3,  4] }");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn apply(document: &Document<'_>, edits: &[Edit]) -> Result<String, EditError> {
    let mut splices = Vec::new();
    let mut containers: BTreeMap<usize, Container<'_>> = BTreeMap::new();
    for edit in edits {
        match edit {
            Edit::Set(pointer, value) => {
                let node = document
                    .root()
                    .at(pointer)
                    .ok_or_else(|| EditError::NoPlace(pointer.clone()))?;
                splices.push((Splice::new(node.span(), check_json(pointer, value)?), pointer));
            }
            Edit::Insert(pointer, value) => {
                let value = check_json(pointer, value)?;
                let (container, token) = Container::of(document, pointer, &mut containers)?;
                container.insert(pointer, &token, value)?;
            }
            Edit::Remove(pointer) => {
                let (container, token) = Container::of(document, pointer, &mut containers)?;
                container.remove(pointer, &token)?;
            }
        }
    }
    let root = Pointer::root();
    for container in containers.into_values() {
        splices.extend(container.splices().into_iter().map(|splice| (splice, &root)));
    }
    splices.sort_by_key(|(splice, _)| (splice.span.start, splice.span.end));
    let overlap =
        splices.iter().zip(splices.iter().skip(1)).find(|(a, b)| b.0.span.start < a.0.span.end);
    if let Some((a, b)) = overlap {
        let place = if a.1.is_root() { b.1 } else { a.1 };
        return Err(EditError::Overlap(place.clone()));
    }
    Ok(splice_text(document.text(), splices.into_iter().map(|(splice, _)| splice)))
}

fn check_json(pointer: &Pointer, value: &str) -> Result<String, EditError> {
    match Document::parse(value.as_bytes(), crate::Limits::none()) {
        Ok(_) => Ok(value.to_owned()),
        Err(_) => Err(EditError::NotJson(pointer.clone())),
    }
}

/// A container in which items are inserted or removed.
struct Container<'a> {
    node: Node<'a>,
    pointer: Pointer,
    /// The new items before each old one. The last list is for the end.
    new_items: Vec<Vec<String>>,
    /// The names of new members.
    names: BTreeSet<String>,
    keep: Vec<bool>,
}

impl<'a> Container<'a> {
    fn of<'m>(
        document: &'a Document<'a>,
        pointer: &Pointer,
        containers: &'m mut BTreeMap<usize, Self>,
    ) -> Result<(&'m mut Self, String), EditError> {
        let no_place = || EditError::NoPlace(pointer.clone());
        let (parent, token) = pointer.split_last().ok_or_else(no_place)?;
        let node = document.root().at(&parent).ok_or_else(no_place)?;
        if !node.is_object() && !node.is_array() {
            return Err(no_place());
        }
        let token = token.into_owned();
        let container = containers.entry(node.span().start).or_insert_with(|| {
            let count = node.members().count() + node.elements().count();
            Self {
                node,
                pointer: parent,
                new_items: vec![Vec::new(); count + 1],
                names: BTreeSet::new(),
                keep: vec![true; count],
            }
        });
        Ok((container, token))
    }

    fn find(&self, token: &str) -> Option<usize> {
        if self.node.is_object() {
            return self.node.members().position(|member| member.has_name(token));
        }
        super::node::array_index(token).filter(|index| *index < self.keep.len())
    }

    fn insert(&mut self, pointer: &Pointer, token: &str, value: String) -> Result<(), EditError> {
        let end = self.keep.len();
        let (at, text) = if self.node.is_object() {
            if self.find(token).is_some() || !self.names.insert(token.to_owned()) {
                return Err(EditError::Exists(pointer.clone()));
            }
            (end, format!("{}: {value}", super::quote(token)))
        } else if token == "-" || super::node::array_index(token) == Some(end) {
            (end, value)
        } else {
            (self.find(token).ok_or_else(|| EditError::NoPlace(pointer.clone()))?, value)
        };
        if let Some(slot) = self.new_items.get_mut(at) {
            slot.push(text);
        }
        Ok(())
    }

    fn remove(&mut self, pointer: &Pointer, token: &str) -> Result<(), EditError> {
        let found = self.find(token).and_then(|index| self.keep.get_mut(index));
        match found {
            Some(kept) if *kept => *kept = false,
            Some(_) => return Err(EditError::Overlap(self.pointer.clone())),
            None => return Err(EditError::NoPlace(pointer.clone())),
        }
        Ok(())
    }

    fn splices(self) -> Vec<Splice> {
        let mut items = Vec::new();
        let kept = self.keep.iter().map(Some).chain([None]);
        for (index, (inserted, kept)) in self.new_items.into_iter().zip(kept).enumerate() {
            items.extend(inserted.into_iter().map(Item::New));
            if kept == Some(&true) {
                items.push(Item::Old(index));
            }
        }
        splice_items(self.node, items)
    }
}
