//! Taking JSON apart, without a word about what is wrong: the checks say it.
//!
//! Every function gives nothing for a value of the wrong type, and a reader that
//! gets nothing gives nothing itself. So a typed document is one whose required
//! members are all there, with the right types.

use manifest_core::json::{Node, Number, Raw};
use manifest_core::{Keyed, Text};

/// The members with these names.
pub(super) fn members<'a, const N: usize>(
    object: Node<'a>,
    names: &[&str; N],
) -> Option<[Option<Node<'a>>; N]> {
    let mut found = [None; N];
    // Most documents have their members in the order of the specification.
    let mut next = 0;
    for member in object.members() {
        if let Some(index) = member.position(names, |name| name, next) {
            next = index + 1;
            *found.get_mut(index)? = Some(member.value);
        }
    }
    object.is_object().then_some(found)
}

/// A member that may be absent: read, if it is there.
#[allow(clippy::option_option)] // the outer one is failure
pub(super) fn maybe<'a, T>(
    node: Option<Node<'a>>,
    read: impl FnOnce(Node<'a>) -> Option<T>,
) -> Option<Option<T>> {
    match node {
        Some(node) => read(node).map(Some),
        None => Some(None),
    }
}

/// The elements of an array that may be absent.
pub(super) fn list<'a, T>(
    node: Option<Node<'a>>,
    mut read: impl FnMut(Node<'a>) -> Option<T>,
) -> Option<Vec<T>> {
    let Some(node) = node else { return Some(Vec::new()) };
    // Elements may be large: room for all of them at once, as far as there are few.
    let mut list = Vec::with_capacity(node.elements().take(64).count());
    for element in node.elements() {
        list.push(read(element)?);
    }
    node.is_array().then_some(list)
}

/// The members of an object with any names, which may be absent.
pub(super) fn map<'a, T>(
    node: Option<Node<'a>>,
    read: impl Fn(Node<'a>) -> Option<T>,
) -> Option<Keyed<'a, T>> {
    let Some(node) = node else { return Some(Keyed::default()) };
    let entries = node.members().map(|member| Some((member.name(), read(member.value)?)));
    node.is_object().then(|| entries.collect())?
}

/// A string that may be absent.
#[allow(clippy::option_option)]
pub(super) fn text(node: Option<Node<'_>>) -> Option<Option<Text<'_>>> {
    maybe(node, Node::text)
}

/// Strings.
pub(super) fn texts(node: Option<Node<'_>>) -> Option<Vec<Text<'_>>> {
    list(node, Node::text)
}

/// A number that may be absent.
#[allow(clippy::option_option)]
pub(super) fn number(node: Option<Node<'_>>) -> Option<Option<Number<'_>>> {
    maybe(node, Node::number)
}

/// An object of any shape that may be absent.
#[allow(clippy::option_option)]
pub(super) fn object(node: Option<Node<'_>>) -> Option<Option<Raw<'_>>> {
    maybe(node, |node| node.is_object().then(|| Raw::from_node(node)))
}

/// One of a closed set of words.
pub(super) fn word<T>(node: Node<'_>, from: impl Fn(&str) -> Option<T>) -> Option<T> {
    from(&node.text()?)
}
