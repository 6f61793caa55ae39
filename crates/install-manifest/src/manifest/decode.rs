//! Readers of JSON values that report no problems; the checks do that.
//!
//! Each function returns `None` if a value has the wrong type, and its caller passes that
//! on. So a typed document has all required members, each of the right type.

use manifest_core::json::{Node, Number, Raw};
use manifest_core::{KeyedList, Text};

/// Returns the members with these names, or `None` if the node is not an object.
pub(super) fn members<'a, const N: usize>(
    object: Node<'a>,
    names: &[&str; N],
) -> Option<[Option<Node<'a>>; N]> {
    let mut found = [None; N];
    // Most documents have their members in the specification's order, so the next name is
    // tried first.
    let mut next = 0;
    for member in object.members() {
        if let Some(index) = member.position_in(names, |name| name, next) {
            next = index + 1;
            *found.get_mut(index)? = Some(member.value);
        }
    }
    object.is_object().then_some(found)
}

/// Reads a member if it is present.
#[allow(clippy::option_option)] // the outer one is failure
pub(super) fn optional<'a, T>(
    node: Option<Node<'a>>,
    read: impl FnOnce(Node<'a>) -> Option<T>,
) -> Option<Option<T>> {
    match node {
        Some(node) => read(node).map(Some),
        None => Some(None),
    }
}

/// Reads the elements of an array. A missing array is empty.
pub(super) fn list<'a, T>(
    node: Option<Node<'a>>,
    mut read: impl FnMut(Node<'a>) -> Option<T>,
) -> Option<Vec<T>> {
    let Some(node) = node else { return Some(Vec::new()) };
    // Elements may be large, so reserve space for a short list at once.
    let mut list = Vec::with_capacity(node.elements().take(64).count());
    for element in node.elements() {
        list.push(read(element)?);
    }
    node.is_array().then_some(list)
}

/// Reads the members of an object with any names. A missing object is empty.
pub(super) fn map<'a, T>(
    node: Option<Node<'a>>,
    read: impl Fn(Node<'a>) -> Option<T>,
) -> Option<KeyedList<'a, T>> {
    let Some(node) = node else { return Some(KeyedList::default()) };
    let entries = node.members().map(|member| Some((member.name(), read(member.value)?)));
    node.is_object().then(|| entries.collect())?
}

/// Reads an optional string.
#[allow(clippy::option_option)]
pub(super) fn text(node: Option<Node<'_>>) -> Option<Option<Text<'_>>> {
    optional(node, Node::text)
}

/// Reads an array of strings. A missing array is empty.
pub(super) fn texts(node: Option<Node<'_>>) -> Option<Vec<Text<'_>>> {
    list(node, Node::text)
}

/// Reads an optional number.
#[allow(clippy::option_option)]
pub(super) fn number(node: Option<Node<'_>>) -> Option<Option<Number<'_>>> {
    optional(node, Node::number)
}

/// Reads an optional object of any shape.
#[allow(clippy::option_option)]
pub(super) fn object(node: Option<Node<'_>>) -> Option<Option<Raw<'_>>> {
    optional(node, |node| node.is_object().then(|| Raw::from_node(node)))
}

/// Reads a value of an enumeration.
pub(super) fn word<T>(node: Node<'_>, from: impl Fn(&str) -> Option<T>) -> Option<T> {
    from(&node.text()?)
}
