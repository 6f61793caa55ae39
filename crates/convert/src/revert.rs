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
    let mut lists = ArrayIndex { keys, arrays: BTreeMap::new() };
    let mut edits: BTreeMap<Pointer, Edit> = BTreeMap::new();
    for found in report.errors() {
        let spots = lists.path_to(&found.pointer, restored.root(), [was.root(), wanted.root()]);
        // The value itself, or the innermost changed value around it.
        let (index, spot) = spots.iter().enumerate().rfind(|(_, spot)| spot.is_changed())?;
        let (at, edit) = match (spot.old, spot.new) {
            (Some(was), Some(_)) => (&spot.at, Edit::Set(spot.at.clone(), was.raw().to_owned())),
            (Some(was), None) => (&spot.at, Edit::Insert(spot.at.clone(), was.raw().to_owned())),
            (None, _) => {
                let at = outermost_new(spots.get(..=index).unwrap_or_default());
                (at, Edit::Remove(at.clone()))
            }
        };
        edits.insert(at.clone(), edit);
    }
    // Reverting a value reverts the edits inside it.
    let is_inside = |at: &Pointer| {
        let outer = |at: &Pointer| at.split_last().map(|(outer, _)| outer);
        let mut around = std::iter::successors(outer(at), outer);
        around.any(|outer| edits.contains_key(&outer))
    };
    let whole = edits.iter().filter(|(at, _)| !is_inside(at));
    let edits: Vec<Edit> = whole.map(|(_, edit)| edit.clone()).collect();
    ok_or_bug(json_text::apply(wanted, &edits))
}

/// A value on the path to a faulty one: its pointer, and the old and the new value.
struct EditSite<'d> {
    at: Pointer,
    old: Option<Node<'d>>,
    new: Option<Node<'d>>,
}

impl EditSite<'_> {
    fn is_changed(&self) -> bool {
        match (self.old, self.new) {
            (Some(was), Some(wanted)) => !was.same_value(wanted),
            (was, wanted) => was.is_some() != wanted.is_some(),
        }
    }
}

/// Returns the outermost new value that contains only the last one.
fn outermost_new<'s>(spots: &'s [EditSite<'_>]) -> &'s Pointer {
    let single = |spot: &EditSite<'_>| {
        let inside = |node: Node<'_>| node.elements().count() + node.members().count();
        spot.old.is_none() && spot.new.is_some_and(|node| inside(node) == 1)
    };
    let around = spots.iter().rev().skip(1).take_while(|spot| single(spot) && !spot.at.is_root());
    let last = spots.last().into_iter();
    last.chain(around).last().map_or(&ROOT, |spot| &spot.at)
}

static ROOT: Pointer = Pointer::root();

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
        let mut spots = vec![EditSite { at: Pointer::root(), old: Some(was), new: Some(wanted) }];
        for token in pointer.tokens() {
            let Some(EditSite { at, old: was, new: Some(wanted) }) = spots.last() else { break };
            let Some(next) = restored.at(&Pointer::root().push(&token)) else { break };
            let spot = if wanted.is_array() {
                let Some((place, origin)) = self.locate_element(next, *was, *wanted) else { break };
                let was = match origin {
                    ElementOrigin::Old(index) => was.and_then(|was| was.elements().nth(index)),
                    ElementOrigin::New => None,
                    ElementOrigin::Unknown => break,
                };
                let at = at.clone().push_index(place);
                EditSite { at, old: was, new: wanted.elements().nth(place) }
            } else {
                let was = was.and_then(|was| was.get(&token));
                EditSite { at: at.clone().push(&token), old: was, new: wanted.get(&token) }
            };
            spots.push(spot);
            restored = next;
        }
        spots
    }

    /// Returns the position of an element in an array of the new text, and its origin.
    fn locate_element(
        &mut self,
        element: Node<'_>,
        was: Option<Node<'_>>,
        wanted: Node<'_>,
    ) -> Option<(usize, ElementOrigin)> {
        let keys = self.keys;
        let list = self
            .arrays
            .entry(wanted.index())
            .or_insert_with(|| ArrayElements::of(was, wanted, keys));
        let place = *list.positions.get(&identity(element, keys))?;
        Some((place, *list.origins.get(place)?))
    }
}

impl ArrayElements {
    fn of(was: Option<Node<'_>>, wanted: Node<'_>, keys: &[&str]) -> Self {
        let identities = |array: Node<'_>| -> Vec<String> {
            array.elements().map(|element| identity(element, keys)).collect()
        };
        let (was, wanted) = (was.map(identities).unwrap_or_default(), identities(wanted));
        let there: BTreeSet<&String> = wanted.iter().collect();
        let all_there = was.iter().all(|one| there.contains(one));
        let known: BTreeMap<&String, usize> = was.iter().zip(0..).collect();
        let origin = |(place, one): (usize, &String)| match known.get(one) {
            Some(index) => ElementOrigin::Old(*index),
            None if all_there => ElementOrigin::New,
            // If the length is the same, the key or the value was changed.
            None if was.len() == wanted.len() => match was.get(place) {
                Some(other) if !there.contains(other) => ElementOrigin::Old(place),
                _ => ElementOrigin::Unknown,
            },
            None => ElementOrigin::Unknown,
        };
        let was = wanted.iter().enumerate().map(origin).collect();
        Self { origins: was, positions: wanted.into_iter().zip(0..).collect() }
    }
}

/// Returns the identity of an array element: the first of the keys that it has, otherwise
/// its value.
fn identity(element: Node<'_>, keys: &[&str]) -> String {
    let key = keys.iter().find_map(|key| {
        let value = key.split('/').try_fold(element, Node::get)?;
        Some(format!("{key} {}", value.text()?))
    });
    key.unwrap_or_else(|| compact(element))
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
