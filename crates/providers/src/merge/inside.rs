//! Merges the elements of lists and the members of objects.

use std::collections::{BTreeMap, BTreeSet};

use json_text::{Number, quote};

use super::part::Merge;
use crate::change::ChangeKind;
use crate::graph::{Id, KeywordValue, Subschema, is_tighter};
use crate::lowering::Element;

impl Merge<'_, '_> {
    /// Writes the schema of the elements of a list.
    pub(super) fn list(&mut self) {
        let mut key = Vec::new();
        for id in self.ids.clone().iter().copied() {
            if self.part(id).list("prefixItems").is_empty() {
                key.extend(self.part(id).subschema("items").map(|id| (id, 0)));
            } else {
                let any = self.tuple(id);
                key.push((any, 0));
            }
        }
        if key.is_empty() && !self.lower.dialect.requires_items {
            return;
        }
        if key.is_empty() {
            let at = self.lower.out.get(self.id).at.clone();
            self.lower.record_change(ChangeKind::Items, at);
        }
        let made = self.lower.output_part_or_never(key, self.id);
        self.keywords.push(("items".to_owned(), KeywordValue::Part(made)));
    }

    /// Returns a part for the elements of a tuple, in any order.
    fn tuple(&mut self, id: Id) -> Id {
        let at = self.part(id).at("prefixItems");
        self.lower.record_change(ChangeKind::Tuple, at.clone());
        self.add_sentence(id, "prefixItems");
        let mut any = self.part(id).list("prefixItems").to_vec();
        let rest = self.part(id).subschema("items");
        // The maximum number of elements.
        let most = self.ids.iter().filter_map(|id| self.part(*id).json("maxItems"));
        let most = most.filter_map(|text| Number::parse(text)?.to_i64()).min();
        let most = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
        let closed = rest.is_some_and(|rest| self.part(rest).unsatisfiable);
        if closed && any.len() < most {
            self.at_most(any.len());
        }
        let closed = closed || most <= any.len();
        any.truncate(most);
        if !closed {
            // Without a schema for the rest, an element may be anything.
            let anything = || Subschema { at: at.clone(), ..Subschema::default() };
            let rest = rest.unwrap_or_else(|| self.lower.add(anything()));
            any.push(rest);
        }
        let words = vec![("anyOf".to_owned(), KeywordValue::List(any))];
        self.lower.add(Subschema { at, unsatisfiable: false, keywords: words })
    }

    /// Limits the number of elements, if the target supports that.
    fn at_most(&mut self, count: usize) {
        let text = count.to_string();
        let takes = self.supports("maxItems");
        match self.keywords.iter_mut().find(|(word, _)| word == "maxItems") {
            Some((_, KeywordValue::Json(old))) if is_tighter(&text, old, false) => *old = text,
            None if takes => self.keywords.push(("maxItems".to_owned(), KeywordValue::Json(text))),
            _ => {}
        }
    }

    /// Writes the schemas of the members of an object.
    pub(super) fn object(&mut self) {
        let ids = self.ids.clone();
        let mut required = Vec::new();
        let mut needed = BTreeSet::new();
        for id in ids.iter() {
            let names = self.part(*id).required_in_order();
            required.extend(names.into_iter().filter(|name| needed.insert(name.clone())));
        }
        let mut names: Vec<String> = Vec::new();
        let mut said: BTreeMap<String, Vec<(Id, Id)>> = BTreeMap::new();
        for id in ids.iter() {
            for (name, child) in self.part(*id).map("properties") {
                let own = said.entry(name.clone()).or_insert_with(|| {
                    names.push(name.clone());
                    Vec::new()
                });
                own.push((*id, *child));
            }
        }
        names.extend(required.iter().filter(|name| !said.contains_key(*name)).cloned());
        // The parts that constrain members that they do not name.
        let others = ids.iter().filter_map(|id| {
            let part = self.part(*id);
            let other = part.subschema("additionalProperties");
            Some((*id, other.filter(|_| part.keyword("patternProperties").is_none())?))
        });
        let others: Vec<(Id, Id)> = others.collect();
        let mut made = Vec::new();
        for name in names {
            let own = said.remove(&name).unwrap_or_default();
            let naming: BTreeSet<Id> = own.iter().map(|(id, _)| *id).collect();
            let others = others.iter().filter(|(id, _)| !naming.contains(id));
            let key: Vec<Element> = own.iter().chain(others).map(|(_, id)| (*id, 0)).collect();
            if needed.contains(&name) {
                let id = self.lower.output_part_or_never(key, self.id);
                made.push((name, id));
            } else if let Some(id) = self.lower.output_part(key, Some(self.id)) {
                made.push((name, id));
            } else {
                self.lower.note_omitted_member(self.id, &name);
            }
            if self.lower.budget.is_spent() {
                return;
            }
        }
        if !(made.is_empty() && self.lower.dialect.gemini) {
            self.keywords.push(("properties".to_owned(), KeywordValue::Map(made)));
        }
        let required: Vec<String> = required.iter().map(|name| quote(name)).collect();
        if !required.is_empty() {
            let text = format!("[{}]", required.join(","));
            self.keywords.push(("required".to_owned(), KeywordValue::Json(text)));
        }
        self.additional(&ids);
    }

    /// Writes the constraint on unnamed members.
    fn additional(&mut self, ids: &[Id]) {
        let mut closed = false;
        let mut maps = Vec::new();
        for id in ids {
            for word in ["additionalProperties", "unevaluatedProperties"] {
                let Some(other) = self.part(*id).subschema(word) else { continue };
                let other = self.part(other);
                closed |= other.unsatisfiable;
                if !other.unsatisfiable && !other.keywords.is_empty() {
                    maps.push(self.part(*id).at(word));
                }
                if !self.subset.closed && (other.unsatisfiable || !other.keywords.is_empty()) {
                    self.drop_keyword(*id, word);
                }
            }
        }
        if !self.subset.closed {
            return;
        }
        for at in maps {
            self.lower.record_change(ChangeKind::MapClosed, at);
        }
        if !closed {
            let at = self.lower.out.get(self.id).at.clone();
            self.lower.record_change(ChangeKind::Closed, at);
        }
        let never = KeywordValue::Json("false".to_owned());
        self.keywords.push(("additionalProperties".to_owned(), never));
    }
}
