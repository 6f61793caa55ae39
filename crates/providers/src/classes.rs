//! Groups the parts of a schema by the values that they may apply to.
//!
//! Two parts are in one class if both may apply to one value: through a reference, a
//! choice, or as the same member of values of one class. So a value can be walked by
//! classes, without deciding which alternative it matches.

use std::collections::BTreeMap;

use crate::parts::{Id, KeywordValue, SchemaParts};

/// The classes of the parts of a schema.
#[derive(Debug)]
pub(crate) struct Classes {
    parents: Vec<Id>,
    inside: Vec<Children>,
    /// The number of parts and names in each class.
    weight: Vec<usize>,
    pending: Vec<(Id, Id)>,
}

/// The children of the values of a class. Each is one part of the class of the child.
#[derive(Clone, Debug, Default)]
pub(crate) struct Children {
    /// The named members.
    pub(crate) members: BTreeMap<String, Id>,
    /// Members with other names.
    pub(crate) others: Option<Id>,
    /// The elements.
    pub(crate) elements: Option<Id>,
}

impl Classes {
    /// Computes the classes of all parts.
    pub(crate) fn of(schema: &SchemaParts) -> Self {
        let count = schema.parts.len();
        let mut classes = Self {
            parents: (0..count).collect(),
            inside: vec![Children::default(); count],
            weight: schema.parts.iter().map(|part| 1 + part.properties().len()).collect(),
            pending: Vec::new(),
        };
        for (id, part) in schema.parts.iter().enumerate() {
            for (name, value) in &part.keywords {
                classes.read(id, name, value);
            }
        }
        classes.join();
        classes
    }

    /// Returns the part that represents the class of a part.
    pub(crate) fn class(&self, mut id: Id) -> Id {
        while let Some(above) = self.parents.get(id)
            && *above != id
        {
            id = *above;
        }
        id
    }

    /// Returns the children of the values of a class.
    pub(crate) fn children(&self, id: Id) -> Option<&Children> {
        self.inside.get(self.class(id))
    }

    fn read(&mut self, id: Id, name: &str, value: &KeywordValue) {
        match (name, value) {
            ("properties", KeywordValue::Map(named)) => {
                for (name, part) in named {
                    let members = BTreeMap::from([(name.clone(), *part)]);
                    self.add(id, Children { members, ..Children::default() });
                }
            }
            ("additionalProperties" | "patternProperties" | "unevaluatedProperties", _) => {
                for part in value.parts() {
                    self.add(id, Children { others: Some(part), ..Children::default() });
                }
            }
            ("items" | "prefixItems" | "contains" | "unevaluatedItems", _) => {
                for part in value.parts() {
                    self.add(id, Children { elements: Some(part), ..Children::default() });
                }
            }
            // These apply to other values.
            ("propertyNames" | "contentSchema", _) => {}
            _ => self.pending.extend(value.parts().into_iter().map(|part| (id, part))),
        }
    }

    /// Adds children. If a child is already known at a place, schedules a join of both.
    fn add(&mut self, id: Id, more: Children) {
        let Some(inside) = self.inside.get_mut(id) else { return };
        for (name, part) in more.members {
            match inside.members.get(&name) {
                Some(known) => self.pending.push((*known, part)),
                None => drop(inside.members.insert(name, part)),
            }
        }
        for (slot, part) in
            [(&mut inside.others, more.others), (&mut inside.elements, more.elements)]
        {
            match (&slot, part) {
                (Some(known), Some(part)) => self.pending.push((*known, part)),
                (None, Some(part)) => *slot = Some(part),
                (_, None) => {}
            }
        }
    }

    fn join(&mut self) {
        while let Some((one, other)) = self.pending.pop() {
            let (one, other) = (self.class(one), self.class(other));
            if one == other {
                continue;
            }
            let (Some(one_weight), Some(other_weight)) =
                (self.weight.get(one).copied(), self.weight.get(other).copied())
            else {
                continue;
            };
            // The smaller class joins the larger, so that no child moves often.
            let (into, from) = if one_weight < other_weight { (other, one) } else { (one, other) };
            if let Some(weight) = self.weight.get_mut(into) {
                *weight = one_weight + other_weight;
            }
            if let Some(above) = self.parents.get_mut(from) {
                *above = into;
            }
            if let Some(inside) = self.inside.get_mut(from) {
                let moved = std::mem::take(inside);
                self.add(into, moved);
            }
        }
    }
}
