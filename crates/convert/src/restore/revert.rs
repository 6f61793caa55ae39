//! Reverts edits that the source's format rejects.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Pointer, Report, ok_or_bug};
use json_text::{self, Document, Edit, Node, compact};

/// Reverts the edits that the report complains about; `None` if the faults were there
/// before.
///
/// `was` and `wanted` are the texts without and with the edit in the source's own format.
/// The report is about `restored`, the source's text with the edit.
pub(crate) fn revert_faulty_edits(
    report: &Report,
    restored: &Document<'_>,
    was: &Document<'_>,
    wanted: &Document<'_>,
    keys: &[&str],
) -> Option<String> {
    let mut arrays = ArrayIndex { keys, arrays: BTreeMap::new() };
    let mut edits: BTreeMap<Pointer, Edit> = BTreeMap::new();
    for found in report.errors() {
        let mut path = arrays.path_to(&found.pointer, restored.root(), [was.root(), wanted.root()]);
        // The value itself, or the innermost changed value around it.
        while path.last()?.is_unchanged() {
            path.pop();
        }
        let site = path.last()?;
        let at = if site.old.is_some() { site.at.clone() } else { outermost_new(&path) };
        let edit = match (site.old, site.new) {
            (Some(was), Some(_)) => Edit::Set(at.clone(), was.raw().to_owned()),
            (Some(was), None) => Edit::Insert(at.clone(), was.raw().to_owned()),
            (None, _) => Edit::Remove(at.clone()),
        };
        edits.insert(at, edit);
    }
    let mut outermost = Vec::new();
    for (at, edit) in &edits {
        // Reverting a value reverts the edits inside it.
        if !has_outer_edit(at, &edits) {
            outermost.push(edit.clone());
        }
    }
    ok_or_bug(json_text::apply(wanted, &outermost))
}

/// Returns true if a value around a place has an edit.
fn has_outer_edit(at: &Pointer, edits: &BTreeMap<Pointer, Edit>) -> bool {
    let mut at = at.clone();
    while let Some(outer) = at.split_last().map(|(outer, _)| outer) {
        if edits.contains_key(&outer) {
            return true;
        }
        at = outer;
    }
    false
}

/// A value on the path to a faulty one: its pointer, and the old and the new value.
struct EditSite<'d> {
    at: Pointer,
    old: Option<Node<'d>>,
    new: Option<Node<'d>>,
}

impl EditSite<'_> {
    fn is_unchanged(&self) -> bool {
        match (self.old, self.new) {
            (Some(was), Some(wanted)) => was.same_value(wanted),
            (was, wanted) => was.is_none() && wanted.is_none(),
        }
    }
}

/// Returns the pointer of the outermost new value that contains only the last one.
fn outermost_new(path: &[EditSite<'_>]) -> Pointer {
    let mut outermost = Pointer::root();
    for (index, site) in path.iter().rev().enumerate() {
        if index > 0 {
            let (None, Some(new)) = (site.old, site.new) else { break };
            if site.at.is_root() || new.elements().count() + new.members().count() != 1 {
                break;
            }
        }
        outermost = site.at.clone();
    }
    outermost
}

/// The arrays of the new text that were visited, by their node indices.
struct ArrayIndex<'k> {
    keys: &'k [&'k str],
    arrays: BTreeMap<u32, ArrayElements>,
}

/// The elements of an array in the new text.
struct ArrayElements {
    /// Positions by identity.
    positions: BTreeMap<String, usize>,
    /// The origin of each element.
    origins: Vec<ElementOrigin>,
}

#[derive(Clone, Copy)]
enum ElementOrigin {
    /// The element at this index of the old array.
    Old(usize),
    /// The element is new.
    New,
    /// The element may be new or changed.
    Unknown,
}

impl ArrayIndex<'_> {
    /// Returns the path to a place of the restored text, as far as the new text has it.
    fn path_to<'d>(
        &mut self,
        pointer: &Pointer,
        mut restored: Node<'_>,
        [was, wanted]: [Node<'d>; 2],
    ) -> Vec<EditSite<'d>> {
        let mut path = vec![EditSite { at: Pointer::root(), old: Some(was), new: Some(wanted) }];
        for token in pointer.tokens() {
            let Some(EditSite { at, old, new: Some(new) }) = path.last() else { break };
            let Some(next) = restored.at(&Pointer::root().push(&token)) else { break };
            let site = if new.is_array() {
                let Some((place, origin)) = self.locate_element(next, *old, *new) else { break };
                let old = match (origin, old) {
                    (ElementOrigin::Old(index), Some(old)) => old.elements().nth(index),
                    (ElementOrigin::Old(_), None) | (ElementOrigin::New, _) => None,
                    (ElementOrigin::Unknown, _) => break,
                };
                EditSite { at: at.clone().push_index(place), old, new: new.elements().nth(place) }
            } else {
                let old = old.and_then(|old| old.get(&token));
                EditSite { at: at.clone().push(&token), old, new: new.get(&token) }
            };
            path.push(site);
            restored = next;
        }
        path
    }

    /// Returns the position of an element in an array of the new text, and its origin.
    fn locate_element(
        &mut self,
        element: Node<'_>,
        was: Option<Node<'_>>,
        wanted: Node<'_>,
    ) -> Option<(usize, ElementOrigin)> {
        let keys = self.keys;
        let array = self
            .arrays
            .entry(wanted.index())
            .or_insert_with(|| ArrayElements::of(was, wanted, keys));
        let place = *array.positions.get(&identity(element, keys))?;
        Some((place, *array.origins.get(place)?))
    }
}

impl ArrayElements {
    fn of(was: Option<Node<'_>>, wanted: Node<'_>, keys: &[&str]) -> Self {
        let old = was.map_or_else(Vec::new, |was| identities(was, keys));
        let new = identities(wanted, keys);
        let remaining: BTreeSet<&String> = new.iter().collect();
        let all_remain = old.iter().all(|one| remaining.contains(one));
        let known: BTreeMap<&String, usize> = old.iter().zip(0..).collect();
        let mut origins = Vec::with_capacity(new.len());
        for (place, one) in new.iter().enumerate() {
            origins.push(match (known.get(one), old.get(place)) {
                (Some(index), _) => ElementOrigin::Old(*index),
                (None, _) if all_remain => ElementOrigin::New,
                // If the length is the same, the key or the value was changed.
                (None, Some(other)) if old.len() == new.len() && !remaining.contains(other) => {
                    ElementOrigin::Old(place)
                }
                (None, _) => ElementOrigin::Unknown,
            });
        }
        Self { origins, positions: new.into_iter().zip(0..).collect() }
    }
}

fn identities(array: Node<'_>, keys: &[&str]) -> Vec<String> {
    array.elements().map(|element| identity(element, keys)).collect()
}

/// Returns the identity of an array element: the first of the keys that it has, otherwise
/// its value.
fn identity(element: Node<'_>, keys: &[&str]) -> String {
    for key in keys {
        if let Some(value) = key.split('/').try_fold(element, Node::get)
            && let Some(text) = value.text()
        {
            return format!("{key} {text}");
        }
    }
    compact(element)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use json_text::{Limits, rules};

    use super::*;

    /// Returns the new text after one faulty place was reverted.
    fn left(was: &str, wanted: &str, wrong: &str) -> Option<String> {
        let [was, wanted] =
            [was, wanted].map(|text| Document::parse(text.as_bytes(), Limits::none()).unwrap());
        let at = Pointer::parse(wrong).unwrap();
        let report = Report::from(rules::TYPE.at_pointer(at, "it is wrong"));
        revert_faulty_edits(&report, &wanted, &was, &wanted, &["id"])
    }

    const WAS: &str = r#"{"all":[{"id":"a","x":1},{"id":"b","x":2}]}"#;

    #[test]
    fn what_is_new_between_others_goes_alone() {
        let wanted = r#"{"all":[{"id":"a","x":1},{"id":"n"},{"id":"b","x":3}]}"#;
        let less = r#"{"all":[{"id":"a","x":1},{"id":"b","x":3}]}"#;
        assert_eq!(left(WAS, wanted, "/all/1").unwrap(), less);
        // The elements after the new one are still recognised.
        let back = r#"{"all":[{"id":"a","x":1},{"id":"n"},{"id":"b","x":2}]}"#;
        assert_eq!(left(WAS, wanted, "/all/2/x").unwrap(), back);
        let (was, wanted) = (r#"["a","b"]"#, r#"["a","!","b"]"#);
        assert_eq!(left(was, wanted, "/1").unwrap(), was);
    }

    #[test]
    fn what_has_another_name_gets_its_own_back() {
        let wanted = r#"{"all":[{"id":"n","x":1},{"id":"b","x":2}]}"#;
        assert_eq!(left(WAS, wanted, "/all/0/id").unwrap(), WAS);
        assert_eq!(left(r#"["a","b"]"#, r#"["a","!"]"#, "/1").unwrap(), r#"["a","b"]"#);
    }

    #[test]
    fn where_nobody_can_tell_the_whole_list_is_as_it_was() {
        let wanted = r#"{"all":[{"id":"n"}]}"#;
        assert_eq!(left(WAS, wanted, "/all/0").unwrap(), WAS);
    }

    #[test]
    fn what_was_so_before_is_nobodys_edit() {
        assert_eq!(left(WAS, WAS, "/all/0/x"), None);
    }
}
