//! Sets of types.

use json_text::{Kind, Node};

/// A set of types. Numbers with a fraction are a separate type, so `number` is two types
/// and `integer` is one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Types(u8);

impl Types {
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOL: Self = Self(2);
    pub(super) const INTEGER: Self = Self(4);
    pub(super) const FRACTION: Self = Self(8);
    pub(super) const STRING: Self = Self(16);
    pub(super) const ARRAY: Self = Self(32);
    pub(super) const OBJECT: Self = Self(64);
    pub(super) const NUMBER: Self = Self(12);
    pub(super) const ALL: Self = Self(127);
    pub(super) const NONE: Self = Self(0);

    /// Returns the types that the keyword `type` names.
    pub(super) fn from_keyword(value: Node<'_>) -> Self {
        let one = |name: &str| match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOL,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => Self::NONE,
        };
        let names = std::iter::once(value).chain(value.elements());
        names.filter_map(Node::text).fold(Self::NONE, |all, name| all.or(one(&name)))
    }

    /// Returns the type of a value.
    pub(super) fn of(value: Node<'_>) -> Self {
        match value.kind() {
            Kind::Null => Self::NULL,
            Kind::Bool => Self::BOOL,
            Kind::Number if value.number().is_some_and(|n| n.is_integer()) => Self::INTEGER,
            Kind::Number => Self::FRACTION,
            Kind::String => Self::STRING,
            Kind::Array => Self::ARRAY,
            Kind::Object => Self::OBJECT,
        }
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Iterates over the types.
    pub(super) fn iter(self) -> impl Iterator<Item = Self> {
        (0..7).map(|bit| Self(1 << bit)).filter(move |kind| self.has(*kind))
    }
}
