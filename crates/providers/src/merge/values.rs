//! Merges keywords that have a value.

use std::collections::BTreeSet;

use json_schema::types::Types;
use json_text::{Number, unquote};

use super::{BOUNDS, Merge, UNSUPPORTED, VALUES};
use crate::change::ChangeKind;
use crate::lowering::ListedValue;
use crate::parts::{Id, KeywordValue, is_tighter};

impl Merge<'_, '_> {
    /// Writes the values that all parts list.
    pub(super) fn values(&mut self) {
        let mut sources = Vec::new();
        let mut lists = Vec::new();
        for id in self.ids.clone().iter().copied() {
            for keyword in ["enum", "const"] {
                if let Some(listed) = self.lower.listed_values(id, keyword) {
                    sources.push((id, keyword));
                    lists.push(listed);
                }
            }
        }
        let Some((first, rest)) = lists.split_first() else { return };
        let mut left: Vec<&ListedValue> =
            first.iter().filter(|value| self.types.intersects(value.types)).collect();
        for list in rest {
            let keys: BTreeSet<&str> = list.iter().map(|value| value.key.as_str()).collect();
            left.retain(|value| keys.contains(value.key.as_str()));
        }
        let values: Vec<&str> = left.iter().map(|value| value.raw.as_str()).collect();
        if values.is_empty() {
            if let Some(part) = self.lower.out.parts.get_mut(self.id) {
                part.unsatisfiable = true;
            }
            return;
        }
        let strings_only = self.subset.string_enums;
        let are_writable = values.iter().all(|value| {
            if strings_only { value.starts_with('"') } else { !value.starts_with(['{', '[']) }
        });
        if !are_writable {
            for (id, keyword) in sources {
                self.drop_keyword(id, keyword);
            }
            return;
        }
        let has_const = sources.iter().any(|(_, keyword)| *keyword == "const");
        if let [one] = values.as_slice()
            && has_const
            && self.subset.supports("const")
        {
            self.add("const", (*one).to_owned());
            return;
        }
        if let Some((id, keyword)) = sources.first().copied()
            && has_const
        {
            let at = self.part(id).at(keyword);
            self.lower.record_change(ChangeKind::Reworded, at);
        }
        self.add("enum", format!("[{}]", values.join(",")));
    }

    /// Writes the tightest bounds.
    pub(super) fn bounds(&mut self) {
        for (keyword, larger, types) in BOUNDS {
            if !self.types.intersects(*types) {
                continue;
            }
            let mut best: Option<(Id, &str)> = None;
            for id in self.ids.iter().copied() {
                if let Some(text) = self.part(id).json(keyword)
                    && best.is_none_or(|(_, best)| is_tighter(text, best, *larger))
                {
                    best = Some((id, text));
                }
            }
            if let Some((id, text)) = best {
                let text = text.to_owned();
                self.bound(id, keyword, text);
            }
        }
    }

    /// Writes a bound of a part, with another keyword if the target requires that.
    fn bound(&mut self, id: Id, keyword: &str, text: String) {
        if self.subset.supports(keyword) && (keyword != "minItems" || self.is_small(&text)) {
            return self.add(keyword, text);
        }
        let Some((new, text)) = self.inclusive(keyword, &text) else {
            return self.drop_keyword(id, keyword);
        };
        let at = self.part(id).at(keyword);
        self.lower.record_change(ChangeKind::Reworded, at);
        if let Some((_, KeywordValue::Json(old))) = self.keywords.iter().find(|(own, _)| own == new)
            && !is_tighter(&text, old, new == "minimum")
        {
            return;
        }
        self.keywords.retain(|(own, _)| own != new);
        self.add(new, text);
    }

    /// Returns true if the target supports `minItems` with a value.
    fn is_small(&self, least: &str) -> bool {
        let Some(most) = self.subset.min_items else { return true };
        let least = Number::parse(least).and_then(|least| least.to_i64());
        least.is_some_and(|least| least <= most.into())
    }

    /// Converts an exclusive bound of integers to an inclusive one.
    fn inclusive(&self, keyword: &str, text: &str) -> Option<(&'static str, String)> {
        if self.types.intersects(Types::FRACTION) {
            return None;
        }
        let bound = Number::parse(text)?.to_i64()?;
        let (keyword, bound) = match keyword {
            "exclusiveMinimum" => ("minimum", bound.checked_add(1)?),
            "exclusiveMaximum" => ("maximum", bound.checked_sub(1)?),
            _ => return None,
        };
        if self.subset.supports(keyword) { Some((keyword, bound.to_string())) } else { None }
    }

    /// Writes the keywords whose values cannot be merged, and drops conflicting and
    /// unsupported ones.
    pub(super) fn others(&mut self) {
        let ids = self.ids.clone();
        for (keyword, types) in VALUES {
            if !self.types.intersects(*types) {
                continue;
            }
            let mut kept: Option<String> = None;
            for id in ids.iter().copied() {
                let Some(text) = self.part(id).json(keyword) else { continue };
                let is_supported = self.subset.supports(keyword)
                    && (*keyword != "format" || self.subset.supports_format(&unquote(text)));
                match &kept {
                    _ if *keyword == "uniqueItems" && text == "false" => {}
                    Some(kept) if kept == text => {}
                    None if is_supported => kept = Some(text.to_owned()),
                    Some(_) if *keyword == "default" => {}
                    _ => self.drop_keyword(id, keyword),
                }
            }
            if let Some(text) = kept {
                self.add(keyword, text);
            }
        }
        for (keyword, types) in UNSUPPORTED {
            for id in ids.iter().copied() {
                if self.types.intersects(*types) && self.part(id).has(keyword) {
                    self.drop_keyword(id, keyword);
                }
            }
        }
    }
}
