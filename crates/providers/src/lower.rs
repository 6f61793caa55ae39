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
use crate::change::Code;
use crate::dialect::Dialect;
use crate::graph::{Graph, Id, Word, tighter};
use crate::kinds::{AllKinds, Kinds};
use crate::making::{ANY_TAKEN, ELEMENT, Element, INNER_TAKEN, Lower, NOTES, ONE_TAKEN};
use crate::sentence::with_sentences;
use crate::{merge, never, rules};

/// The maximum depth of a result. The source is limited to `Limits::schema_depth`, but
/// expanded choices add to it.
const DEPTH: usize = 128;

/// The options of lowering.
pub(crate) struct How<'d> {
    pub(crate) dialect: &'d Dialect,
    /// Whether the root is an object although it declares no type, because it describes
    /// arguments.
    pub(crate) object: bool,
    /// Whether descriptions mention the keywords that are left out.
    pub(crate) sentences: bool,
    /// The maximum number of parts.
    pub(crate) most: usize,
    pub(crate) budget: Budget,
}

/// Lowers a schema, and returns the result with the list of changes.
pub(crate) fn lower(
    source: Graph,
    kinds: AllKinds,
    how: &How<'_>,
) -> Result<(Graph, BTreeSet<(Pointer, Code)>), Diagnostic> {
    let mut lower = Lower {
        source,
        kinds,
        dialect: how.dialect,
        out: Graph::default(),
        changes: BTreeSet::new(),
        sentences: how.sentences,
        made: BTreeMap::new(),
        origin: Vec::new(),
        typed: BTreeMap::new(),
        listed: BTreeMap::new(),
        budget: how.budget,
    };
    let mut key = vec![(0, 0)];
    if how.object {
        let kind = lower.kind("object");
        key.push((kind, INNER_TAKEN));
    }
    let root = lower.make(key, None);
    let mut next = 0;
    while next < lower.out.parts.len() && !lower.budget.is_spent() {
        if lower.out.parts.len() > how.most {
            let message = format!("more than {} subschemas, once choices are apart", how.most);
            return Err(rules::LIMIT.at_pointer(lower.out.get(next).at.clone(), message));
        }
        lower.build(next)?;
        next += 1;
    }
    if lower.budget.is_spent() {
        return Err(lower.budget.refusal(lower.out.get(next.saturating_sub(1)).at.clone()));
    }
    if root.is_none() || !never::drop_never(&mut lower) {
        return Err(rules::UNSATISFIABLE.at_pointer(Pointer::root(), "this takes nothing"));
    }
    if how.dialect.gemini && how.dialect.arguments {
        close_nameless(&mut lower)?;
    }
    Ok((lower.out, lower.changes))
}

/// Closes arguments without named members: Gemini then gets a function without parameters,
/// which can only be sent `{}`.
fn close_nameless(lower: &mut Lower<'_>) -> Result<(), Diagnostic> {
    let root = lower.out.get(0);
    if root.own_types() != Kinds::OBJECT || !root.named("properties").is_empty() {
        return Ok(());
    }
    if root.json("minProperties").is_some_and(|least| tighter(least, "0", true)) {
        let message = "this needs members, and names none";
        return Err(rules::UNSATISFIABLE.at_pointer(Pointer::root(), message));
    }
    let source = lower.source.get(0);
    let at = source.at("additionalProperties");
    match source.part("additionalProperties").map(|other| lower.source.get(other)) {
        Some(other) if other.never => drop(lower.changes.remove(&(at, Code::Dropped))),
        Some(other) if !other.words.is_empty() => {
            lower.changes.remove(&(at.clone(), Code::Dropped));
            lower.change(Code::MapClosed, at);
        }
        _ => lower.change(Code::Closed, Pointer::root()),
    }
    if let Some(root) = lower.out.parts.first_mut() {
        root.set("additionalProperties", Word::Json("false".to_owned()));
    }
    Ok(())
}

impl Lower<'_> {
    fn build(&mut self, id: Id) -> Result<(), Diagnostic> {
        let Some((key, inside, depth)) = self.origin.get(id).cloned() else { return Ok(()) };
        if self.out.get(id).never {
            return Ok(());
        }
        if depth > DEPTH {
            let message = format!("more than {DEPTH} subschemas inside each other");
            return Err(rules::LIMIT.at_pointer(self.out.get(id).at.clone(), message));
        }
        let words = if self.is_inside_itself(&key, inside) {
            self.change(Code::Cut, self.out.get(id).at.clone());
            self.cut(id, &key)
        } else if let Some(target) = self.reference(&key) {
            match self.make(vec![(target, 0)], Some(id)) {
                Some(target) => vec![("$ref".to_owned(), Word::Ref(target))],
                None => Vec::new(),
            }
        } else {
            let elements = self.elements(&key);
            match self.choice(&elements) {
                Some(choice) => self.choose(id, &elements, choice),
                None => merge::merge(self, id, &elements),
            }
        };
        if let Some(part) = self.out.parts.get_mut(id) {
            part.words = words;
        }
        Ok(())
    }

    /// Returns true if a part is inside one with the same elements and the target has no
    /// references.
    fn is_inside_itself(&self, key: &[Element], mut inside: Option<Id>) -> bool {
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
    fn cut(&mut self, id: Id, key: &[Element]) -> Vec<(String, Word)> {
        let kinds = key.iter().map(|(id, _)| self.kinds.all(*id)).fold(Kinds::ALL, Kinds::and);
        let kinds = if kinds.meets(Kinds::OBJECT) { Kinds::OBJECT } else { kinds };
        let name = kinds.names().first().copied().unwrap_or("object");
        let mut words = vec![("type".to_owned(), Word::Json(format!("\"{name}\"")))];
        if name == "array" {
            let any = self.make(Vec::new(), Some(id));
            words.extend(any.map(|any| ("items".to_owned(), Word::Part(any))));
        }
        words
    }

    /// Returns the target of a part that is only a reference.
    fn reference(&self, key: &[Element]) -> Option<Id> {
        self.dialect.subset.filter(|subset| subset.references)?;
        let [(id, 0)] = key else { return None };
        let words = self.source.get(*id).words.as_slice();
        match words {
            [(_, Word::Ref(target))] if *id != 0 => Some(*target),
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
            if !self.budget.spend(ELEMENT + self.source.get(id).weight()) {
                return found;
            }
            found.push((id, taken));
            if taken & INNER_TAKEN != 0 {
                continue;
            }
            let part = self.source.get(id);
            let inner = part.list("allOf").to_vec();
            let target = match part.word("$ref") {
                Some(Word::Ref(target)) => Some(*target),
                _ => None,
            };
            if !inner.is_empty() {
                self.change(Code::Merged, self.source.get(id).at("allOf"));
            }
            pending.extend(inner.into_iter().chain(target).rev().map(|id| (id, 0)));
        }
        found
    }

    /// Returns the first choice that has not been expanded.
    fn choice(&self, elements: &[Element]) -> Option<(Id, &'static str, u8)> {
        let choices = [("anyOf", ANY_TAKEN), ("oneOf", ONE_TAKEN)];
        elements.iter().find_map(|(id, taken)| {
            let part = self.source.get(*id);
            let left =
                |(word, bit): &(&'static str, u8)| taken & bit == 0 && part.word(word).is_some();
            let (word, bit) = choices.into_iter().find(left)?;
            Some((*id, word, bit))
        })
    }

    /// Expands a choice: each alternative is combined with all other elements.
    fn choose(
        &mut self,
        id: Id,
        elements: &[Element],
        (chooser, word, bit): (Id, &'static str, u8),
    ) -> Vec<(String, Word)> {
        let rest = elements.iter().map(|(id, taken)| {
            let own = if *id == chooser { bit } else { 0 };
            (*id, taken | own | INNER_TAKEN)
        });
        let rest: Vec<Element> = rest.filter(|element| self.says_more(*element)).collect();
        let mut lost = None;
        if word == "oneOf" {
            self.change(Code::AnyOf, self.source.get(chooser).at("oneOf"));
            lost = Some("Exactly one of these is meant.").filter(|_| self.sentences);
        }
        let alternatives = self.source.get(chooser).list(word).to_vec();
        let mut made = Vec::new();
        for alternative in alternatives {
            let key = rest.iter().copied().chain([(alternative, 0)]).collect();
            made.extend(self.make(key, Some(id)));
        }
        let mut words = Vec::new();
        for note in ["title", "description"] {
            let said = elements.iter().find_map(|(id, _)| self.source.get(*id).json(note));
            let lost = lost.filter(|_| note == "description");
            let said = match lost {
                Some(lost) => Some(with_sentences(said, &[lost.to_owned()])),
                None => said.map(str::to_owned),
            };
            words.extend(said.map(|text| (note.to_owned(), Word::Json(text))));
        }
        words.push(("anyOf".to_owned(), Word::Parts(made)));
        words
    }

    /// Returns true if an element has constraints that are not taken yet.
    fn says_more(&self, (id, taken): Element) -> bool {
        self.source.get(id).words.iter().any(|(name, _)| match name.as_str() {
            "allOf" | "$ref" => taken & INNER_TAKEN == 0,
            "anyOf" => taken & ANY_TAKEN == 0,
            "oneOf" => taken & ONE_TAKEN == 0,
            name => !NOTES.contains(&name),
        })
    }
}
