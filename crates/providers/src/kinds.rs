//! Which kinds of values a schema may take.

use json_text::{Kind, Node};

use crate::graph::{Graph, Id, Part, Word, read};

/// A set of kinds of values. Integers and other numbers are two kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

/// What schemas call them, in the order in which they are written.
const NAMES: &[(&str, Kinds)] = &[
    ("string", Kinds::STRING),
    ("number", Kinds::NUMBER),
    ("integer", Kinds::INTEGER),
    ("boolean", Kinds::BOOLEAN),
    ("array", Kinds::ARRAY),
    ("object", Kinds::OBJECT),
    ("null", Kinds::NULL),
];

impl Kinds {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(2);
    pub(crate) const INTEGER: Self = Self(4);
    pub(crate) const NUMBER: Self = Self(4 | 8);
    pub(crate) const STRING: Self = Self(16);
    pub(crate) const ARRAY: Self = Self(32);
    pub(crate) const OBJECT: Self = Self(64);
    pub(crate) const SCALAR: Self = Self(1 | 2 | 4 | 8 | 16);
    pub(crate) const ALL: Self = Self(127);

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether they have a kind in common.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The names of its kinds.
    pub(crate) fn names(self) -> Vec<&'static str> {
        let mut left = self;
        let mut names = Vec::new();
        for (name, kinds) in NAMES {
            if left.and(*kinds) == *kinds {
                names.push(*name);
                left = left.without(*kinds);
            }
        }
        names
    }

    /// The kind of a name.
    pub(crate) fn named(name: &str) -> Self {
        NAMES.iter().find(|(own, _)| *own == name).map_or(Self::NONE, |(_, kinds)| *kinds)
    }

    /// The kind of a value.
    pub(crate) fn of(value: Node<'_>) -> Self {
        match value.kind() {
            Kind::Null => Self::NULL,
            Kind::Bool => Self::BOOLEAN,
            Kind::String => Self::STRING,
            Kind::Array => Self::ARRAY,
            Kind::Object => Self::OBJECT,
            Kind::Number if value.number().is_some_and(|number| number.is_integer()) => {
                Self::INTEGER
            }
            Kind::Number => Self::NUMBER,
        }
    }

    /// The kinds in the value of `type`.
    fn of_type(value: Node<'_>) -> Self {
        let one = |node: Node<'_>| node.text().map_or(Self::NONE, |name| Self::named(&name));
        value.elements().map(one).fold(one(value), Self::or)
    }
}

impl Part {
    /// The kinds that its `type` names.
    pub(crate) fn own_types(&self) -> Kinds {
        let said = self.json("type").and_then(|text| read(text, Kinds::of_type));
        said.unwrap_or(Kinds::ALL)
    }

    /// The kinds that its own words leave, without its subschemas.
    pub(crate) fn own_kinds(&self) -> Kinds {
        if self.never {
            return Kinds::NONE;
        }
        let mut kinds = self.own_types();
        let listed = |list: Node<'_>| list.elements().map(Kinds::of).fold(Kinds::NONE, Kinds::or);
        if let Some(said) = self.json("enum").and_then(|text| read(text, listed)) {
            kinds = kinds.and(said);
        }
        if let Some(said) = self.json("const").and_then(|text| read(text, Kinds::of)) {
            kinds = kinds.and(said);
        }
        kinds
    }
}

impl Graph {
    /// The kinds that a part may take: never too few, perhaps too many.
    pub(crate) fn kinds(&self, id: Id) -> Kinds {
        self.kinds_within(id, 0)
    }

    fn kinds_within(&self, id: Id, depth: usize) -> Kinds {
        let part = self.get(id);
        let mut kinds = part.own_kinds();
        // No part applies itself to the same value: the guard saw to it.
        if depth > 64 || kinds == Kinds::NONE {
            return kinds;
        }
        for (name, word) in &part.words {
            let inside = |id: &Id| self.kinds_within(*id, depth + 1);
            match (name.as_str(), word) {
                ("$ref", Word::Ref(target)) => kinds = kinds.and(inside(target)),
                ("allOf", Word::Parts(all)) => {
                    kinds = all.iter().map(inside).fold(kinds, Kinds::and);
                }
                ("anyOf" | "oneOf", Word::Parts(any)) => {
                    kinds = kinds.and(any.iter().map(inside).fold(Kinds::NONE, Kinds::or));
                }
                _ => {}
            }
        }
        kinds
    }
}
