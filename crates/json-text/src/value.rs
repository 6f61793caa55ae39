//! The value of a node, with its kind.

use std::borrow::Cow;

use crate::{Elements, Members, Number};

/// A value with its kind. See [`Node::value`](crate::Node::value).
#[derive(Clone, Debug)]
pub enum NodeValue<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number<'a>),
    /// A string.
    String(Cow<'a, str>),
    /// The elements of an array.
    Array(Elements<'a>),
    /// The members of an object.
    Object(Members<'a>),
}
