//! Differences between two JSON values, as data that can be applied again.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use super::list;
use crate::json::{
    Document, Edit, EditError, Kind, Node, Raw, apply, compact, compact_ordered, present, quote,
};
use crate::{Limits, Pointer};

/// One difference, at one place. What it has says what it is:
///
/// | `was` | `value` | `order` | meaning |
/// |---|---|---|---|
/// |   | ✓ |   | add the value, where there is none; to an object that is there, add what it lacks |
/// | ✓ |   |   | remove the value, where it is still what it was |
/// | ✓ | ✓ |   | replace the value, where it is still what it was |
/// |   |   | ✓ | put the members into that order |
///
/// An operation that does not find what it expects is not made: an edit to that
/// place is newer, and wins. In a list of scalars, what was not edited is put back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::exhaustive_structs)]
pub struct Op {
    /// The place. In an array, `name=value` is the element with that member, and
    /// `=value` is that string.
    pub at: Pointer,
    /// What is expected there.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub was: Option<Raw<'static>>,
    /// What is to be there.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub value: Option<Raw<'static>>,
    /// The names of the object's members, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
}

impl Op {
    fn add(at: Pointer, value: Node<'_>) -> Self {
        Self { at, value: Some(keep(value)), ..Self::default() }
    }

    fn remove(at: Pointer, was: Node<'_>) -> Self {
        Self { at, was: Some(keep(was)), ..Self::default() }
    }

    fn replace(at: Pointer, was: Node<'_>, value: Node<'_>) -> Self {
        Self { at, was: Some(keep(was)), value: Some(keep(value)), ..Self::default() }
    }

    /// The operation with its place below `prefix`.
    #[must_use]
    pub fn below(self, prefix: &Pointer) -> Self {
        Self { at: prefix.clone().join(&self.at), ..self }
    }

    /// Whether the place is still as the operation expects it.
    fn applies_to(&self, root: Node<'_>, at: &Pointer, limits: &Limits) -> bool {
        let found = root.at(at);
        match (&self.was, found) {
            (Some(was), Some(found)) => Document::parse(was.as_str().as_bytes(), limits)
                .is_ok_and(|was| found.same_value(was.root())),
            (None, None) => at.split_last().is_some_and(|(parent, _)| {
                self.value.is_some() && root.at(&parent).is_some_and(Node::is_object)
            }),
            _ => false,
        }
    }
}

fn keep(node: Node<'_>) -> Raw<'static> {
    Raw::from_built(compact(node))
}

/// What is compared, and how deep.
pub(crate) struct Compare<'c> {
    /// Members that identify an element of an array.
    pub(crate) identity: &'c [&'c str],
    /// Values to leave alone, with all that is inside them.
    pub(crate) skip: &'c dyn Fn(Node<'_>) -> bool,
    /// Whether the order of the outermost members matters.
    pub(crate) order: bool,
    /// Members that make an object another thing when they differ. It is replaced
    /// as a whole, so that an edit to a part of one is never mixed with the rest
    /// of the other.
    pub(crate) essence: &'c [&'c str],
}

/// What it takes to turn `from` into `to`.
///
/// Applying the result to `from` gives `to` again: the same tree, in the same
/// order, with the same spelling of numbers.
pub(crate) fn diff(from: Node<'_>, to: Node<'_>, compare: &Compare<'_>) -> Vec<Op> {
    let mut ops = Vec::new();
    let mut pending = VecDeque::from([(Pointer::root(), from, to)]);
    while let Some((at, from, to)) = pending.pop_front() {
        if (compare.skip)(from) || from.raw() == to.raw() {
            continue;
        }
        match (from.kind(), to.kind()) {
            // What is compared as a whole is the same thing, whatever it says. So are
            // extras: each format has its own.
            (Kind::Object, Kind::Object)
                if at.is_root()
                    || at.as_str() == "/extras"
                    || same_thing(from, to, compare.essence) =>
            {
                members(&at, from, to, &mut ops, &mut pending);
                if !compare.order && at.is_root() {
                    ops.retain(|op| op.order.is_empty());
                }
            }
            (Kind::Array, Kind::Array) => match elements(&at, from, to, compare) {
                Some(pairs) => pending.extend(pairs),
                None if compact(from) != compact(to) => ops.push(Op::replace(at, from, to)),
                None => {}
            },
            (Kind::String, Kind::String) if from.text() == to.text() => {}
            _ if compact(from) != compact(to) => ops.push(Op::replace(at, from, to)),
            _ => {}
        }
    }
    ops
}

/// Elements that can be told apart are compared one by one, and addressed by
/// what tells them apart: their place may change. Other arrays are compared as
/// a whole.
#[allow(clippy::type_complexity)] // a list of pairs with their place
fn elements<'a, 'b>(
    at: &Pointer,
    from: Node<'a>,
    to: Node<'b>,
    compare: &Compare<'_>,
) -> Option<Vec<(Pointer, Node<'a>, Node<'b>)>> {
    if from.elements().count() != to.elements().count() {
        return None;
    }
    let pairs = from.elements().zip(to.elements());
    if from.elements().any(compare.skip) {
        let pairs = pairs.enumerate();
        return Some(pairs.map(|(i, (from, to))| (at.clone().push_index(i), from, to)).collect());
    }
    let mut seen = BTreeSet::new();
    pairs
        .map(|(from, to)| {
            let selector = selector(from, compare.identity)?;
            let same_kind = from.kind() == to.kind() && !to.is_array();
            let same =
                !to.is_object() || Some(&selector) == self::selector(to, compare.identity).as_ref();
            let place = at.clone().push(&selector);
            (same_kind && same && seen.insert(selector)).then_some((place, from, to))
        })
        .collect()
}

/// How an operation addresses an element: `name=value` for an object with that
/// member, `=value` for a string.
fn selector(node: Node<'_>, identity: &[&str]) -> Option<String> {
    if let Some(text) = node.text() {
        return Some(format!("={text}"));
    }
    identity.iter().find_map(|name| Some(format!("{name}={}", node.identity(name)?)))
}

/// The RFC 6901 pointer of the place that an operation addresses.
fn resolve(root: Node<'_>, at: &Pointer) -> Option<Pointer> {
    let mut node = Some(root);
    let mut resolved = Pointer::root();
    for token in at.tokens() {
        let chosen = node.filter(|node| node.is_array()).and_then(|array| {
            let (name, value) = token.split_once('=')?;
            let is = |element: Node<'_>| {
                let found = if name.is_empty() { element.text() } else { element.identity(name) };
                found.is_some_and(|text| text == value)
            };
            array.elements().position(is)
        });
        resolved = match chosen {
            Some(index) => resolved.push_index(index),
            None => resolved.push(&token),
        };
        let (_, last) = resolved.split_last()?;
        node = node.and_then(|node| node.at(&Pointer::root().push(&last)));
    }
    Some(resolved)
}

/// Objects that have no member in common are two variants of a choice: one is
/// replaced by the other as a whole. So are those that differ in their essence.
pub(super) fn same_thing(from: Node<'_>, to: Node<'_>, essence: &[&str]) -> bool {
    let empty = |node: Node<'_>| node.members().next().is_none();
    let names = to.index_members();
    let shared = |name: &str| names.get(name).is_some();
    let differs = |name: &&str| {
        let pair = from.get(name).zip(to.get(name));
        pair.is_some_and(|(from, to)| !from.same_value(to))
    };
    (empty(from) || empty(to) || from.members().any(|member| shared(&member.name())))
        && !essence.iter().any(differs)
}

fn members<'a, 'b>(
    at: &Pointer,
    from: Node<'a>,
    to: Node<'b>,
    ops: &mut Vec<Op>,
    pending: &mut VecDeque<(Pointer, Node<'a>, Node<'b>)>,
) {
    let (old, new) = (from.index_members(), to.index_members());
    // The order in which applying the operations would leave the members.
    let mut order = Vec::new();
    for member in from.members() {
        let name = member.name();
        let place = at.clone().push(&name);
        match new.get(&name) {
            Some(value) => {
                order.push(name);
                pending.push_back((place, member.value, value));
            }
            None => ops.push(Op::remove(place, member.value)),
        }
    }
    for member in to.members() {
        let name = member.name();
        if old.get(&name).is_none() {
            ops.push(Op::add(at.clone().push(&name), member.value));
            order.push(name);
        }
    }
    if !order.iter().eq(to.members().map(|member| member.name()).collect::<Vec<_>>().iter()) {
        let order = to.members().map(|member| member.name().into_owned()).collect();
        ops.push(Op { at: at.clone(), order, ..Op::default() });
    }
}

/// Makes those operations that still apply, and lays the text out compactly.
///
/// A value to be added may find that the object it belongs into is gone, or that
/// its own place is taken by an object. Then the objects on the way are made, or
/// what that object lacks is added, but only if the outcome `fits`.
pub(crate) fn apply_ops(
    document: &Document<'_>,
    ops: &[Op],
    limits: &Limits,
    fits: impl Fn(&str) -> bool,
) -> Result<String, EditError> {
    let root = document.root();
    let mut edits = Vec::new();
    let mut displaced = Vec::new();
    for op in ops.iter().filter(|op| op.order.is_empty()) {
        let Some(at) = resolve(root, &op.at) else {
            continue;
        };
        let applies = op.applies_to(root, &at, limits);
        match (&op.was, &op.value) {
            (None, Some(value)) if !applies => displaced.push((at, value)),
            (Some(was), Some(value)) if !applies => {
                let merged = root.at(&at).and_then(|now| merged_list(was, value, now, limits));
                edits.extend(merged.map(|text| Edit::Set(at, text)));
            }
            _ if !applies => {}
            (None, Some(value)) => edits.push(Edit::Insert(at, value.as_str().to_owned())),
            (_, Some(value)) => edits.push(Edit::Set(at, value.as_str().to_owned())),
            (_, None) => edits.push(Edit::Remove(at)),
        }
    }
    let mut edited = apply(document, &edits)?;
    for (at, value) in displaced {
        if let Some(grafted) = graft(&edited, &at, value, limits).filter(|text| fits(text)) {
            edited = grafted;
        }
    }
    let Ok(reread) = Document::parse(edited.as_bytes(), limits) else {
        return Ok(edited);
    };
    let root = reread.root();
    let orders = ops.iter().filter(|op| !op.order.is_empty());
    let orders: BTreeMap<usize, &[String]> = orders
        .filter_map(|op| {
            let object = root.at(&resolve(root, &op.at)?)?;
            Some((object.span().start, op.order.as_slice()))
        })
        .collect();
    Ok(compact_ordered(root, &orders))
}

/// The list that an edited one stands for.
fn merged_list(was: &Raw<'_>, value: &Raw<'_>, now: Node<'_>, limits: &Limits) -> Option<String> {
    let was = Document::parse(was.as_str().as_bytes(), limits).ok()?;
    let value = Document::parse(value.as_str().as_bytes(), limits).ok()?;
    list::merged(was.root(), value.root(), now)
}

/// The text with what it lacks of a value at a place, if there are only objects
/// on the way.
fn graft(text: &str, at: &Pointer, value: &Raw<'_>, limits: &Limits) -> Option<String> {
    let document = Document::parse(text.as_bytes(), limits).ok()?;
    let mut value = value.as_str().to_owned();
    let mut place = at.clone();
    while document.root().at(&place).is_none() {
        let (parent, token) = place.split_last()?;
        match document.root().at(&parent) {
            Some(node) if !node.is_object() => return None,
            Some(_) => return apply(&document, &[Edit::Insert(place, value)]).ok(),
            None => value = format!("{{{}:{value}}}", quote(&token)),
        }
        place = parent;
    }
    let value = Document::parse(value.as_bytes(), limits).ok()?;
    let mut edits = Vec::new();
    let mut pending = vec![(place, document.root().at(at)?, value.root())];
    while let Some((place, there, value)) = pending.pop() {
        for member in value.members() {
            let place = place.clone().push(&member.name());
            match there.get(&member.name()) {
                Some(there) if there.is_object() => pending.push((place, there, member.value)),
                Some(_) => {}
                None => edits.push(Edit::Insert(place, member.value.raw().to_owned())),
            }
        }
    }
    if edits.is_empty() {
        return None;
    }
    apply(&document, &edits).ok()
}
