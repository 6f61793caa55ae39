//! Merges the elements of lists and the members of objects.

use std::collections::{BTreeMap, BTreeSet};

use json_text::Number;

use super::Merge;
use crate::change::ChangeKind;
use crate::json::write_strings;
use crate::lowering::Element;
use crate::parts::{Id, KeywordValue, Part, is_tighter};

impl Merge<'_, '_> {
    /// Writes the schema of the elements of a list.
    pub(super) fn list(&mut self) {
        let mut key = Vec::new();
        for id in self.ids.clone().iter().copied() {
            if !self.part(id).list("prefixItems").is_empty() {
                key.push((self.tuple(id), 0));
            } else if let Some(items) = self.part(id).subschema("items") {
                key.push((items, 0));
            }
        }
        if key.is_empty() {
            if !self.lower.dialect.requires_items {
                return;
            }
            self.lower.record_change_of(ChangeKind::Items, self.id);
        }
        let items = self.lower.output_part_or_never(key, self.id);
        self.keywords.push(("items".to_owned(), KeywordValue::Part(items)));
    }

    /// Returns a part for the elements of a tuple, in any order.
    fn tuple(&mut self, id: Id) -> Id {
        let at = self.part(id).at("prefixItems");
        self.lower.record_change(ChangeKind::Tuple, at.clone());
        self.add_sentence(id, "prefixItems");
        let mut any = self.part(id).list("prefixItems").to_vec();
        let rest = self.part(id).subschema("items");
        let most = self.most_elements();
        let is_closed = rest.is_some_and(|rest| self.part(rest).unsatisfiable);
        if is_closed && any.len() < most {
            self.at_most(any.len());
        }
        let has_rest = !is_closed && most > any.len();
        any.truncate(most);
        if has_rest {
            // Without a schema for the rest, an element may be anything.
            any.push(match rest {
                Some(rest) => rest,
                None => self.lower.add(Part::anything(at.clone())),
            });
        }
        let keywords = vec![("anyOf".to_owned(), KeywordValue::List(any))];
        self.lower.add(Part { at, unsatisfiable: false, keywords })
    }

    /// Returns the maximum number of elements.
    fn most_elements(&self) -> usize {
        let mut most = None;
        for id in self.ids.iter() {
            let bound = self.part(*id).json("maxItems").and_then(Number::parse);
            if let Some(bound) = bound.and_then(|bound| bound.to_i64())
                && most.is_none_or(|most| bound < most)
            {
                most = Some(bound);
            }
        }
        match most {
            Some(most) => usize::try_from(most).unwrap_or(usize::MAX),
            None => usize::MAX,
        }
    }

    /// Limits the number of elements, if the target supports that.
    fn at_most(&mut self, count: usize) {
        let text = count.to_string();
        let is_supported = self.subset.supports("maxItems");
        match self.keywords.iter_mut().find(|(keyword, _)| keyword == "maxItems") {
            Some((_, KeywordValue::Json(old))) if is_tighter(&text, old, false) => *old = text,
            None if is_supported => self.add("maxItems", text),
            _ => {}
        }
    }

    /// Writes the schemas of the members of an object.
    pub(super) fn object(&mut self) {
        let ids = self.ids.clone();
        let mut required = Vec::new();
        let mut is_required = BTreeSet::new();
        let mut names: Vec<String> = Vec::new();
        // For each name, the parts that name it and their subschemas.
        let mut named: BTreeMap<String, Vec<(Id, Id)>> = BTreeMap::new();
        // The parts that constrain members that they do not name.
        let mut others: Vec<(Id, Id)> = Vec::new();
        for id in ids.iter().copied() {
            let part = self.part(id);
            for name in part.required_in_order() {
                if is_required.insert(name.clone()) {
                    required.push(name);
                }
            }
            for (name, child) in part.properties() {
                let own = named.entry(name.clone()).or_default();
                if own.is_empty() {
                    names.push(name.clone());
                }
                own.push((id, *child));
            }
            if let Some(other) = part.subschema("additionalProperties")
                && !part.has("patternProperties")
            {
                others.push((id, other));
            }
        }
        names.extend(required.iter().filter(|name| !named.contains_key(*name)).cloned());
        let mut members = Vec::new();
        for name in names {
            let own = named.get(&name).map_or(&[][..], Vec::as_slice);
            let naming: BTreeSet<Id> = own.iter().map(|(id, _)| *id).collect();
            let mut key: Vec<Element> = own.iter().map(|(_, child)| (*child, 0)).collect();
            for (id, other) in &others {
                if !naming.contains(id) {
                    key.push((*other, 0));
                }
            }
            if is_required.contains(&name) {
                let id = self.lower.output_part_or_never(key, self.id);
                members.push((name, id));
            } else if let Some(id) = self.lower.output_part(key, Some(self.id)) {
                members.push((name, id));
            } else {
                self.lower.note_omitted_member(self.id, &name);
            }
            if self.lower.budget.is_spent() {
                return;
            }
        }
        if !(members.is_empty() && self.lower.dialect.gemini) {
            self.keywords.push(("properties".to_owned(), KeywordValue::Map(members)));
        }
        if !required.is_empty() {
            let mut text = String::new();
            write_strings(&required, &mut text);
            self.add("required", text);
        }
        self.additional(&ids);
    }

    /// Writes the constraint on unnamed members.
    fn additional(&mut self, ids: &[Id]) {
        let mut is_closed = false;
        let mut maps = Vec::new();
        for id in ids.iter().copied() {
            for keyword in ["additionalProperties", "unevaluatedProperties"] {
                let Some(other) = self.part(id).subschema(keyword) else { continue };
                let other = self.part(other);
                let unsatisfiable = other.unsatisfiable;
                if !unsatisfiable && other.keywords.is_empty() {
                    continue;
                }
                if !self.subset.closed {
                    self.drop_keyword(id, keyword);
                } else if unsatisfiable {
                    is_closed = true;
                } else {
                    maps.push(self.part(id).at(keyword));
                }
            }
        }
        if !self.subset.closed {
            return;
        }
        for at in maps {
            self.lower.record_change(ChangeKind::MapClosed, at);
        }
        if !is_closed {
            self.lower.record_change_of(ChangeKind::Closed, self.id);
        }
        self.add("additionalProperties", "false".to_owned());
    }
}
