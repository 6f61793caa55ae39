//! Merges several parts of a schema into one, in the keywords of a target.

use std::collections::BTreeSet;
use std::rc::Rc;

use json_schema::types::Types;

use crate::change::ChangeKind;
use crate::dialect::Subset;
use crate::lowering::{Element, Lowering, is_note};
use crate::parts::{Id, KeywordValue, Keywords, Part};
use crate::sentence::{sentence, value_excerpt, with_sentences};
use crate::write::write_type;

mod inside;
mod values;

/// Bounds: the keyword, whether the larger of two is tighter, and the types it applies to.
const BOUNDS: &[(&str, bool, Types)] = &[
    ("minimum", true, Types::NUMBER),
    ("maximum", false, Types::NUMBER),
    ("exclusiveMinimum", true, Types::NUMBER),
    ("exclusiveMaximum", false, Types::NUMBER),
    ("minLength", true, Types::STRING),
    ("maxLength", false, Types::STRING),
    ("minItems", true, Types::ARRAY),
    ("maxItems", false, Types::ARRAY),
    ("minProperties", true, Types::OBJECT),
    ("maxProperties", false, Types::OBJECT),
];
/// Other keywords with a value, and the types they apply to.
const VALUES: &[(&str, Types)] = &[
    ("multipleOf", Types::NUMBER),
    ("pattern", Types::STRING),
    ("format", Types::ALL),
    ("uniqueItems", Types::ARRAY),
    ("default", Types::ALL),
];
/// Keywords for members, lists and choices that no subset supports.
const UNSUPPORTED: &[(&str, Types)] = &[
    ("not", Types::ALL),
    ("if", Types::ALL),
    ("dependentRequired", Types::OBJECT),
    ("dependentSchemas", Types::OBJECT),
    ("patternProperties", Types::OBJECT),
    ("propertyNames", Types::OBJECT),
    ("unevaluatedProperties", Types::OBJECT),
    ("contains", Types::ARRAY),
    ("minContains", Types::ARRAY),
    ("maxContains", Types::ARRAY),
    ("unevaluatedItems", Types::ARRAY),
];
/// Keywords for members and elements, and the types they apply to.
const SHAPES: &[(&str, Types)] = &[
    ("properties", Types::OBJECT),
    ("required", Types::OBJECT),
    ("additionalProperties", Types::OBJECT),
    ("items", Types::ARRAY),
    ("prefixItems", Types::ARRAY),
];

/// Merges parts without choices, and returns the keywords of the result.
pub(crate) fn merge(lower: &mut Lowering<'_>, id: Id, elements: &[Element]) -> Keywords {
    let Some(subset) = lower.dialect.subset else { return Vec::new() };
    let mut types = Types::ALL;
    let mut seen = BTreeSet::new();
    let mut ids = Vec::new();
    for (id, _) in elements {
        types = types.and(lower.types.own(*id));
        if seen.insert(*id) {
            ids.push(*id);
        }
    }
    let mut merge = Merge {
        lower,
        subset,
        id,
        ids: ids.into(),
        types,
        keywords: Vec::new(),
        sentences: Vec::new(),
    };
    if types == Types::ALL {
        merge.guess_types();
    }
    if subset.single_type && merge.types.without(Types::NULL).names().len() > 1 {
        return merge.split(elements);
    }
    let mut text = String::new();
    write_type(merge.types, &mut text);
    merge.add("type", text);
    merge.values();
    merge.bounds();
    merge.others();
    if merge.types.intersects(Types::ARRAY) {
        merge.list();
    }
    if merge.types.intersects(Types::OBJECT) {
        merge.object();
    }
    merge.notes();
    merge.keywords
}

/// A part of the result that is being merged.
struct Merge<'l, 'd> {
    lower: &'l mut Lowering<'d>,
    subset: &'static Subset,
    /// The part of the result.
    id: Id,
    /// The merged parts of the source.
    ids: Rc<[Id]>,
    types: Types,
    keywords: Keywords,
    /// Sentences about the keywords that are left out.
    sentences: Vec<String>,
}

impl Merge<'_, '_> {
    /// Returns a part of the source.
    fn part(&self, id: Id) -> &Part {
        self.lower.source.get(id)
    }

    /// Adds a keyword whose value is JSON.
    fn add(&mut self, keyword: &str, json: String) {
        self.keywords.push((keyword.to_owned(), KeywordValue::Json(json)));
    }

    /// Leaves out a keyword of a part.
    fn drop_keyword(&mut self, id: Id, keyword: &str) {
        let at = self.part(id).at(keyword);
        self.lower.record_change(ChangeKind::Dropped, at);
        self.add_sentence(id, keyword);
    }

    /// Adds a sentence for the model about a keyword of a part.
    fn add_sentence(&mut self, id: Id, keyword: &str) {
        if self.lower.sentences && self.part(id).has(keyword) {
            let text = value_excerpt(&self.lower.source, id, keyword);
            self.sentences.push(sentence(keyword, &text));
        }
    }

    /// Chooses types if the source names none: the types that its keywords apply to, or
    /// else scalars.
    fn guess_types(&mut self) {
        let mut guess = Types::NONE;
        let bounds = BOUNDS.iter().map(|(keyword, _, types)| (*keyword, *types));
        let others = [VALUES, UNSUPPORTED, SHAPES].concat();
        for (keyword, types) in bounds.chain(others) {
            if types != Types::ALL && self.ids.iter().any(|id| self.part(*id).has(keyword)) {
                guess = guess.or(types);
            }
        }
        self.types = if guess.is_empty() { Types::SCALAR } else { guess };
        self.lower.record_change_of(ChangeKind::Typed, self.id);
    }

    /// Writes one alternative for each type.
    fn split(mut self, elements: &[Element]) -> Keywords {
        let typed = self.ids.iter().map(|id| self.part(*id)).find(|part| part.has("type"));
        let at = match typed {
            Some(part) if !part.at.is_root() => part.at("type"),
            _ => self.lower.out.get(self.id).at.clone(),
        };
        self.lower.record_change(ChangeKind::Split, at);
        let mut alternatives = Vec::new();
        for name in self.types.names() {
            let typed = self.lower.type_part(name);
            let mut key = Lowering::with_all_taken(elements);
            key.extend(Lowering::with_all_taken(&[(typed, 0)]));
            alternatives.extend(self.lower.output_part(key, Some(self.id)));
        }
        self.keywords.push(("anyOf".to_owned(), KeywordValue::List(alternatives)));
        self.keywords
    }

    /// Writes the texts for the model, and drops other annotations.
    fn notes(&mut self) {
        for id in self.ids.clone().iter().copied() {
            let mut dropped = Vec::new();
            for (keyword, _) in &self.part(id).keywords {
                let is_text = matches!(keyword.as_str(), "title" | "description" | "$comment");
                // `others` has judged `default`.
                if is_note(keyword) && !is_text && keyword != "default" {
                    dropped.push(keyword.clone());
                }
            }
            for keyword in dropped {
                self.drop_keyword(id, &keyword);
            }
        }
        let title = self.first_text("title");
        let mut description = self.first_text("description");
        if self.lower.sentences && !self.sentences.is_empty() {
            description = Some(with_sentences(description.as_deref(), &self.sentences));
        }
        // They are read first, after the type.
        for (name, text) in [("description", description), ("title", title)] {
            if let Some(text) = text {
                self.keywords.insert(1, (name.to_owned(), KeywordValue::Json(text)));
            }
        }
    }

    fn first_text(&self, keyword: &str) -> Option<String> {
        let text = self.ids.iter().find_map(|id| self.part(*id).json(keyword))?;
        Some(text.to_owned())
    }
}
