//! Readers of JSON values that report no problems; the checks do that.
//!
//! A reader returns `None` if a value has the wrong type, and its caller passes that on. So
//! a typed document has all required members, each of the right type.

use manifest_core::descriptor::{ErrorEnvelope, OutputFormat, SideEffects};
use manifest_core::json::{Node, Number, Raw};
use manifest_core::{KeyedList, Text};

/// A value that can be read from JSON.
pub(super) trait Decode<'a>: Sized {
    /// Returns `None` if the value has the wrong type.
    fn decode(node: Node<'a>) -> Option<Self>;
}

impl<'a> Decode<'a> for Node<'a> {
    fn decode(node: Node<'a>) -> Option<Self> {
        Some(node)
    }
}

impl<'a> Decode<'a> for Text<'a> {
    fn decode(node: Node<'a>) -> Option<Self> {
        node.text()
    }
}

impl<'a> Decode<'a> for Number<'a> {
    fn decode(node: Node<'a>) -> Option<Self> {
        node.number()
    }
}

impl<'a> Decode<'a> for bool {
    fn decode(node: Node<'a>) -> Option<Self> {
        node.bool()
    }
}

/// Any value.
impl<'a> Decode<'a> for Raw<'a> {
    fn decode(node: Node<'a>) -> Option<Self> {
        Some(Raw::from_node(node))
    }
}

impl<'a, T: Decode<'a>> Decode<'a> for Option<T> {
    fn decode(node: Node<'a>) -> Option<Self> {
        T::decode(node).map(Some)
    }
}

impl<'a, T: Decode<'a>> Decode<'a> for Vec<T> {
    fn decode(node: Node<'a>) -> Option<Self> {
        // Elements may be large, so reserve space for a short list at once.
        let mut list = Vec::with_capacity(node.elements().take(64).count());
        for element in node.elements() {
            list.push(T::decode(element)?);
        }
        node.is_array().then_some(list)
    }
}

impl<'a, T: Decode<'a>> Decode<'a> for KeyedList<'a, T> {
    fn decode(node: Node<'a>) -> Option<Self> {
        if !node.is_object() {
            return None;
        }
        node.members().map(|member| Some((member.name(), T::decode(member.value)?))).collect()
    }
}

/// Implements [`Decode`] for enums with a text for each variant.
macro_rules! decode_words {
    ($($name:ty),+ $(,)?) => {
        $(impl<'a> $crate::manifest::decode::Decode<'a> for $name {
            fn decode(node: ::manifest_core::json::Node<'a>) -> Option<Self> {
                Self::from_word(&node.text()?)
            }
        })+
    };
}

decode_words!(ErrorEnvelope, OutputFormat, SideEffects);

/// Implements [`Decode`] for a struct whose fields are named like the members. List the
/// members in the specification's order, each with its kind: `required`, `optional` (the
/// field has its default if the member is missing), or `object` (optional, an object of any
/// shape).
macro_rules! decode_members {
    ($name:ty { $($kind:ident $field:ident),+ $(,)? }) => {
        impl<'a> $crate::manifest::decode::Decode<'a> for $name {
            fn decode(node: ::manifest_core::json::Node<'a>) -> Option<Self> {
                let names = [$(stringify!($field)),+];
                let [$($field),+] = $crate::manifest::decode::members(node, &names)?;
                Some(Self { $($field: $crate::manifest::decode::$kind($field)?),+ })
            }
        }
    };
}

pub(super) use {decode_members, decode_words};

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
    if object.is_object() { Some(found) } else { None }
}

/// Reads a required member.
pub(super) fn required<'a, T: Decode<'a>>(node: Option<Node<'a>>) -> Option<T> {
    T::decode(node?)
}

/// Reads a member, or returns the default if it is missing.
pub(super) fn optional<'a, T: Decode<'a> + Default>(node: Option<Node<'a>>) -> Option<T> {
    match node {
        Some(node) => T::decode(node),
        None => Some(T::default()),
    }
}

/// Reads an optional object of any shape.
#[allow(clippy::option_option)] // the outer one is failure
pub(super) fn object(node: Option<Node<'_>>) -> Option<Option<Raw<'_>>> {
    match node {
        Some(node) => node.is_object().then(|| Some(Raw::from_node(node))),
        None => Some(None),
    }
}
