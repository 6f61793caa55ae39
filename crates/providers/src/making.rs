//! A schema on its way to the words of a target, and the parts that it is made of.

use std::collections::BTreeMap;

use diagnostic::Pointer;

use crate::change::{Change, Code};
use crate::dialect::Dialect;
use crate::graph::{Graph, Id, Part, Word};
use crate::kinds::Kinds;

/// A part of the source, and what of it is taken already.
pub(crate) type Element = (Id, u8);

/// Its `anyOf` is taken.
pub(crate) const ANY_TAKEN: u8 = 1;
/// Its `oneOf` is taken.
pub(crate) const ONE_TAKEN: u8 = 2;
/// What it applies in place is taken.
pub(crate) const INNER_TAKEN: u8 = 4;

/// Words that decide nothing.
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

/// A schema on its way to the words of a target.
pub(crate) struct Lower<'d> {
    pub(crate) source: Graph,
    pub(crate) dialect: &'d Dialect,
    pub(crate) out: Graph,
    pub(crate) changes: Vec<Change>,
    /// Whether what is lost is told in descriptions.
    pub(crate) sentences: bool,
    /// The part for what several parts of the source say.
    pub(crate) made: BTreeMap<Vec<Element>, Id>,
    /// For each part of the result: what it says, what it is in, and how deep.
    pub(crate) origin: Vec<(Vec<Element>, Option<Id>, usize)>,
    /// Parts of the source that only name a type.
    pub(crate) typed: BTreeMap<&'static str, Id>,
    pub(crate) most: usize,
}

impl Lower<'_> {
    /// The part of the source that names a type, and nothing else.
    pub(crate) fn kind(&mut self, name: &'static str) -> Id {
        if let Some(known) = self.typed.get(name) {
            return *known;
        }
        let word = ("type".to_owned(), Word::Json(format!("\"{name}\"")));
        let id = self.source.push(Part { words: vec![word], ..Part::default() });
        self.typed.insert(name, id);
        id
    }

    /// The part of the result that says what these say together; nothing, where they take
    /// nothing.
    pub(crate) fn make(&mut self, mut key: Vec<Element>, inside: Option<Id>) -> Option<Id> {
        key.sort_unstable();
        key.dedup();
        let kinds = key.iter().map(|(id, taken)| match taken {
            0 => self.source.kinds(*id),
            _ => self.source.get(*id).own_kinds(),
        });
        if kinds.fold(Kinds::ALL, Kinds::and) == Kinds::NONE {
            return None;
        }
        let shares = self.dialect.subset.is_some_and(|subset| subset.references);
        if let Some(known) = self.made.get(&key).filter(|_| shares && !key.is_empty()) {
            return Some(*known);
        }
        let depth = inside.and_then(|id| self.origin.get(id)).map_or(0, |(.., depth)| depth + 1);
        let at = self.place(&key, inside);
        let id = self.out.push(Part { at, ..Part::default() });
        self.origin.push((key.clone(), inside, depth));
        self.made.insert(key, id);
        Some(id)
    }

    /// Where what several parts say stands: the first that stands somewhere.
    fn place(&self, key: &[Element], inside: Option<Id>) -> Pointer {
        let made = |id: &Id| self.typed.values().any(|typed| typed == id);
        let first = key.iter().map(|(id, _)| id).find(|id| !made(id));
        match first.map(|id| self.source.get(*id)) {
            Some(part) => part.at.clone(),
            None => inside.map(|id| self.out.get(id).at.clone()).unwrap_or_default(),
        }
    }

    /// Notes a change.
    pub(crate) fn change(&mut self, code: Code, at: Pointer) {
        self.changes.push(Change { code, at });
    }

    /// What parts of the source say, without what they apply in place.
    pub(crate) fn taken(elements: &[Element]) -> Vec<Element> {
        let all = ANY_TAKEN | ONE_TAKEN | INNER_TAKEN;
        elements.iter().map(|(id, _)| (*id, all)).collect()
    }
}
