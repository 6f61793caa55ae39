//! A schema that is being lowered, and its parts.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use diagnostic::Pointer;
use json_text::{Node, canonical};

use crate::budget::Budget;
use crate::change::ChangeKind;
use crate::dialect::TargetDialect;
use crate::graph::{Graph, Id, KeywordValue, Subschema, parse_value};
use crate::type_set::{GraphTypes, TypeSet};

/// A part of the source, and which of its keywords are already taken.
pub(crate) type Element = (Id, u8);

/// The `anyOf` of the part is taken.
pub(crate) const ANY_TAKEN: u8 = 1;
/// The `oneOf` of the part is taken.
pub(crate) const ONE_TAKEN: u8 = 2;
/// The `allOf` and the `$ref` of the part are taken.
pub(crate) const INNER_TAKEN: u8 = 4;

/// Annotations, which do not constrain values.
pub(crate) const NOTES: &[&str] = &[
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
];

/// A schema that is being lowered to the keywords of a target.
pub(crate) struct Lowering<'d> {
    pub(crate) source: Graph,
    /// The kinds of the parts of the source.
    pub(crate) kinds: GraphTypes,
    pub(crate) dialect: &'d TargetDialect,
    pub(crate) out: Graph,
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
    pub(crate) kind: TypeSet,
}

impl Lowering<'_> {
    /// Returns a part of the source that only names a type.
    pub(crate) fn type_part(&mut self, name: &'static str) -> Id {
        if let Some(known) = self.type_parts.get(name) {
            return *known;
        }
        let word = ("type".to_owned(), KeywordValue::Json(format!("\"{name}\"")));
        let id = self.add(Subschema { keywords: vec![word], ..Subschema::default() });
        self.type_parts.insert(name, id);
        id
    }

    /// Adds a part to the source, with its kinds.
    pub(crate) fn add(&mut self, part: Subschema) -> Id {
        self.kinds.push(&part);
        self.source.push(part)
    }

    /// Returns the values that a part of the source lists in `enum` or `const`.
    pub(crate) fn listed_values(
        &mut self,
        id: Id,
        word: &'static str,
    ) -> Option<Rc<[ListedValue]>> {
        let text = self.source.get(id).json(word)?;
        let listed = self.listed.entry((id, word)).or_insert_with(|| {
            let listed = |value: Node<'_>| ListedValue {
                key: canonical(value),
                raw: value.raw().to_owned(),
                kind: TypeSet::of(value),
            };
            let values = parse_value(text, |value| match word {
                "enum" => value.elements().map(listed).collect(),
                _ => Rc::from([listed(value)]),
            });
            values.unwrap_or_default()
        });
        Some(Rc::clone(listed))
    }

    /// Returns the part of the result that combines these elements. Returns `None` if they
    /// are unsatisfiable, or if the budget is spent.
    pub(crate) fn output_part(&mut self, mut key: Vec<Element>, inside: Option<Id>) -> Option<Id> {
        key.sort_unstable();
        key.dedup();
        let kinds = key.iter().map(|(id, taken)| match taken {
            0 => self.kinds.all(*id),
            _ => self.kinds.own(*id),
        });
        if kinds.fold(TypeSet::ALL, TypeSet::and) == TypeSet::NONE {
            return None;
        }
        let shares = self.dialect.subset.is_some_and(|subset| subset.references);
        if let Some(known) =
            self.output_ids.get(key.as_slice()).filter(|_| shares && !key.is_empty())
        {
            return Some(*known);
        }
        let depth = inside.and_then(|id| self.origin.get(id)).map_or(0, |(.., depth)| depth + 1);
        let at = self.place(&key, inside);
        if !self.budget.spend(ELEMENT_COST * (1 + key.len()) + at.as_str().len()) {
            return None;
        }
        let id = self.out.push(Subschema { at, ..Subschema::default() });
        let key: Rc<[Element]> = key.into();
        self.origin.push((Rc::clone(&key), inside, depth));
        if shares {
            self.output_ids.insert(key, id);
        }
        Some(id)
    }

    /// Like `output_part`, but returns an unsatisfiable part instead of `None`.
    pub(crate) fn output_part_or_never(&mut self, key: Vec<Element>, inside: Id) -> Id {
        self.output_part(key, Some(inside)).unwrap_or_else(|| {
            let at = self.out.get(inside).at.clone();
            self.origin.push((Rc::default(), Some(inside), 0));
            self.out.push(Subschema { at, unsatisfiable: true, keywords: Vec::new() })
        })
    }

    /// Returns the place of the first element that is in the text of the source, or else
    /// that of the part `inside`.
    fn place(&self, key: &[Element], inside: Option<Id>) -> Pointer {
        let made = |id: &Id| self.type_parts.values().any(|typed| typed == id);
        let first = key.iter().map(|(id, _)| id).find(|id| !made(id));
        match first.map(|id| self.source.get(*id)) {
            Some(part) => part.at.clone(),
            None => inside.map(|id| self.out.get(id).at.clone()).unwrap_or_default(),
        }
    }

    /// Records a change.
    pub(crate) fn record_change(&mut self, code: ChangeKind, at: Pointer) {
        if self.budget.spend(at.as_str().len()) {
            self.changes.insert((at, code));
        }
    }

    /// Reduces elements to their own keywords, without keywords that apply subschemas to the
    /// same value.
    pub(crate) fn with_all_taken(elements: &[Element]) -> Vec<Element> {
        let all = ANY_TAKEN | ONE_TAKEN | INNER_TAKEN;
        elements.iter().map(|(id, _)| (*id, all)).collect()
    }
}
