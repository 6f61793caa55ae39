//! Lowers a schema to the keywords that a target supports.
//!
//! A part of the result combines the parts of the source that apply to one value. Choices
//! among them are expanded, so that each alternative is complete. Keywords that the target
//! does not support are left out and listed.
//!
//! The relation of the result to the source is not decided here. It is proved afterwards.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Diagnostic, Pointer};

use crate::budget::Budget;
use crate::change::ChangeKind;
use crate::dialect::TargetDialect;
use crate::graph::{Graph, Id, KeywordValue, is_tighter};
use crate::lowering::{ANY_TAKEN, ELEMENT_COST, Element, INNER_TAKEN, Lowering, NOTES, ONE_TAKEN};
use crate::sentence::with_sentences;
use crate::type_set::{GraphTypes, TypeSet};
use crate::{merge, prune_unsatisfiable, rules};

/// The maximum depth of a result. The source is limited to `Limits::schema_depth`, but
/// expanded choices add to it.
const DEPTH: usize = 128;

/// The options of lowering.
pub(crate) struct LowerOptions<'d> {
    pub(crate) dialect: &'d TargetDialect,
    /// Whether the root is an object although it declares no type, because it describes
    /// arguments.
    pub(crate) object: bool,
    /// Whether descriptions mention the keywords that are left out.
    pub(crate) sentences: bool,
    /// The maximum number of parts.
    pub(crate) max_parts: usize,
    pub(crate) budget: Budget,
}

/// Lowers a schema, and returns the result with the list of changes.
pub(crate) fn lower(
    source: Graph,
    kinds: GraphTypes,
    how: &LowerOptions<'_>,
) -> Result<(Graph, BTreeSet<(Pointer, ChangeKind)>), Diagnostic> {
    let mut lower = Lowering {
        source,
        kinds,
        dialect: how.dialect,
        out: Graph::default(),
        changes: BTreeSet::new(),
        sentences: how.sentences,
        output_ids: BTreeMap::new(),
        origin: Vec::new(),
        type_parts: BTreeMap::new(),
        listed: BTreeMap::new(),
        budget: how.budget,
    };
    let mut key = vec![(0, 0)];
    if how.object {
        let kind = lower.type_part("object");
        key.push((kind, INNER_TAKEN));
    }
    let root = lower.output_part(key, None);
    let mut next = 0;
    while next < lower.out.parts.len() && !lower.budget.is_spent() {
        if lower.out.parts.len() > how.max_parts {
            let message = format!("more than {} subschemas, once choices are apart", how.max_parts);
            return Err(rules::LIMIT.at_pointer(lower.out.get(next).at.clone(), message));
        }
        lower.build(next)?;
        next += 1;
    }
    if lower.budget.is_spent() {
        return Err(lower.budget.diagnostic(lower.out.get(next.saturating_sub(1)).at.clone()));
    }
    if root.is_none() || !prune_unsatisfiable::prune_unsatisfiable(&mut lower) {
        return Err(rules::UNSATISFIABLE.at_pointer(Pointer::root(), "this takes nothing"));
    }
    if how.dialect.gemini && how.dialect.arguments {
        close_nameless(&mut lower)?;
    }
    Ok((lower.out, lower.changes))
}

/// Closes arguments without named members: Gemini then gets a function without parameters,
/// which can only be sent `{}`.
fn close_nameless(lower: &mut Lowering<'_>) -> Result<(), Diagnostic> {
    let root = lower.out.get(0);
    if root.declared_types() != TypeSet::OBJECT || !root.map("properties").is_empty() {
        return Ok(());
    }
    if root.json("minProperties").is_some_and(|least| is_tighter(least, "0", true)) {
        let message = "this needs members, and names none";
        return Err(rules::UNSATISFIABLE.at_pointer(Pointer::root(), message));
    }
    let source = lower.source.get(0);
    let at = source.at("additionalProperties");
    match source.subschema("additionalProperties").map(|other| lower.source.get(other)) {
        Some(other) if other.unsatisfiable => {
            lower.changes.remove(&(at, ChangeKind::Dropped));
        }
        Some(other) if !other.keywords.is_empty() => {
            lower.changes.remove(&(at.clone(), ChangeKind::Dropped));
            lower.record_change(ChangeKind::MapClosed, at);
        }
        _ => lower.record_change(ChangeKind::Closed, Pointer::root()),
    }
    if let Some(root) = lower.out.parts.first_mut() {
        root.set("additionalProperties", KeywordValue::Json("false".to_owned()));
    }
    Ok(())
}

impl Lowering<'_> {
    fn build(&mut self, id: Id) -> Result<(), Diagnostic> {
        let Some((key, inside, depth)) = self.origin.get(id).cloned() else { return Ok(()) };
        if self.out.get(id).unsatisfiable {
            return Ok(());
        }
        if depth > DEPTH {
            let message = format!("more than {DEPTH} subschemas inside each other");
            return Err(rules::LIMIT.at_pointer(self.out.get(id).at.clone(), message));
        }
        let words = if self.is_recursive(&key, inside) {
            self.record_change(ChangeKind::Cut, self.out.get(id).at.clone());
            self.cut_off_keywords(id, &key)
        } else if let Some(target) = self.reference(&key) {
            match self.output_part(vec![(target, 0)], Some(id)) {
                Some(target) => vec![("$ref".to_owned(), KeywordValue::Ref(target))],
                None => Vec::new(),
            }
        } else {
            let elements = self.elements(&key);
            match self.next_choice(&elements) {
                Some(choice) => self.expand_choice(id, &elements, choice),
                None => merge::merge(self, id, &elements),
            }
        };
        if let Some(part) = self.out.parts.get_mut(id) {
            part.keywords = words;
        }
        Ok(())
    }

    /// Returns true if a part is inside one with the same elements and the target has no
    /// references.
    fn is_recursive(&self, key: &[Element], mut inside: Option<Id>) -> bool {
        if self.dialect.subset.is_none_or(|subset| subset.references) || key.is_empty() {
            return false;
        }
        while let Some((other, above, _)) = inside.and_then(|id| self.origin.get(id)) {
            if **other == *key {
                return true;
            }
            inside = *above;
        }
        false
    }

    /// Returns the keywords of a recursive part that is cut off: only its type.
    fn cut_off_keywords(&mut self, id: Id, key: &[Element]) -> Vec<(String, KeywordValue)> {
        let kinds = key.iter().map(|(id, _)| self.kinds.all(*id)).fold(TypeSet::ALL, TypeSet::and);
        let kinds = if kinds.intersects(TypeSet::OBJECT) { TypeSet::OBJECT } else { kinds };
        let name = kinds.names().first().copied().unwrap_or("object");
        let mut words = vec![("type".to_owned(), KeywordValue::Json(format!("\"{name}\"")))];
        if name == "array" {
            let any = self.output_part(Vec::new(), Some(id));
            words.extend(any.map(|any| ("items".to_owned(), KeywordValue::Part(any))));
        }
        words
    }

    /// Returns the target of a part that is only a reference.
    fn reference(&self, key: &[Element]) -> Option<Id> {
        self.dialect.subset.filter(|subset| subset.references)?;
        let [(id, 0)] = key else { return None };
        let words = self.source.get(*id).keywords.as_slice();
        match words {
            [(_, KeywordValue::Ref(target))] if *id != 0 => Some(*target),
            _ => None,
        }
    }

    /// Returns the elements with the parts that they apply to the same value.
    fn elements(&mut self, key: &[Element]) -> Vec<Element> {
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        let mut pending: Vec<Element> = key.iter().rev().copied().collect();
        while let Some((id, taken)) = pending.pop() {
            if !seen.insert((id, taken)) {
                continue;
            }
            if !self.budget.spend(ELEMENT_COST + self.source.get(id).size_estimate()) {
                return found;
            }
            found.push((id, taken));
            if taken & INNER_TAKEN != 0 {
                continue;
            }
            let part = self.source.get(id);
            let inner = part.list("allOf").to_vec();
            let target = match part.keyword("$ref") {
                Some(KeywordValue::Ref(target)) => Some(*target),
                _ => None,
            };
            if !inner.is_empty() {
                self.record_change(ChangeKind::Merged, self.source.get(id).at("allOf"));
            }
            pending.extend(inner.into_iter().chain(target).rev().map(|id| (id, 0)));
        }
        found
    }

    /// Returns the first choice that has not been expanded.
    fn next_choice(&self, elements: &[Element]) -> Option<(Id, &'static str, u8)> {
        let choices = [("anyOf", ANY_TAKEN), ("oneOf", ONE_TAKEN)];
        elements.iter().find_map(|(id, taken)| {
            let part = self.source.get(*id);
            let left =
                |(word, bit): &(&'static str, u8)| taken & bit == 0 && part.keyword(word).is_some();
            let (word, bit) = choices.into_iter().find(left)?;
            Some((*id, word, bit))
        })
    }

    /// Expands a choice: each alternative is combined with all other elements.
    fn expand_choice(
        &mut self,
        id: Id,
        elements: &[Element],
        (chooser, word, bit): (Id, &'static str, u8),
    ) -> Vec<(String, KeywordValue)> {
        let rest = elements.iter().map(|(id, taken)| {
            let own = if *id == chooser { bit } else { 0 };
            (*id, taken | own | INNER_TAKEN)
        });
        let rest: Vec<Element> =
            rest.filter(|element| self.has_untaken_keywords(*element)).collect();
        let mut lost = None;
        if word == "oneOf" {
            self.record_change(ChangeKind::AnyOf, self.source.get(chooser).at("oneOf"));
            lost = Some("Exactly one of these is meant.").filter(|_| self.sentences);
        }
        let alternatives = self.source.get(chooser).list(word).to_vec();
        let mut made = Vec::new();
        for alternative in alternatives {
            let key = rest.iter().copied().chain([(alternative, 0)]).collect();
            made.extend(self.output_part(key, Some(id)));
        }
        let mut words = Vec::new();
        for note in ["title", "description"] {
            let said = elements.iter().find_map(|(id, _)| self.source.get(*id).json(note));
            let lost = lost.filter(|_| note == "description");
            let said = match lost {
                Some(lost) => Some(with_sentences(said, &[lost.to_owned()])),
                None => said.map(str::to_owned),
            };
            words.extend(said.map(|text| (note.to_owned(), KeywordValue::Json(text))));
        }
        words.push(("anyOf".to_owned(), KeywordValue::List(made)));
        words
    }

    /// Returns true if an element has constraints that are not taken yet.
    fn has_untaken_keywords(&self, (id, taken): Element) -> bool {
        self.source.get(id).keywords.iter().any(|(name, _)| match name.as_str() {
            "allOf" | "$ref" => taken & INNER_TAKEN == 0,
            "anyOf" => taken & ANY_TAKEN == 0,
            "oneOf" => taken & ONE_TAKEN == 0,
            name => !NOTES.contains(&name),
        })
    }
}
