//! The kinds of values that a schema may accept.

use json_text::{Kind, Node};

use crate::graph::{Graph, Id, KeywordValue, Subschema, parse_value};

/// A set of kinds of values. Integers and other numbers are two kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TypeSet(u8);

/// The type names of schemas, in the order in which they are written.
const NAMES: &[(&str, TypeSet)] = &[
    ("string", TypeSet::STRING),
    ("number", TypeSet::NUMBER),
    ("integer", TypeSet::INTEGER),
    ("boolean", TypeSet::BOOLEAN),
    ("array", TypeSet::ARRAY),
    ("object", TypeSet::OBJECT),
    ("null", TypeSet::NULL),
];

impl TypeSet {
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
    pub(crate) fn intersects(self, other: Self) -> bool {
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
    pub(crate) fn from_name(name: &str) -> Self {
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
        let one = |node: Node<'_>| node.text().map_or(Self::NONE, |name| Self::from_name(&name));
        value.elements().map(one).fold(one(value), Self::or)
    }
}

impl Subschema {
    /// Returns the kinds that `type` names, or all kinds without `type`.
    pub(crate) fn declared_types(&self) -> TypeSet {
        let said = self.json("type").and_then(|text| parse_value(text, TypeSet::of_type));
        said.unwrap_or(TypeSet::ALL)
    }

    /// Returns the kinds that the part's own keywords allow, without its subschemas.
    pub(crate) fn own_types(&self) -> TypeSet {
        if self.unsatisfiable {
            return TypeSet::NONE;
        }
        let mut kinds = self.declared_types();
        let listed =
            |list: Node<'_>| list.elements().map(TypeSet::of).fold(TypeSet::NONE, TypeSet::or);
        if let Some(said) = self.json("enum").and_then(|text| parse_value(text, listed)) {
            kinds = kinds.and(said);
        }
        if let Some(said) = self.json("const").and_then(|text| parse_value(text, TypeSet::of)) {
            kinds = kinds.and(said);
        }
        kinds
    }
}

/// The kinds of all parts of a graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct GraphTypes {
    own: Vec<TypeSet>,
    all: Vec<Option<TypeSet>>,
}

impl GraphTypes {
    /// Computes the kinds, reading each part once.
    pub(crate) fn of(graph: &Graph) -> Self {
        let own: Vec<TypeSet> = graph.parts.iter().map(Subschema::own_types).collect();
        let mut kinds = Self { all: vec![None; own.len()], own };
        let mut seen = vec![false; graph.parts.len()];
        for id in 0..graph.parts.len() {
            let mut pending = vec![(id, false)];
            while let Some((id, inner)) = pending.pop() {
                if inner {
                    let found = kinds.restrict(graph.get(id), kinds.own(id));
                    kinds.all.get_mut(id).into_iter().for_each(|slot| *slot = Some(found));
                } else if seen.get(id) == Some(&false) {
                    seen.get_mut(id).into_iter().for_each(|seen| *seen = true);
                    pending.push((id, true));
                    let words = graph.get(id).keywords.iter();
                    let words = words.filter(|(name, _)| IN_PLACE.contains(&name.as_str()));
                    pending.extend(words.flat_map(|(_, word)| word.parts()).map(|id| (id, false)));
                }
            }
        }
        kinds
    }

    /// Returns the kinds that a part's own keywords allow.
    pub(crate) fn own(&self, id: Id) -> TypeSet {
        self.own.get(id).copied().unwrap_or(TypeSet::ALL)
    }

    /// Returns the kinds that a part may accept: never too few, perhaps too many.
    pub(crate) fn all(&self, id: Id) -> TypeSet {
        self.all.get(id).copied().flatten().unwrap_or(TypeSet::ALL)
    }

    /// Adds the kinds of a part that was added to the graph.
    pub(crate) fn push(&mut self, part: &Subschema) {
        let own = part.own_types();
        let all = self.restrict(part, own);
        self.own.push(own);
        self.all.push(Some(all));
    }

    /// Removes the kinds that the subschemas for the same value exclude.
    fn restrict(&self, part: &Subschema, own: TypeSet) -> TypeSet {
        let mut kinds = own;
        for (name, word) in &part.keywords {
            match (name.as_str(), word) {
                ("$ref", KeywordValue::Ref(target)) => kinds = kinds.and(self.all(*target)),
                ("allOf", KeywordValue::List(all)) => {
                    kinds = all.iter().map(|id| self.all(*id)).fold(kinds, TypeSet::and);
                }
                ("anyOf" | "oneOf", KeywordValue::List(any)) => {
                    let any = any.iter().map(|id| self.all(*id)).fold(TypeSet::NONE, TypeSet::or);
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
