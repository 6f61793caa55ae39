//! A part of the result that is being merged.

use std::rc::Rc;

use crate::change::ChangeKind;
use crate::dialect::Subset;
use crate::graph::{Id, KeywordValue, Subschema};
use crate::lowering::{Element, Lowering};
use crate::sentence::{sentence, value_excerpt};
use crate::type_set::TypeSet;

/// Bounds: the keyword, whether the larger of two is tighter, and the kind it applies to.
pub(super) const BOUNDS: &[(&str, bool, TypeSet)] = &[
    ("minimum", true, TypeSet::NUMBER),
    ("maximum", false, TypeSet::NUMBER),
    ("exclusiveMinimum", true, TypeSet::NUMBER),
    ("exclusiveMaximum", false, TypeSet::NUMBER),
    ("minLength", true, TypeSet::STRING),
    ("maxLength", false, TypeSet::STRING),
    ("minItems", true, TypeSet::ARRAY),
    ("maxItems", false, TypeSet::ARRAY),
    ("minProperties", true, TypeSet::OBJECT),
    ("maxProperties", false, TypeSet::OBJECT),
];
/// Other keywords with a value, and the kind they apply to.
pub(super) const VALUES: &[(&str, TypeSet)] = &[
    ("multipleOf", TypeSet::NUMBER),
    ("pattern", TypeSet::STRING),
    ("format", TypeSet::ALL),
    ("uniqueItems", TypeSet::ARRAY),
    ("default", TypeSet::ALL),
];
/// Keywords for members, lists and choices that no subset supports.
pub(super) const UNSUPPORTED: &[(&str, TypeSet)] = &[
    ("not", TypeSet::ALL),
    ("if", TypeSet::ALL),
    ("dependentRequired", TypeSet::OBJECT),
    ("dependentSchemas", TypeSet::OBJECT),
    ("patternProperties", TypeSet::OBJECT),
    ("propertyNames", TypeSet::OBJECT),
    ("unevaluatedProperties", TypeSet::OBJECT),
    ("contains", TypeSet::ARRAY),
    ("minContains", TypeSet::ARRAY),
    ("maxContains", TypeSet::ARRAY),
    ("unevaluatedItems", TypeSet::ARRAY),
];

/// A part of the result that is being merged.
pub(super) struct Merge<'l, 'd> {
    pub(super) lower: &'l mut Lowering<'d>,
    pub(super) subset: &'static Subset,
    /// The part of the result.
    pub(super) id: Id,
    /// The merged parts of the source.
    pub(super) ids: Rc<[Id]>,
    pub(super) kinds: TypeSet,
    pub(super) keywords: Vec<(String, KeywordValue)>,
    /// Sentences about the keywords that are left out.
    pub(super) sentences: Vec<String>,
}

impl Merge<'_, '_> {
    /// Returns a part of the source.
    pub(super) fn part(&self, id: Id) -> &Subschema {
        self.lower.source.get(id)
    }

    /// Returns true if the target supports a keyword.
    pub(super) fn supports(&self, word: &str) -> bool {
        self.subset.keywords.contains(&word)
    }

    /// Leaves out a keyword of a part.
    pub(super) fn drop_keyword(&mut self, id: Id, word: &str) {
        let at = self.part(id).at(word);
        self.lower.record_change(ChangeKind::Dropped, at);
        self.add_sentence(id, word);
    }

    /// Adds a sentence for the model about a keyword of a part.
    pub(super) fn add_sentence(&mut self, id: Id, word: &str) {
        if self.lower.sentences && self.part(id).keyword(word).is_some() {
            let text = value_excerpt(&self.lower.source, id, word);
            self.sentences.push(sentence(word, &text));
        }
    }

    /// Chooses kinds if the source names no type: the kinds that its keywords apply to, or
    /// else scalars.
    pub(super) fn guess_kinds(&mut self) {
        if self.kinds != TypeSet::ALL {
            return;
        }
        let shapes = [
            ("properties", TypeSet::OBJECT),
            ("required", TypeSet::OBJECT),
            ("additionalProperties", TypeSet::OBJECT),
            ("items", TypeSet::ARRAY),
            ("prefixItems", TypeSet::ARRAY),
        ];
        let bounds = BOUNDS.iter().map(|(word, _, kinds)| (*word, *kinds));
        let all = bounds.chain(VALUES.iter().chain(UNSUPPORTED).copied()).chain(shapes);
        let ids = Rc::clone(&self.ids);
        let said = all.filter(|(word, kinds)| {
            *kinds != TypeSet::ALL && ids.iter().any(|id| self.part(*id).keyword(word).is_some())
        });
        let guess = said.map(|(_, kinds)| kinds).fold(TypeSet::NONE, TypeSet::or);
        self.kinds = if guess == TypeSet::NONE { TypeSet::SCALAR } else { guess };
        let at = self.lower.out.get(self.id).at.clone();
        self.lower.record_change(ChangeKind::Typed, at);
    }

    /// Writes one alternative for each type.
    pub(super) fn split(mut self, elements: &[Element]) -> Vec<(String, KeywordValue)> {
        let typed =
            self.ids.iter().map(|id| self.part(*id)).find(|part| part.keyword("type").is_some());
        let here = || self.lower.out.get(self.id).at.clone();
        let at = typed.filter(|part| !part.at.is_root()).map_or_else(here, |part| part.at("type"));
        self.lower.record_change(ChangeKind::Split, at);
        let mut made = Vec::new();
        for name in self.kinds.names() {
            let kind = self.lower.type_part(name);
            let mut key = Lowering::with_all_taken(elements);
            key.extend(Lowering::with_all_taken(&[(kind, 0)]));
            made.extend(self.lower.output_part(key, Some(self.id)));
        }
        self.keywords.push(("anyOf".to_owned(), KeywordValue::List(made)));
        self.keywords
    }
}
