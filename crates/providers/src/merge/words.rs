//! Merges keywords that have a value.

use std::collections::BTreeSet;

use json_text::Number;

use super::part::{BOUNDS, Merge, UNSUPPORTED, VALUES};
use crate::change::ChangeKind;
use crate::graph::{Id, KeywordValue, is_tighter};
use crate::lowering::ListedValue;
use crate::type_set::TypeSet;

impl Merge<'_, '_> {
    /// Writes the values that all parts list.
    pub(super) fn values(&mut self) {
        let mut said = Vec::new();
        let mut lists = Vec::new();
        for id in self.ids.clone().iter().copied() {
            for word in ["enum", "const"] {
                if let Some(listed) = self.lower.listed_values(id, word) {
                    said.push((id, word));
                    lists.push(listed);
                }
            }
        }
        let Some((first, rest)) = lists.split_first() else { return };
        let Some((id, word)) = said.first().copied() else { return };
        let single = said.iter().any(|(_, word)| *word == "const");
        let mut left: Vec<&ListedValue> =
            first.iter().filter(|value| self.kinds.intersects(value.kind)).collect();
        for list in rest {
            let keys: BTreeSet<&str> = list.iter().map(|value| value.key.as_str()).collect();
            left.retain(|value| keys.contains(value.key.as_str()));
        }
        let values: Vec<&str> = left.iter().map(|value| value.raw.as_str()).collect();
        let plain = |text: &&str| !text.starts_with(['{', '[']);
        let string = |text: &&str| text.starts_with('"');
        let fits = if self.subset.string_enums {
            values.iter().all(string)
        } else {
            values.iter().all(plain)
        };
        if values.is_empty() {
            if let Some(part) = self.lower.out.parts.get_mut(self.id) {
                part.unsatisfiable = true;
            }
            return;
        }
        if !fits {
            for (id, word) in said {
                self.drop_keyword(id, word);
            }
            return;
        }
        match values.as_slice() {
            [one] if single && self.supports("const") => {
                self.keywords.push(("const".to_owned(), KeywordValue::Json((*one).to_owned())));
            }
            _ => {
                if single {
                    let at = self.part(id).at(word);
                    self.lower.record_change(ChangeKind::Reworded, at);
                }
                let text = format!("[{}]", values.join(","));
                self.keywords.push(("enum".to_owned(), KeywordValue::Json(text)));
            }
        }
    }

    /// Writes the tightest bounds.
    pub(super) fn bounds(&mut self) {
        let mut found: Vec<(&str, Id, String)> = Vec::new();
        for (word, larger, _) in BOUNDS.iter().filter(|(.., kinds)| self.kinds.intersects(*kinds)) {
            let mut best: Option<(Id, String)> = None;
            for id in self.ids.clone().iter().copied() {
                let Some(text) = self.part(id).json(word) else { continue };
                if best.as_ref().is_none_or(|(_, best)| is_tighter(text, best, *larger)) {
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
            if self.supports(word) && small {
                self.keywords.push((word.to_owned(), KeywordValue::Json(text)));
            } else if let Some((new, text)) = self.inclusive(word, &text) {
                let at = self.part(id).at(word);
                self.lower.record_change(ChangeKind::Reworded, at);
                let other = self.keywords.iter().find(|(own, _)| own == new);
                let looser = other.is_some_and(|(_, old)| match old {
                    KeywordValue::Json(old) => !is_tighter(&text, old, new == "minimum"),
                    _ => false,
                });
                if !looser {
                    self.keywords.retain(|(own, _)| own != new);
                    self.keywords.push((new.to_owned(), KeywordValue::Json(text)));
                }
            } else {
                self.drop_keyword(id, word);
            }
        }
    }

    /// Converts an exclusive bound of integers to an inclusive one.
    fn inclusive(&self, word: &str, text: &str) -> Option<(&'static str, String)> {
        let number = Number::parse(text)?;
        let integers = !self.kinds.intersects(TypeSet::NUMBER.without(TypeSet::INTEGER));
        let whole = number.to_i64().filter(|_| integers)?;
        let (word, bound) = match word {
            "exclusiveMinimum" => ("minimum", whole.checked_add(1)?),
            "exclusiveMaximum" => ("maximum", whole.checked_sub(1)?),
            _ => return None,
        };
        self.supports(word).then(|| (word, bound.to_string()))
    }

    /// Writes the keywords whose values cannot be merged, and drops conflicting and
    /// unsupported ones.
    pub(super) fn others(&mut self) {
        let kinds = self.kinds;
        for (word, _) in VALUES.iter().filter(|(_, own)| kinds.intersects(*own)) {
            let mut kept: Option<String> = None;
            for id in self.ids.clone().iter().copied() {
                let Some(text) = self.part(id).json(word).map(str::to_owned) else { continue };
                let named = || json_text::unquote(&text).into_owned();
                let known = *word != "format" || self.subset.formats.contains(&named().as_str());
                let idle = *word == "uniqueItems" && text == "false";
                match &kept {
                    _ if idle => {}
                    Some(kept) if *kept == text => {}
                    None if known && self.supports(word) => kept = Some(text),
                    Some(_) if *word == "default" => {}
                    _ => self.drop_keyword(id, word),
                }
            }
            self.keywords.extend(kept.map(|text| ((*word).to_owned(), KeywordValue::Json(text))));
        }
        for (word, _) in UNSUPPORTED.iter().filter(|(_, own)| kinds.intersects(*own)) {
            for id in self.ids.clone().iter().copied() {
                if self.part(id).keyword(word).is_some() {
                    self.drop_keyword(id, word);
                }
            }
        }
    }
}
