//! Sets of types.

use json_text::{Kind, Node};

/// A set of types. Numbers with a fraction are a separate type, so `number` is two types
/// and `integer` is one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Types(u8);

/// The names of types, in the order in which they are written.
const NAMES: [(&str, Types); 7] = [
    ("string", Types::STRING),
    ("number", Types::NUMBER),
    ("integer", Types::INTEGER),
    ("boolean", Types::BOOL),
    ("array", Types::ARRAY),
    ("object", Types::OBJECT),
    ("null", Types::NULL),
];

#[allow(missing_docs)] // the names of types
impl Types {
    pub const NONE: Self = Self(0);
    pub const NULL: Self = Self(1);
    pub const BOOL: Self = Self(2);
    pub const INTEGER: Self = Self(4);
    pub const FRACTION: Self = Self(8);
    pub const NUMBER: Self = Self(4 | 8);
    pub const STRING: Self = Self(16);
    pub const ARRAY: Self = Self(32);
    pub const OBJECT: Self = Self(64);
    /// All types but arrays and objects.
    pub const SCALAR: Self = Self(1 | 2 | 4 | 8 | 16);
    pub const ALL: Self = Self(127);

    /// Returns the types that the keyword `type` names.
    pub fn from_keyword(value: Node<'_>) -> Self {
        let mut types = Self::NONE;
        for name in std::iter::once(value).chain(value.elements()).filter_map(Node::text) {
            if let Some((_, named)) = NAMES.iter().find(|(own, _)| *own == name) {
                types = types.or(*named);
            }
        }
        types
    }

    /// Returns the type of a value.
    pub fn of(value: Node<'_>) -> Self {
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

    /// Returns the names of the types.
    pub fn names(self) -> Vec<&'static str> {
        let mut left = self;
        let mut names = Vec::new();
        for (name, types) in NAMES {
            if left.has(types) {
                names.push(name);
                left = left.without(types);
            }
        }
        names
    }

    /// Returns the types that are in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the types that are in one of the sets.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the types that are not in the other set.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns true if all types of the other set are in this one.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns true if the sets have a type in common.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns each type as a set of its own.
    pub(crate) fn iter(self) -> impl Iterator<Item = Self> {
        (0..7).map(|bit| Self(1 << bit)).filter(move |kind| self.has(*kind))
    }
}
