//! A part of the result that is being put together.

use std::rc::Rc;

use crate::change::Code;
use crate::dialect::Subset;
use crate::graph::{Id, Part, Word};
use crate::kinds::Kinds;
use crate::making::{Element, Lower};
use crate::sentence::{gist, sentence};

/// Bounds, whether the larger of two counts, and the kind that they are for.
pub(super) const BOUNDS: &[(&str, bool, Kinds)] = &[
    ("minimum", true, Kinds::NUMBER),
    ("maximum", false, Kinds::NUMBER),
    ("exclusiveMinimum", true, Kinds::NUMBER),
    ("exclusiveMaximum", false, Kinds::NUMBER),
    ("minLength", true, Kinds::STRING),
    ("maxLength", false, Kinds::STRING),
    ("minItems", true, Kinds::ARRAY),
    ("maxItems", false, Kinds::ARRAY),
    ("minProperties", true, Kinds::OBJECT),
    ("maxProperties", false, Kinds::OBJECT),
];
/// Other words with a value, and the kind that they are for.
pub(super) const VALUES: &[(&str, Kinds)] = &[
    ("multipleOf", Kinds::NUMBER),
    ("pattern", Kinds::STRING),
    ("format", Kinds::ALL),
    ("uniqueItems", Kinds::ARRAY),
    ("default", Kinds::ALL),
];
/// Words about members, lists and choices that subsets do not have.
pub(super) const OTHERS: &[(&str, Kinds)] = &[
    ("not", Kinds::ALL),
    ("if", Kinds::ALL),
    ("dependentRequired", Kinds::OBJECT),
    ("dependentSchemas", Kinds::OBJECT),
    ("patternProperties", Kinds::OBJECT),
    ("propertyNames", Kinds::OBJECT),
    ("unevaluatedProperties", Kinds::OBJECT),
    ("contains", Kinds::ARRAY),
    ("minContains", Kinds::ARRAY),
    ("maxContains", Kinds::ARRAY),
    ("unevaluatedItems", Kinds::ARRAY),
];

/// A part of the result that is being put together.
pub(super) struct Merge<'l, 'd> {
    pub(super) lower: &'l mut Lower<'d>,
    pub(super) subset: &'static Subset,
    /// The part.
    pub(super) id: Id,
    /// The parts of the source that it says together.
    pub(super) ids: Rc<[Id]>,
    pub(super) kinds: Kinds,
    pub(super) words: Vec<(String, Word)>,
    /// What the words do not say, in sentences.
    pub(super) lost: Vec<String>,
}

impl Merge<'_, '_> {
    /// A part of the source.
    pub(super) fn part(&self, id: Id) -> &Part {
        self.lower.source.get(id)
    }

    /// Whether the target takes a keyword.
    pub(super) fn takes(&self, word: &str) -> bool {
        self.subset.words.contains(&word)
    }

    /// Leaves out what a part says by a keyword.
    pub(super) fn drop(&mut self, id: Id, word: &str) {
        let at = self.part(id).at(word);
        self.lower.change(Code::Dropped, at);
        self.tell(id, word);
    }

    /// Tells the model what a part says by a keyword.
    pub(super) fn tell(&mut self, id: Id, word: &str) {
        if self.lower.sentences && self.part(id).word(word).is_some() {
            let text = gist(&self.lower.source, id, word);
            self.lost.push(sentence(word, &text));
        }
    }

    /// The kinds to name where the source names none: those that its words are for, or the
    /// plain ones.
    pub(super) fn guess_kinds(&mut self) {
        if self.kinds != Kinds::ALL {
            return;
        }
        let shapes = [
            ("properties", Kinds::OBJECT),
            ("required", Kinds::OBJECT),
            ("additionalProperties", Kinds::OBJECT),
            ("items", Kinds::ARRAY),
            ("prefixItems", Kinds::ARRAY),
        ];
        let bounds = BOUNDS.iter().map(|(word, _, kinds)| (*word, *kinds));
        let all = bounds.chain(VALUES.iter().chain(OTHERS).copied()).chain(shapes);
        let ids = Rc::clone(&self.ids);
        let said = all.filter(|(word, kinds)| {
            *kinds != Kinds::ALL && ids.iter().any(|id| self.part(*id).word(word).is_some())
        });
        let guess = said.map(|(_, kinds)| kinds).fold(Kinds::NONE, Kinds::or);
        self.kinds = if guess == Kinds::NONE { Kinds::SCALAR } else { guess };
        let at = self.lower.out.get(self.id).at.clone();
        self.lower.change(Code::Typed, at);
    }

    /// One alternative for each type.
    pub(super) fn split(mut self, elements: &[Element]) -> Vec<(String, Word)> {
        let typed =
            self.ids.iter().map(|id| self.part(*id)).find(|part| part.word("type").is_some());
        let here = || self.lower.out.get(self.id).at.clone();
        let at = typed.filter(|part| !part.at.is_root()).map_or_else(here, |part| part.at("type"));
        self.lower.change(Code::Split, at);
        let mut made = Vec::new();
        for name in self.kinds.names() {
            let kind = self.lower.kind(name);
            let mut key = Lower::taken(elements);
            key.extend(Lower::taken(&[(kind, 0)]));
            made.extend(self.lower.make(key, Some(self.id)));
        }
        self.words.push(("anyOf".to_owned(), Word::Parts(made)));
        self.words
    }
}
