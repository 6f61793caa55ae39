//! A part of the result that is being merged.

use std::rc::Rc;

use crate::change::Code;
use crate::dialect::Subset;
use crate::graph::{Id, Part, Word};
use crate::kinds::Kinds;
use crate::making::{Element, Lower};
use crate::sentence::{gist, sentence};

/// Bounds: the keyword, whether the larger of two is tighter, and the kind it applies to.
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
/// Other keywords with a value, and the kind they apply to.
pub(super) const VALUES: &[(&str, Kinds)] = &[
    ("multipleOf", Kinds::NUMBER),
    ("pattern", Kinds::STRING),
    ("format", Kinds::ALL),
    ("uniqueItems", Kinds::ARRAY),
    ("default", Kinds::ALL),
];
/// Keywords for members, lists and choices that no subset supports.
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

/// A part of the result that is being merged.
pub(super) struct Merge<'l, 'd> {
    pub(super) lower: &'l mut Lower<'d>,
    pub(super) subset: &'static Subset,
    /// The part of the result.
    pub(super) id: Id,
    /// The merged parts of the source.
    pub(super) ids: Rc<[Id]>,
    pub(super) kinds: Kinds,
    pub(super) words: Vec<(String, Word)>,
    /// Sentences about the keywords that are left out.
    pub(super) lost: Vec<String>,
}

impl Merge<'_, '_> {
    /// Returns a part of the source.
    pub(super) fn part(&self, id: Id) -> &Part {
        self.lower.source.get(id)
    }

    /// Returns true if the target supports a keyword.
    pub(super) fn takes(&self, word: &str) -> bool {
        self.subset.words.contains(&word)
    }

    /// Leaves out a keyword of a part.
    pub(super) fn drop(&mut self, id: Id, word: &str) {
        let at = self.part(id).at(word);
        self.lower.change(Code::Dropped, at);
        self.tell(id, word);
    }

    /// Adds a sentence for the model about a keyword of a part.
    pub(super) fn tell(&mut self, id: Id, word: &str) {
        if self.lower.sentences && self.part(id).word(word).is_some() {
            let text = gist(&self.lower.source, id, word);
            self.lost.push(sentence(word, &text));
        }
    }

    /// Chooses kinds if the source names no type: the kinds that its keywords apply to, or
    /// else scalars.
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

    /// Writes one alternative for each type.
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
