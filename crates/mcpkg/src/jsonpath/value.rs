//! Values in a filter and their comparison: RFC 9535, section 2.3.5.2.2.

use std::borrow::Cow;

use manifest_core::json::{Kind, Node, Number};

/// A value in a filter. If a value may be missing, `None` is the RFC's "Nothing".
#[derive(Clone, Debug)]
pub(super) enum Value<'v> {
    Null,
    Bool(bool),
    Number(Number<'v>),
    Text(Cow<'v, str>),
    /// An array or an object.
    Container(Node<'v>),
}

impl<'v> Value<'v> {
    pub(super) fn of(node: Node<'v>) -> Self {
        if matches!(node.kind(), Kind::Array | Kind::Object) {
            Self::Container(node)
        } else if let Some(text) = node.text() {
            Self::Text(text)
        } else if let Some(number) = node.number() {
            Self::Number(number)
        } else {
            node.bool().map_or(Self::Null, Self::Bool)
        }
    }

    /// Returns the same value without copying its text.
    pub(super) fn borrowed(&self) -> Value<'_> {
        match self {
            Self::Text(text) => Value::Text(Cow::Borrowed(text)),
            other => other.clone(),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    pub(super) fn holds(self, left: Option<&Value<'_>>, right: Option<&Value<'_>>) -> bool {
        match self {
            Self::Equal => equal(left, right),
            Self::NotEqual => !equal(left, right),
            Self::Less => less(left, right),
            Self::LessOrEqual => less(left, right) || equal(left, right),
            Self::Greater => less(right, left),
            Self::GreaterOrEqual => less(right, left) || equal(left, right),
        }
    }
}

/// Returns the number of bytes that a comparison reads. Scalars do not count.
pub(super) fn bytes_compared(left: Option<&Value<'_>>, right: Option<&Value<'_>>) -> usize {
    match (left, right) {
        (Some(Value::Container(left)), Some(Value::Container(right))) => {
            left.raw().len() + right.raw().len()
        }
        _ => 0,
    }
}

fn equal(left: Option<&Value<'_>>, right: Option<&Value<'_>>) -> bool {
    match (left, right) {
        (None, None) | (Some(Value::Null), Some(Value::Null)) => true,
        (Some(Value::Bool(left)), Some(Value::Bool(right))) => left == right,
        (Some(Value::Number(left)), Some(Value::Number(right))) => left == right,
        (Some(Value::Text(left)), Some(Value::Text(right))) => left == right,
        (Some(Value::Container(left)), Some(Value::Container(right))) => left.same_value(*right),
        _ => false,
    }
}

/// Only numbers and strings have an order. Strings compare by character, which is also the
/// order of their UTF-8 bytes.
fn less(left: Option<&Value<'_>>, right: Option<&Value<'_>>) -> bool {
    match (left, right) {
        (Some(Value::Number(left)), Some(Value::Number(right))) => left < right,
        (Some(Value::Text(left)), Some(Value::Text(right))) => left < right,
        _ => false,
    }
}
