//! A schema on its way to the words of a target, and the parts that it is made of.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use diagnostic::Pointer;
use json_text::{Node, canonical};

use crate::budget::Budget;
use crate::change::Code;
use crate::dialect::Dialect;
use crate::graph::{Graph, Id, Part, Word, read};
use crate::kinds::{AllKinds, Kinds};

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
    /// Those of the source.
    pub(crate) kinds: AllKinds,
    pub(crate) dialect: &'d Dialect,
    pub(crate) out: Graph,
    pub(crate) changes: BTreeSet<(Pointer, Code)>,
    /// Whether what is lost is told in descriptions.
    pub(crate) sentences: bool,
    /// The part for what several parts of the source say.
    pub(crate) made: BTreeMap<Rc<[Element]>, Id>,
    /// For each part of the result: what it says, what it is in, and how deep.
    pub(crate) origin: Vec<(Rc<[Element]>, Option<Id>, usize)>,
    /// Parts of the source that only name a type.
    pub(crate) typed: BTreeMap<&'static str, Id>,
    /// What parts of the source list, once it was asked for.
    pub(crate) listed: BTreeMap<(Id, &'static str), Rc<[Listed]>>,
    pub(crate) budget: Budget,
}

/// What an element costs wherever it is named: it is looked at for each keyword.
pub(crate) const ELEMENT: usize = 256;

/// A value that a part lists.
#[derive(Debug)]
pub(crate) struct Listed {
    /// The same for values that are equal.
    pub(crate) key: String,
    pub(crate) raw: String,
    pub(crate) kind: Kinds,
}

impl Lower<'_> {
    /// The part of the source that names a type, and nothing else.
    pub(crate) fn kind(&mut self, name: &'static str) -> Id {
        if let Some(known) = self.typed.get(name) {
            return *known;
        }
        let word = ("type".to_owned(), Word::Json(format!("\"{name}\"")));
        let id = self.add(Part { words: vec![word], ..Part::default() });
        self.typed.insert(name, id);
        id
    }

    /// Adds a part to the source.
    pub(crate) fn add(&mut self, part: Part) -> Id {
        self.kinds.push(&part);
        self.source.push(part)
    }

    /// The values that a part of the source lists, by `enum` or `const`.
    pub(crate) fn listed(&mut self, id: Id, word: &'static str) -> Option<Rc<[Listed]>> {
        let text = self.source.get(id).json(word)?;
        let listed = self.listed.entry((id, word)).or_insert_with(|| {
            let listed = |value: Node<'_>| Listed {
                key: canonical(value),
                raw: value.raw().to_owned(),
                kind: Kinds::of(value),
            };
            let values = read(text, |value| match word {
                "enum" => value.elements().map(listed).collect(),
                _ => Rc::from([listed(value)]),
            });
            values.unwrap_or_default()
        });
        Some(Rc::clone(listed))
    }

    /// The part of the result that says what these say together; nothing, where they take
    /// nothing, or the budget is spent.
    pub(crate) fn make(&mut self, mut key: Vec<Element>, inside: Option<Id>) -> Option<Id> {
        key.sort_unstable();
        key.dedup();
        let kinds = key.iter().map(|(id, taken)| match taken {
            0 => self.kinds.all(*id),
            _ => self.kinds.own(*id),
        });
        if kinds.fold(Kinds::ALL, Kinds::and) == Kinds::NONE {
            return None;
        }
        let shares = self.dialect.subset.is_some_and(|subset| subset.references);
        if let Some(known) = self.made.get(key.as_slice()).filter(|_| shares && !key.is_empty()) {
            return Some(*known);
        }
        let depth = inside.and_then(|id| self.origin.get(id)).map_or(0, |(.., depth)| depth + 1);
        let at = self.place(&key, inside);
        if !self.budget.spend(ELEMENT * (1 + key.len()) + at.as_str().len()) {
            return None;
        }
        let id = self.out.push(Part { at, ..Part::default() });
        let key: Rc<[Element]> = key.into();
        self.origin.push((Rc::clone(&key), inside, depth));
        if shares {
            self.made.insert(key, id);
        }
        Some(id)
    }

    /// The same, with a part that takes nothing for nothing.
    pub(crate) fn make_needed(&mut self, key: Vec<Element>, inside: Id) -> Id {
        self.make(key, Some(inside)).unwrap_or_else(|| {
            let at = self.out.get(inside).at.clone();
            self.origin.push((Rc::default(), Some(inside), 0));
            self.out.push(Part { at, never: true, words: Vec::new() })
        })
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
        if self.budget.spend(at.as_str().len()) {
            self.changes.insert((at, code));
        }
    }

    /// What parts of the source say, without what they apply in place.
    pub(crate) fn taken(elements: &[Element]) -> Vec<Element> {
        let all = ANY_TAKEN | ONE_TAKEN | INNER_TAKEN;
        elements.iter().map(|(id, _)| (*id, all)).collect()
    }
}
