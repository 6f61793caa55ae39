//! A schema that is being lowered, and its parts.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use diagnostic::Pointer;
use json_schema::types::Types;
use json_text::{Node, canonical};

use crate::budget::Budget;
use crate::change::ChangeKind;
use crate::dialect::TargetDialect;
use crate::part_types::{PartTypes, type_of};
use crate::parts::{Id, KeywordValue, Part, SchemaParts, parse_value};

/// A part of the source, and which of its keywords are already taken.
pub(crate) type Element = (Id, u8);

/// The `anyOf` of the part is taken.
pub(crate) const ANY_TAKEN: u8 = 1;
/// The `oneOf` of the part is taken.
pub(crate) const ONE_TAKEN: u8 = 2;
/// The `allOf` and the `$ref` of the part are taken.
pub(crate) const INNER_TAKEN: u8 = 4;

/// Returns true for an annotation, which does not constrain values.
pub(crate) fn is_note(keyword: &str) -> bool {
    matches!(
        keyword,
        "title"
            | "description"
            | "default"
            | "examples"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "$comment"
            | "contentEncoding"
            | "contentMediaType"
            | "contentSchema"
    )
}

/// A schema that is being lowered to the keywords of a target.
pub(crate) struct Lowering<'d> {
    pub(crate) source: SchemaParts,
    /// The types of the parts of the source.
    pub(crate) types: PartTypes,
    pub(crate) dialect: &'d TargetDialect,
    pub(crate) out: SchemaParts,
    pub(crate) changes: BTreeSet<(Pointer, ChangeKind)>,
    /// Whether descriptions mention the keywords that are left out.
    pub(crate) sentences: bool,
    /// The part of the result for each set of elements.
    pub(crate) output_ids: BTreeMap<Rc<[Element]>, Id>,
    /// For each part of the result: its elements, the part that contains it, and its depth.
    pub(crate) origin: Vec<(Rc<[Element]>, Option<Id>, usize)>,
    /// Parts that were added to the source and only name a type.
    pub(crate) type_parts: BTreeMap<&'static str, Id>,
    /// The listed values of parts of the source, once they were needed.
    pub(crate) listed: BTreeMap<(Id, &'static str), Rc<[ListedValue]>>,
    pub(crate) budget: Budget,
}

/// The cost of an element at each use, because it is read for each keyword.
pub(crate) const ELEMENT_COST: usize = 256;

/// A value that a part lists in `enum` or `const`.
#[derive(Debug)]
pub(crate) struct ListedValue {
    /// The canonical form, which is the same for equal values.
    pub(crate) key: String,
    pub(crate) raw: String,
    pub(crate) types: Types,
}

impl ListedValue {
    fn of(value: Node<'_>) -> Self {
        Self { key: canonical(value), raw: value.raw().to_owned(), types: type_of(value) }
    }
}

impl Lowering<'_> {
    /// Returns true if a part that is used twice may be written once.
    pub(crate) fn has_references(&self) -> bool {
        self.dialect.subset.is_some_and(|subset| subset.references)
    }

    /// Returns a part of the source that only names a type.
    pub(crate) fn type_part(&mut self, name: &'static str) -> Id {
        if let Some(known) = self.type_parts.get(name) {
            return *known;
        }
        let keyword = ("type".to_owned(), KeywordValue::Json(format!("\"{name}\"")));
        let id = self.add(Part { keywords: vec![keyword], ..Part::default() });
        self.type_parts.insert(name, id);
        id
    }

    /// Adds a part to the source, with its types.
    pub(crate) fn add(&mut self, part: Part) -> Id {
        self.types.push(&part);
        self.source.push(part)
    }

    /// Returns the values that a part of the source lists in `enum` or `const`.
    pub(crate) fn listed_values(
        &mut self,
        id: Id,
        keyword: &'static str,
    ) -> Option<Rc<[ListedValue]>> {
        let text = self.source.get(id).json(keyword)?;
        let listed = self.listed.entry((id, keyword)).or_insert_with(|| {
            parse_value(text, |value| match keyword {
                "enum" => value.elements().map(ListedValue::of).collect(),
                _ => Rc::from([ListedValue::of(value)]),
            })
        });
        Some(Rc::clone(listed))
    }

    /// Returns the part of the result that combines these elements. Returns `None` if they
    /// are unsatisfiable, or if the budget is spent.
    pub(crate) fn output_part(&mut self, mut key: Vec<Element>, inside: Option<Id>) -> Option<Id> {
        key.sort_unstable();
        key.dedup();
        let mut types = Types::ALL;
        for (id, taken) in &key {
            let own = if *taken == 0 { self.types.all(*id) } else { self.types.own(*id) };
            types = types.and(own);
        }
        if types.is_empty() {
            return None;
        }
        let shares = self.has_references();
        if shares
            && !key.is_empty()
            && let Some(known) = self.output_ids.get(key.as_slice())
        {
            return Some(*known);
        }
        let depth = match inside.and_then(|id| self.origin.get(id)) {
            Some((.., depth)) => depth + 1,
            None => 0,
        };
        let at = self.place(&key, inside);
        if !self.budget.spend(ELEMENT_COST * (1 + key.len()) + at.as_str().len()) {
            return None;
        }
        let id = self.out.push(Part::anything(at));
        let key: Rc<[Element]> = key.into();
        self.origin.push((Rc::clone(&key), inside, depth));
        if shares {
            self.output_ids.insert(key, id);
        }
        Some(id)
    }

    /// Like `output_part`, but returns an unsatisfiable part instead of `None`.
    pub(crate) fn output_part_or_never(&mut self, key: Vec<Element>, inside: Id) -> Id {
        if let Some(id) = self.output_part(key, Some(inside)) {
            return id;
        }
        let at = self.out.get(inside).at.clone();
        self.origin.push((Rc::default(), Some(inside), 0));
        self.out.push(Part { at, unsatisfiable: true, keywords: Vec::new() })
    }

    /// Returns the place of the first element that is in the text of the source, or else
    /// that of the part `inside`.
    fn place(&self, key: &[Element], inside: Option<Id>) -> Pointer {
        for (id, _) in key {
            if !self.type_parts.values().any(|added| added == id) {
                return self.source.get(*id).at.clone();
            }
        }
        match inside {
            Some(id) => self.out.get(id).at.clone(),
            None => Pointer::root(),
        }
    }

    /// Records a change.
    pub(crate) fn record_change(&mut self, kind: ChangeKind, at: Pointer) {
        if self.budget.spend(at.as_str().len()) {
            self.changes.insert((at, kind));
        }
    }

    /// Records a change of a part of the result.
    pub(crate) fn record_change_of(&mut self, kind: ChangeKind, id: Id) {
        self.record_change(kind, self.out.get(id).at.clone());
    }

    /// Reduces elements to their own keywords, without keywords that apply subschemas to the
    /// same value.
    pub(crate) fn with_all_taken(elements: &[Element]) -> Vec<Element> {
        let all = ANY_TAKEN | ONE_TAKEN | INNER_TAKEN;
        elements.iter().map(|(id, _)| (*id, all)).collect()
    }
}
