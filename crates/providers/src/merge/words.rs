//! Merges keywords that have a value.

use std::collections::BTreeSet;

use json_text::Number;

use super::part::{BOUNDS, Merge, OTHERS, VALUES};
use crate::change::Code;
use crate::graph::{Id, Word, tighter};
use crate::kinds::Kinds;
use crate::making::Listed;

impl Merge<'_, '_> {
    /// Writes the values that all parts list.
    pub(super) fn values(&mut self) {
        let mut said = Vec::new();
        let mut lists = Vec::new();
        for id in self.ids.clone().iter().copied() {
            for word in ["enum", "const"] {
                if let Some(listed) = self.lower.listed(id, word) {
                    said.push((id, word));
                    lists.push(listed);
                }
            }
        }
        let Some((first, rest)) = lists.split_first() else { return };
        let Some((id, word)) = said.first().copied() else { return };
        let single = said.iter().any(|(_, word)| *word == "const");
        let mut left: Vec<&Listed> =
            first.iter().filter(|value| self.kinds.meets(value.kind)).collect();
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
                part.never = true;
            }
            return;
        }
        if !fits {
            for (id, word) in said {
                self.drop(id, word);
            }
            return;
        }
        match values.as_slice() {
            [one] if single && self.takes("const") => {
                self.words.push(("const".to_owned(), Word::Json((*one).to_owned())));
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

    /// Writes the tightest bounds.
    pub(super) fn bounds(&mut self) {
        let mut found: Vec<(&str, Id, String)> = Vec::new();
        for (word, larger, _) in BOUNDS.iter().filter(|(.., kinds)| self.kinds.meets(*kinds)) {
            let mut best: Option<(Id, String)> = None;
            for id in self.ids.clone().iter().copied() {
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
            } else if let Some((new, text)) = self.inclusive(word, &text) {
                let at = self.part(id).at(word);
                self.lower.change(Code::Reworded, at);
                let other = self.words.iter().find(|(own, _)| own == new);
                let looser = other.is_some_and(|(_, old)| match old {
                    Word::Json(old) => !tighter(&text, old, new == "minimum"),
                    _ => false,
                });
                if !looser {
                    self.words.retain(|(own, _)| own != new);
                    self.words.push((new.to_owned(), Word::Json(text)));
                }
            } else {
                self.drop(id, word);
            }
        }
    }

    /// Converts an exclusive bound of integers to an inclusive one.
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

    /// Writes the keywords whose values cannot be merged, and drops conflicting and
    /// unsupported ones.
    pub(super) fn others(&mut self) {
        let kinds = self.kinds;
        for (word, _) in VALUES.iter().filter(|(_, own)| kinds.meets(*own)) {
            let mut kept: Option<String> = None;
            for id in self.ids.clone().iter().copied() {
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
            for id in self.ids.clone().iter().copied() {
                if self.part(id).word(word).is_some() {
                    self.drop(id, word);
                }
            }
        }
    }
}
