//! What several parts of a schema say together, in the words of a target.

use std::collections::{BTreeMap, BTreeSet};

use json_text::{Number, canonical, quote};

use crate::change::Code;
use crate::dialect::Subset;
use crate::graph::{Id, Part, Word, read, tighter};
use crate::kinds::Kinds;
use crate::making::{Element, Lower, NOTES};
use crate::sentence::sentence;
use crate::write::types;

/// Bounds, whether the larger of two counts, and the kind that they are for.
const BOUNDS: &[(&str, bool, Kinds)] = &[
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
const VALUES: &[(&str, Kinds)] = &[
    ("multipleOf", Kinds::NUMBER),
    ("pattern", Kinds::STRING),
    ("format", Kinds::ALL),
    ("uniqueItems", Kinds::ARRAY),
    ("default", Kinds::ALL),
];
/// Words about members, lists and choices that subsets do not have.
const OTHERS: &[(&str, Kinds)] = &[
    ("not", Kinds::ALL),
    ("if", Kinds::ALL),
    ("dependentRequired", Kinds::OBJECT),
    ("dependentSchemas", Kinds::OBJECT),
    ("patternProperties", Kinds::OBJECT),
    ("propertyNames", Kinds::OBJECT),
    ("unevaluatedProperties", Kinds::OBJECT),
    ("contains", Kinds::ARRAY),
    ("unevaluatedItems", Kinds::ARRAY),
];

/// A part of the result that is being put together.
struct Merge<'l, 'd> {
    lower: &'l mut Lower<'d>,
    subset: &'static Subset,
    id: Id,
    elements: Vec<Element>,
    kinds: Kinds,
    words: Vec<(String, Word)>,
    lost: Vec<String>,
}

/// What parts without choices say together.
pub(crate) fn merge(lower: &mut Lower<'_>, id: Id, elements: &[Element]) -> Vec<(String, Word)> {
    let Some(subset) = lower.dialect.subset else { return Vec::new() };
    let own = elements.iter().map(|(id, _)| lower.source.get(*id).own_kinds());
    let kinds = own.fold(Kinds::ALL, Kinds::and);
    let elements = elements.to_vec();
    let mut merge =
        Merge { lower, subset, id, elements, kinds, words: Vec::new(), lost: Vec::new() };
    merge.guess_kinds();
    if subset.single_type && merge.kinds.without(Kinds::NULL).names().len() > 1 {
        return merge.split();
    }
    let mut text = String::new();
    types(merge.kinds, &mut text);
    merge.words.push(("type".to_owned(), Word::Json(text)));
    merge.values();
    merge.bounds();
    merge.others();
    if merge.kinds.meets(Kinds::ARRAY) {
        merge.list();
    }
    if merge.kinds.meets(Kinds::OBJECT) {
        merge.object();
    }
    merge.notes();
    merge.words
}

impl Merge<'_, '_> {
    fn part(&self, id: Id) -> &Part {
        self.lower.source.get(id)
    }

    fn ids(&self) -> Vec<Id> {
        let mut seen = BTreeSet::new();
        self.elements.iter().map(|(id, _)| *id).filter(|id| seen.insert(*id)).collect()
    }

    /// Whether the target takes a keyword.
    fn takes(&self, word: &str) -> bool {
        self.subset.words.contains(&word)
    }

    /// Leaves out what a part says by a keyword.
    fn drop(&mut self, id: Id, word: &str) {
        let at = self.part(id).at(word);
        self.lower.change(Code::Dropped, at);
        if let Some(value) = self.part(id).json(word) {
            self.lost.push(sentence(word, value));
        }
    }

    /// The kinds to name where the source names none: those that its words are for, or the
    /// plain ones.
    fn guess_kinds(&mut self) {
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
        let ids = self.ids();
        let said = all.filter(|(word, kinds)| {
            *kinds != Kinds::ALL && ids.iter().any(|id| self.part(*id).word(word).is_some())
        });
        let guess = said.map(|(_, kinds)| kinds).fold(Kinds::NONE, Kinds::or);
        self.kinds = if guess == Kinds::NONE { Kinds::SCALAR } else { guess };
        let at = self.lower.out.get(self.id).at.clone();
        self.lower.change(Code::Typed, at);
    }

    /// One alternative for each type.
    fn split(mut self) -> Vec<(String, Word)> {
        let at = self.lower.out.get(self.id).at("type");
        self.lower.change(Code::Split, at);
        let mut made = Vec::new();
        for name in self.kinds.names() {
            let kind = self.lower.kind(name);
            let mut key = Lower::taken(&self.elements);
            key.extend(Lower::taken(&[(kind, 0)]));
            made.extend(self.lower.make(key, Some(self.id)));
        }
        self.words.push(("anyOf".to_owned(), Word::Parts(made)));
        self.words
    }

    /// The values that are listed by all.
    fn values(&mut self) {
        let mut left: Option<BTreeMap<String, String>> = None;
        let mut order: Vec<String> = Vec::new();
        let mut single = false;
        let mut first = None;
        for id in self.ids() {
            for word in ["enum", "const"] {
                let Some(text) = self.part(id).json(word).map(str::to_owned) else { continue };
                first = first.or(Some((id, word)));
                single |= word == "const";
                let values = read(&text, |value| {
                    let one = (word == "const").then_some(value);
                    let all = value.elements().filter(|_| word == "enum").chain(one);
                    let fits = all.filter(|value| self.kinds.meets(Kinds::of(*value)));
                    fits.map(|value| (canonical(value), value.raw().to_owned())).collect::<Vec<_>>()
                });
                let values = values.unwrap_or_default();
                match &mut left {
                    None => {
                        order = values.iter().map(|(key, _)| key.clone()).collect();
                        left = Some(values.into_iter().collect());
                    }
                    Some(left) => {
                        let keys: BTreeSet<String> =
                            values.into_iter().map(|(key, _)| key).collect();
                        left.retain(|key, _| keys.contains(key));
                    }
                }
            }
        }
        let (Some(mut left), Some((id, word))) = (left, first) else { return };
        let values: Vec<String> = order.iter().filter_map(|key| left.remove(key)).collect();
        let plain = |text: &String| !text.starts_with(['{', '[']);
        let string = |text: &String| text.starts_with('"');
        let fits = if self.subset.string_enums {
            values.iter().all(string)
        } else {
            values.iter().all(plain)
        };
        if !fits || values.is_empty() {
            return self.drop(id, word);
        }
        match values.as_slice() {
            [one] if single && self.takes("const") => {
                self.words.push(("const".to_owned(), Word::Json(one.clone())));
            }
            _ => {
                if single {
                    let at = self.part(id).at(word);
                    self.lower.change(Code::Reworded, at);
                }
                let text = format!("[{}]", values.join(","));
                self.words.push(("enum".to_owned(), Word::Json(text)));
            }
        }
    }

    /// The tightest bounds.
    fn bounds(&mut self) {
        let mut found: Vec<(&str, Id, String)> = Vec::new();
        for (word, larger, _) in BOUNDS.iter().filter(|(.., kinds)| self.kinds.meets(*kinds)) {
            let mut best: Option<(Id, String)> = None;
            for id in self.ids() {
                let Some(text) = self.part(id).json(word) else { continue };
                if best.as_ref().is_none_or(|(_, best)| tighter(text, best, *larger)) {
                    best = Some((id, text.to_owned()));
                }
            }
            found.extend(best.map(|(id, text)| (*word, id, text)));
        }
        for (word, id, text) in found {
            let small = word != "minItems"
                || self.subset.min_items.is_none_or(|most| {
                    Number::parse(&text).and_then(|n| n.to_i64()).is_some_and(|n| n <= most.into())
                });
            if self.takes(word) && small {
                self.words.push((word.to_owned(), Word::Json(text)));
            } else if let Some((word, text)) = self.inclusive(word, &text) {
                let at = self.part(id).at(word);
                self.lower.change(Code::Reworded, at);
                let other = self.words.iter().find(|(own, _)| own == word);
                let looser = other.is_some_and(|(_, old)| match old {
                    Word::Json(old) => !tighter(&text, old, word == "minimum"),
                    _ => false,
                });
                if !looser {
                    self.words.retain(|(own, _)| own != word);
                    self.words.push((word.to_owned(), Word::Json(text)));
                }
            } else {
                self.drop(id, word);
            }
        }
    }

    /// An exclusive bound of integers as one that is not.
    fn inclusive(&self, word: &str, text: &str) -> Option<(&'static str, String)> {
        let number = Number::parse(text)?;
        let integers = !self.kinds.meets(Kinds::NUMBER.without(Kinds::INTEGER));
        let whole = number.to_i64().filter(|_| integers)?;
        let (word, bound) = match word {
            "exclusiveMinimum" => ("minimum", whole.checked_add(1)?),
            "exclusiveMaximum" => ("maximum", whole.checked_sub(1)?),
            _ => return None,
        };
        self.takes(word).then(|| (word, bound.to_string()))
    }

    /// Words whose values cannot be joined, and those that the target does not have.
    fn others(&mut self) {
        let kinds = self.kinds;
        for (word, _) in VALUES.iter().filter(|(_, own)| kinds.meets(*own)) {
            let mut kept: Option<String> = None;
            for id in self.ids() {
                let Some(text) = self.part(id).json(word).map(str::to_owned) else { continue };
                let named = || json_text::unquote(&text).into_owned();
                let known = *word != "format" || self.subset.formats.contains(&named().as_str());
                let idle = *word == "uniqueItems" && text == "false";
                match &kept {
                    _ if idle => {}
                    Some(kept) if *kept == text => {}
                    None if known && self.takes(word) => kept = Some(text),
                    Some(_) if *word == "default" => {}
                    _ => self.drop(id, word),
                }
            }
            self.words.extend(kept.map(|text| ((*word).to_owned(), Word::Json(text))));
        }
        for (word, _) in OTHERS.iter().filter(|(_, own)| kinds.meets(*own)) {
            for id in self.ids() {
                if self.part(id).word(word).is_some() {
                    self.drop(id, word);
                }
            }
        }
    }

    /// What the elements of a list are.
    fn list(&mut self) {
        let mut key = Vec::new();
        for id in self.ids() {
            let part = self.part(id);
            let (first, rest) = (part.list("prefixItems").to_vec(), part.part("items"));
            if first.is_empty() {
                key.extend(rest.map(|id| (id, 0)));
                continue;
            }
            let at = part.at("prefixItems");
            self.lower.change(Code::Tuple, at.clone());
            let closed = rest.is_some_and(|rest| self.part(rest).never);
            if closed {
                let most = first.len().to_string();
                let other = self.words.iter().any(|(word, _)| word == "maxItems");
                if self.takes("maxItems") && !other {
                    self.words.push(("maxItems".to_owned(), Word::Json(most)));
                }
            }
            // Without a schema for the rest, an element may be anything.
            if let Some(rest) = rest {
                let any = first.into_iter().chain((!closed).then_some(rest)).collect();
                let words = vec![("anyOf".to_owned(), Word::Parts(any))];
                let any = self.lower.source.push(Part { at, never: false, words });
                key.push((any, 0));
            }
        }
        if key.is_empty() && !self.lower.dialect.items {
            return;
        }
        if key.is_empty() {
            let at = self.lower.out.get(self.id).at.clone();
            self.lower.change(Code::Items, at);
        }
        if let Some(made) = self.lower.make(key, Some(self.id)) {
            return self.words.push(("items".to_owned(), Word::Part(made)));
        }
        // No element is taken.
        self.words.retain(|(word, _)| word != "maxItems");
        if self.takes("maxItems") {
            self.words.push(("maxItems".to_owned(), Word::Json("0".to_owned())));
        } else {
            let at = self.lower.out.get(self.id).at("items");
            self.lower.change(Code::Dropped, at);
        }
        let any = self.lower.make(Vec::new(), Some(self.id));
        self.words.extend(any.map(|any| ("items".to_owned(), Word::Part(any))));
    }

    /// What the members of an object are.
    fn object(&mut self) {
        let ids = self.ids();
        let mut required = Vec::new();
        let mut known = BTreeSet::new();
        for id in &ids {
            let text = self.part(*id).json("required").unwrap_or("[]").to_owned();
            let names = read(&text, |list| {
                list.elements().filter_map(|one| Some(one.text()?.into_owned())).collect::<Vec<_>>()
            });
            required.extend(
                names.unwrap_or_default().into_iter().filter(|name| known.insert(name.clone())),
            );
        }
        let mut names: Vec<String> = Vec::new();
        let mut seen = BTreeSet::new();
        let declared = ids.iter().flat_map(|id| self.part(*id).named("properties").iter());
        for name in declared.map(|(name, _)| name).chain(&required) {
            if seen.insert(name.clone()) {
                names.push(name.clone());
            }
        }
        let members: Vec<BTreeMap<String, Id>> = ids
            .iter()
            .map(|id| self.part(*id).named("properties").iter().cloned().collect())
            .collect();
        let mut made = Vec::new();
        for name in names {
            let mut key = Vec::new();
            for (id, own) in ids.iter().zip(&members) {
                let part = self.part(*id);
                let other = part.part("additionalProperties");
                let other = other.filter(|_| part.word("patternProperties").is_none());
                key.extend(own.get(&name).copied().or(other).map(|id| (id, 0)));
            }
            // A member that takes nothing cannot be there.
            made.extend(self.lower.make(key, Some(self.id)).map(|id| (name, id)));
        }
        let left: BTreeSet<&str> = made.iter().map(|(name, _)| name.as_str()).collect();
        let unmet = required.iter().any(|name| !left.contains(name.as_str()));
        let required: Vec<String> = required.iter().map(|name| quote(name)).collect();
        self.words.push(("properties".to_owned(), Word::Named(made)));
        if !required.is_empty() {
            let text = format!("[{}]", required.join(","));
            self.words.push(("required".to_owned(), Word::Json(text)));
        }
        if unmet && let Some(part) = self.lower.out.parts.get_mut(self.id) {
            part.never = true;
        }
        self.additional(&ids);
    }

    /// What other members are.
    fn additional(&mut self, ids: &[Id]) {
        let mut closed = false;
        let mut maps = Vec::new();
        for id in ids {
            for word in ["additionalProperties", "unevaluatedProperties"] {
                let Some(other) = self.part(*id).part(word) else { continue };
                let other = self.part(other);
                closed |= other.never;
                if !other.never && !other.words.is_empty() {
                    maps.push(self.part(*id).at(word));
                }
                if !self.subset.closed && (other.never || !other.words.is_empty()) {
                    let at = self.part(*id).at(word);
                    self.lower.change(Code::Dropped, at);
                }
            }
        }
        if !self.subset.closed {
            return;
        }
        for at in maps {
            self.lower.change(Code::MapClosed, at);
        }
        if !closed {
            let at = self.lower.out.get(self.id).at.clone();
            self.lower.change(Code::Closed, at);
        }
        let never = Word::Json("false".to_owned());
        self.words.push(("additionalProperties".to_owned(), never));
    }

    /// Texts for the model.
    fn notes(&mut self) {
        for id in self.ids() {
            let known = |word: &str| {
                BOUNDS.iter().any(|(own, ..)| *own == word)
                    || VALUES.iter().chain(OTHERS).any(|(own, _)| *own == word)
            };
            let dropped: Vec<String> = self
                .part(id)
                .words
                .iter()
                .map(|(word, _)| word.clone())
                .filter(|word| NOTES.contains(&word.as_str()) && !known(word))
                .filter(|word| !matches!(word.as_str(), "title" | "description" | "$comment"))
                .collect();
            for word in dropped {
                self.drop(id, &word);
            }
        }
        let note = |merge: &Self, word: &str| {
            let texts = merge.ids().into_iter();
            let mut texts = texts.filter_map(|id| merge.part(id).json(word).map(str::to_owned));
            texts.next()
        };
        let title = note(self, "title");
        let mut description = note(self, "description");
        if self.lower.sentences && !self.lost.is_empty() {
            let said = description.as_deref().map(json_text::unquote).unwrap_or_default();
            let all = std::iter::once(said.into_owned()).filter(|said| !said.is_empty());
            let all: Vec<String> = all.chain(self.lost.drain(..)).collect();
            description = Some(quote(&all.join(" ")));
        }
        let notes = [("title", title), ("description", description)];
        let notes = notes.into_iter().filter_map(|(word, text)| Some((word, text?)));
        self.words.splice(1..1, notes.map(|(word, text)| (word.to_owned(), Word::Json(text))));
    }
}
