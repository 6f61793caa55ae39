//! The kinds of values that a schema may accept.

use json_text::{Kind, Node};

use crate::graph::{Graph, Id, Part, Word, read};

/// A set of kinds of values. Integers and other numbers are two kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

/// The type names of schemas, in the order in which they are written.
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

    /// Returns true if the sets have a kind in common.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the names of the kinds.
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

    /// Returns the kind with a name, or the empty set.
    pub(crate) fn named(name: &str) -> Self {
        NAMES.iter().find(|(own, _)| *own == name).map_or(Self::NONE, |(_, kinds)| *kinds)
    }

    /// Returns the kind of a value.
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

    /// Returns the kinds in the value of `type`.
    fn of_type(value: Node<'_>) -> Self {
        let one = |node: Node<'_>| node.text().map_or(Self::NONE, |name| Self::named(&name));
        value.elements().map(one).fold(one(value), Self::or)
    }
}

impl Part {
    /// Returns the kinds that `type` names, or all kinds without `type`.
    pub(crate) fn own_types(&self) -> Kinds {
        let said = self.json("type").and_then(|text| read(text, Kinds::of_type));
        said.unwrap_or(Kinds::ALL)
    }

    /// Returns the kinds that the part's own keywords allow, without its subschemas.
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

/// The kinds of all parts of a graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllKinds {
    own: Vec<Kinds>,
    all: Vec<Option<Kinds>>,
}

impl AllKinds {
    /// Computes the kinds, reading each part once.
    pub(crate) fn of(graph: &Graph) -> Self {
        let own: Vec<Kinds> = graph.parts.iter().map(Part::own_kinds).collect();
        let mut kinds = Self { all: vec![None; own.len()], own };
        let mut seen = vec![false; graph.parts.len()];
        for id in 0..graph.parts.len() {
            let mut pending = vec![(id, false)];
            while let Some((id, inner)) = pending.pop() {
                if inner {
                    let found = kinds.within(graph.get(id), kinds.own(id));
                    kinds.all.get_mut(id).into_iter().for_each(|slot| *slot = Some(found));
                } else if seen.get(id) == Some(&false) {
                    seen.get_mut(id).into_iter().for_each(|seen| *seen = true);
                    pending.push((id, true));
                    let words = graph.get(id).words.iter();
                    let words = words.filter(|(name, _)| IN_PLACE.contains(&name.as_str()));
                    pending.extend(words.flat_map(|(_, word)| word.parts()).map(|id| (id, false)));
                }
            }
        }
        kinds
    }

    /// Returns the kinds that a part's own keywords allow.
    pub(crate) fn own(&self, id: Id) -> Kinds {
        self.own.get(id).copied().unwrap_or(Kinds::ALL)
    }

    /// Returns the kinds that a part may accept: never too few, perhaps too many.
    pub(crate) fn all(&self, id: Id) -> Kinds {
        self.all.get(id).copied().flatten().unwrap_or(Kinds::ALL)
    }

    /// Adds the kinds of a part that was added to the graph.
    pub(crate) fn push(&mut self, part: &Part) {
        let own = part.own_kinds();
        let all = self.within(part, own);
        self.own.push(own);
        self.all.push(Some(all));
    }

    /// Removes the kinds that the subschemas for the same value exclude.
    fn within(&self, part: &Part, own: Kinds) -> Kinds {
        let mut kinds = own;
        for (name, word) in &part.words {
            match (name.as_str(), word) {
                ("$ref", Word::Ref(target)) => kinds = kinds.and(self.all(*target)),
                ("allOf", Word::Parts(all)) => {
                    kinds = all.iter().map(|id| self.all(*id)).fold(kinds, Kinds::and);
                }
                ("anyOf" | "oneOf", Word::Parts(any)) => {
                    let any = any.iter().map(|id| self.all(*id)).fold(Kinds::NONE, Kinds::or);
                    kinds = kinds.and(any);
                }
                _ => {}
            }
        }
        kinds
    }
}

/// Keywords whose subschemas, or one of them, must accept the same value.
const IN_PLACE: &[&str] = &["$ref", "allOf", "anyOf", "oneOf"];
