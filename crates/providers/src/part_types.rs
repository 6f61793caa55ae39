//! The types of values that the parts of a schema may accept.

use json_schema::types::Types;
use json_text::Node;

use crate::parts::{Id, KeywordValue, Part, SchemaParts, parse_value};

/// Returns the type that a schema has to name to accept a value.
pub(crate) fn type_of(value: Node<'_>) -> Types {
    match Types::of(value) {
        Types::FRACTION => Types::NUMBER,
        one => one,
    }
}

impl Part {
    /// Returns the types that `type` names, or all types without `type`.
    pub(crate) fn declared_types(&self) -> Types {
        match self.json("type") {
            Some(text) => parse_value(text, Types::from_keyword),
            None => Types::ALL,
        }
    }

    /// Returns the types that the part's own keywords allow, without its subschemas.
    fn own_types(&self) -> Types {
        if self.unsatisfiable {
            return Types::NONE;
        }
        let mut types = self.declared_types();
        if let Some(text) = self.json("enum") {
            let listed = |list: Node<'_>| list.elements().map(type_of).fold(Types::NONE, Types::or);
            types = types.and(parse_value(text, listed));
        }
        if let Some(text) = self.json("const") {
            types = types.and(parse_value(text, type_of));
        }
        types
    }
}

/// The types of all parts of a schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct PartTypes {
    own: Vec<Types>,
    all: Vec<Option<Types>>,
}

impl PartTypes {
    /// Computes the types, reading each part once.
    pub(crate) fn of(schema: &SchemaParts) -> Self {
        let own: Vec<Types> = schema.parts.iter().map(Part::own_types).collect();
        let mut types = Self { all: vec![None; own.len()], own };
        let mut seen = vec![false; schema.parts.len()];
        let mut pending: Vec<(Id, bool)> =
            (0..schema.parts.len()).rev().map(|id| (id, false)).collect();
        while let Some((id, is_ready)) = pending.pop() {
            let part = schema.get(id);
            if is_ready {
                let all = types.restrict(part, types.own(id));
                if let Some(slot) = types.all.get_mut(id) {
                    *slot = Some(all);
                }
                continue;
            }
            match seen.get_mut(id) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            pending.push((id, true));
            for (name, value) in &part.keywords {
                if IN_PLACE.contains(&name.as_str()) {
                    pending.extend(value.parts().into_iter().map(|id| (id, false)));
                }
            }
        }
        types
    }

    /// Returns the types that a part's own keywords allow.
    pub(crate) fn own(&self, id: Id) -> Types {
        self.own.get(id).copied().unwrap_or(Types::ALL)
    }

    /// Returns the types that a part may accept: never too few, perhaps too many.
    pub(crate) fn all(&self, id: Id) -> Types {
        self.all.get(id).copied().flatten().unwrap_or(Types::ALL)
    }

    /// Adds the types of a part that was added to the schema.
    pub(crate) fn push(&mut self, part: &Part) {
        let own = part.own_types();
        let all = self.restrict(part, own);
        self.own.push(own);
        self.all.push(Some(all));
    }

    /// Removes the types that the subschemas for the same value exclude.
    fn restrict(&self, part: &Part, own: Types) -> Types {
        let mut types = own;
        for (name, value) in &part.keywords {
            match (name.as_str(), value) {
                ("$ref", KeywordValue::Ref(target)) => types = types.and(self.all(*target)),
                ("allOf", KeywordValue::List(all)) => {
                    for id in all {
                        types = types.and(self.all(*id));
                    }
                }
                ("anyOf" | "oneOf", KeywordValue::List(any)) => {
                    let any = any.iter().fold(Types::NONE, |any, id| any.or(self.all(*id)));
                    types = types.and(any);
                }
                _ => {}
            }
        }
        types
    }
}

/// Keywords whose subschemas, or one of them, must accept the same value.
const IN_PLACE: &[&str] = &["$ref", "allOf", "anyOf", "oneOf"];
