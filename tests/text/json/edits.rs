//! Edits by splice, against the same edits on another library's tree.

use diagnostic::Pointer;
use diagnostic::Span;
use json_text::{Document, Edit, EditError, Node, apply};
use proptest::prelude::*;
use serde_json::Value;

use super::generate::{Choices, document, value};
use super::{parse, to_value};

pub(crate) fn random_edit(document: &Document<'_>, choices: &mut Choices<'_>) -> Edit {
    let nodes: Vec<Node<'_>> = document.root().descendants().collect();
    let node = nodes[choices.below(nodes.len())];
    let (pointer, new) = (node.pointer(), value(choices, 1));
    match choices.below(6) {
        0 | 1 => Edit::Set(pointer, new),
        2 => Edit::Remove(pointer),
        _ if node.is_array() => {
            let places = node.elements().count() + 2;
            match choices.below(places + 1) {
                0 => Edit::Insert(pointer.push("-"), new),
                place => Edit::Insert(pointer.push_index(place - 1), new),
            }
        }
        _ => Edit::Insert(pointer.push(choices.of(&["new", "a", "", "x/y"])), new),
    }
}

/// The value that an edit changes: itself, or the container that it adds to.
fn changed(edit: &Edit) -> Pointer {
    match edit {
        Edit::Set(pointer, _) | Edit::Remove(pointer) => pointer.clone(),
        Edit::Insert(pointer, _) => parent(pointer).0,
    }
}

fn parent(pointer: &Pointer) -> (Pointer, String) {
    let (parent, token) = pointer.split_last().unwrap();
    (parent, token.into_owned())
}

/// The items that a container has after the edits: old ones by their index, new
/// ones as written.
enum Item<'e> {
    Old(usize),
    New(Option<String>, &'e str),
}

fn items<'e>(old: Node<'_>, edits: &'e [Edit]) -> Vec<Item<'e>> {
    let names: Vec<String> = old.members().map(|m| m.name().into_owned()).collect();
    let count = names.len() + old.elements().count();
    let mut items = Vec::new();
    for index in 0..=count {
        for edit in edits {
            let Edit::Insert(pointer, text) = edit else {
                continue;
            };
            let (container, token) = parent(pointer);
            if container != old.pointer() {
                continue;
            }
            if old.is_object() && index == count {
                items.push(Item::New(Some(token), text));
            } else if old.is_array()
                && (token == index.to_string() || (token == "-" && index == count))
            {
                items.push(Item::New(None, text));
            }
        }
        let pointer = match names.get(index) {
            Some(name) => old.pointer().push(name),
            None => old.pointer().push_index(index),
        };
        if index < count && !edits.contains(&Edit::Remove(pointer)) {
            items.push(Item::Old(index));
        }
    }
    items
}

/// The value that the edits make of a value.
fn edited(old: Node<'_>, edits: &[Edit]) -> Value {
    let pointer = old.pointer();
    for edit in edits {
        if let Edit::Set(place, new) = edit
            && *place == pointer
        {
            return serde_json::from_str(new).unwrap();
        }
    }
    let members: Vec<_> = old.members().collect();
    let elements: Vec<_> = old.elements().collect();
    let items = items(old, edits).into_iter();
    if old.is_object() {
        let member = |item| match item {
            Item::Old(index) => {
                let member: &json_text::Member<'_> = &members[index];
                (member.name().into_owned(), edited(member.value, edits))
            }
            Item::New(name, text) => (name.unwrap(), serde_json::from_str(text).unwrap()),
        };
        items.map(member).collect()
    } else if old.is_array() {
        let element = |item| match item {
            Item::Old(index) => edited(elements[index], edits),
            Item::New(_, text) => serde_json::from_str(text).unwrap(),
        };
        items.map(element).collect()
    } else {
        to_value(old)
    }
}

/// Whether every edit has a place, and no two are about the same one.
fn possible(document: &Document<'_>, edits: &[Edit]) -> bool {
    let placed = edits.iter().all(|edit| match edit {
        Edit::Set(..) => true,
        Edit::Remove(pointer) => !pointer.is_root(),
        Edit::Insert(pointer, _) => {
            let (container, token) = parent(pointer);
            let container = document.root().at(&container).unwrap();
            let index = token.parse().unwrap_or(0);
            (container.is_object() && container.get(&token).is_none())
                || (container.is_array() && index <= container.elements().count())
        }
    });
    let apart = |a: &Edit, b: &Edit| match (a, b) {
        (Edit::Insert(a, _), Edit::Insert(b, _)) => {
            a != b || document.root().at(&parent(a).0).is_none_or(Node::is_array)
        }
        (Edit::Insert(..), _) => true,
        _ => changed(b).strip_prefix(&changed(a)).is_none(),
    };
    let pairs = |i: usize| edits.iter().enumerate().filter(move |(j, _)| *j != i);
    placed && edits.iter().enumerate().all(|(i, a)| pairs(i).all(|(_, b)| apart(a, b)))
}

/// The bytes of an item, with its name.
fn spans(container: Node<'_>) -> Vec<(Span, Node<'_>)> {
    let members = container.members().map(|m| {
        let (start, end) = (m.key.span().start, m.value.span().end);
        (Span { start, end }, m.value)
    });
    let elements = container.elements().map(|e| (e.span(), e));
    members.chain(elements).collect()
}

/// What no edit is about has its old bytes: values, names, and the white space
/// between neighbours.
fn check_bytes(old: Node<'_>, new: Node<'_>, texts: (&str, &str), edits: &[Edit]) {
    let pointer = old.pointer();
    if !edits.iter().any(|edit| changed(edit).strip_prefix(&pointer).is_some()) {
        assert_eq!(old.raw(), new.raw());
        return;
    }
    for edit in edits {
        if let Edit::Set(place, value) = edit
            && *place == pointer
        {
            assert_eq!(new.raw(), value);
            return;
        }
    }
    let items = items(old, edits);
    let (before, after) = (spans(old), spans(new));
    assert_eq!(items.len(), after.len());
    for (item, (span, value)) in items.iter().zip(&after) {
        match item {
            Item::New(_, text) => assert_eq!(value.raw(), *text),
            Item::Old(index) => {
                let (old_span, old_value) = before[*index];
                let name = &texts.0[old_span.start..old_value.span().start];
                assert_eq!(name, &texts.1[span.start..value.span().start]);
                check_bytes(old_value, *value, texts, edits);
            }
        }
    }
    for (pair, spans) in items.windows(2).zip(after.windows(2)) {
        if let [Item::Old(a), Item::Old(b)] = pair
            && a + 1 == *b
        {
            let gap = &texts.0[before[*a].0.end..before[*b].0.start];
            assert_eq!(gap, &texts.1[spans[0].0.end..spans[1].0.start]);
        }
    }
    if let (Some(Item::Old(0)), Some((first, _))) = (items.first(), after.first()) {
        let gap = &texts.0[old.span().start..before[0].0.start];
        assert_eq!(gap, &texts.1[new.span().start..first.start]);
    }
    if let (Some(Item::Old(index)), Some((last, _))) = (items.last(), after.last())
        && index + 1 == before.len()
    {
        let gap = &texts.0[before[*index].0.end..old.span().end];
        assert_eq!(gap, &texts.1[last.end..new.span().end]);
    }
}

proptest! {
    #![proptest_config(toolglot_tests::random(2000))]

    #[test]
    fn edits_agree_with_a_tree(
        bytes in prop::collection::vec(any::<u8>(), 0..160),
        how in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let text = document(&mut Choices::new(&bytes));
        let old = parse(&text);
        let mut choices = Choices::new(&how);
        let edits: Vec<Edit> = (0..=choices.below(4))
            .map(|_| random_edit(&old, &mut choices))
            .collect();
        let result = apply(&old, &edits);
        prop_assert_eq!(result.is_ok(), possible(&old, &edits), "{:?} {:?}", result, edits);
        if let Ok(new_text) = result {
            let new = parse(&new_text);
            prop_assert_eq!(to_value(new.root()), edited(old.root(), &edits), "{}", new_text);
            check_bytes(old.root(), new.root(), (&text, &new_text), &edits);
            let (a, b) = (old.root().span(), new.root().span());
            prop_assert_eq!(&text[..a.start], &new_text[..b.start]);
            prop_assert_eq!(&text[a.end..], &new_text[b.end..]);
        }
    }
}

/// Text, edits, and what comes out.
#[test]
fn layout_of_what_is_new() {
    let at = |text| Pointer::parse(text).unwrap();
    let insert = |place, value: &str| Edit::Insert(at(place), value.to_owned());
    for (text, edits, expected) in [
        ("[]", vec![insert("/-", "1")], "[1]"),
        ("[ ]", vec![insert("/0", "1")], "[1]"),
        ("{\"a\":1}", vec![insert("/b", "2")], "{\"a\":1,\"b\": 2}"),
        (
            "{\n    \"a\": 1\n}\n",
            vec![insert("/b", "2"), insert("/c", "3")],
            "{\n    \"a\": 1,\n    \"b\": 2,\n    \"c\": 3\n}\n",
        ),
        (
            "{\n  \"a\": []\n}",
            vec![insert("/a/-", "1"), insert("/a/-", "2")],
            "{\n  \"a\": [\n    1,\n    2\n  ]\n}",
        ),
        ("[1, 2, 3]", vec![Edit::Remove(at("/0")), Edit::Remove(at("/2"))], "[2]"),
        ("[1, 2,  3]", vec![Edit::Remove(at("/1")), insert("/1", "9")], "[1, 9,  3]"),
        ("{\"a\": 1, \"b\": 2}", vec![Edit::Remove(at("/a"))], "{\"b\": 2}"),
        ("[ 1 ]", vec![Edit::Remove(at("/0"))], "[]"),
        (" 1 ", vec![Edit::Set(at(""), "[2]".to_owned())], " [2] "),
    ] {
        assert_eq!(apply(&parse(text), &edits).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn edits_that_cannot_be_made() {
    let at = |text| Pointer::parse(text).unwrap();
    let one = || "1".to_owned();
    let text = "{\"a\":[1,{\"b\":2}]}";
    for (edits, expected) in [
        (vec![Edit::Set(at("/x"), one())], EditError::NoPlace(at("/x"))),
        (vec![Edit::Remove(at(""))], EditError::NoPlace(at(""))),
        (vec![Edit::Remove(at("/a/2"))], EditError::NoPlace(at("/a/2"))),
        (vec![Edit::Remove(at("/a/00"))], EditError::NoPlace(at("/a/00"))),
        (vec![Edit::Remove(at("/a/-"))], EditError::NoPlace(at("/a/-"))),
        (vec![Edit::Insert(at("/a/3"), one())], EditError::NoPlace(at("/a/3"))),
        (vec![Edit::Insert(at("/a/0/x"), one())], EditError::NoPlace(at("/a/0/x"))),
        (vec![Edit::Insert(at("/a"), one())], EditError::Exists(at("/a"))),
        (
            vec![Edit::Insert(at("/x"), one()), Edit::Insert(at("/x"), one())],
            EditError::Exists(at("/x")),
        ),
        (vec![Edit::Set(at("/a"), String::new())], EditError::NotJson(at("/a"))),
        (vec![Edit::Set(at("/a"), "1,2".into())], EditError::NotJson(at("/a"))),
        (vec![Edit::Insert(at("/x"), "{\"a\":1,\"a\":1}".into())], EditError::NotJson(at("/x"))),
        (
            vec![Edit::Set(at("/a"), one()), Edit::Set(at("/a/0"), one())],
            EditError::Overlap(at("/a")),
        ),
        (
            vec![Edit::Remove(at("/a/1")), Edit::Insert(at("/a/1/c"), one())],
            EditError::Overlap(at("")),
        ),
    ] {
        assert_eq!(apply(&parse(text), &edits), Err(expected), "{edits:?}");
    }
}
