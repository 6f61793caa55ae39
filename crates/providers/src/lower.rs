//! Lowers a schema to the keywords that a target supports.
//!
//! A part of the result combines the parts of the source that apply to one value. Choices
//! among them are expanded, so that each alternative is complete. Keywords that the target
//! does not support are left out and listed.
//!
//! The relation of the result to the source is not decided here. It is proved afterwards.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Diagnostic, Pointer};
use json_schema::types::Types;

use crate::budget::Budget;
use crate::change::ChangeKind;
use crate::dialect::TargetDialect;
use crate::lowering::{
    ANY_TAKEN, ELEMENT_COST, Element, INNER_TAKEN, Lowering, ONE_TAKEN, is_note,
};
use crate::part_types::PartTypes;
use crate::parts::{Id, KeywordValue, Keywords, SchemaParts};
use crate::sentence::with_sentences;
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
    source: SchemaParts,
    types: PartTypes,
    options: &LowerOptions<'_>,
) -> Result<(SchemaParts, BTreeSet<(Pointer, ChangeKind)>), Diagnostic> {
    let mut lower = Lowering {
        source,
        types,
        dialect: options.dialect,
        out: SchemaParts::default(),
        changes: BTreeSet::new(),
        sentences: options.sentences,
        output_ids: BTreeMap::new(),
        origin: Vec::new(),
        type_parts: BTreeMap::new(),
        listed: BTreeMap::new(),
        budget: options.budget,
    };
    let mut key = vec![(0, 0)];
    if options.object {
        key.push((lower.type_part("object"), INNER_TAKEN));
    }
    let root = lower.output_part(key, None);
    let mut next = 0;
    while next < lower.out.parts.len() && !lower.budget.is_spent() {
        if lower.out.parts.len() > options.max_parts {
            let most = options.max_parts;
            let message = format!("more than {most} subschemas, once choices are apart");
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
    if options.dialect.gemini && options.dialect.arguments {
        close_nameless(&mut lower)?;
    }
    Ok((lower.out, lower.changes))
}

/// Closes arguments without named members: Gemini then gets a function without parameters,
/// which can only be sent `{}`.
fn close_nameless(lower: &mut Lowering<'_>) -> Result<(), Diagnostic> {
    let root = lower.out.get(0);
    if root.declared_types() != Types::OBJECT || !root.properties().is_empty() {
        return Ok(());
    }
    if root.is_positive("minProperties") {
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

/// A part with a choice that has not been expanded, its keyword, and the mark of a taken
/// one.
type Choice = (Id, &'static str, u8);

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
        let keywords = if self.is_recursive(&key, inside) {
            self.record_change_of(ChangeKind::Cut, id);
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
            part.keywords = keywords;
        }
        Ok(())
    }

    /// Returns true if a part is inside one with the same elements and the target has no
    /// references.
    fn is_recursive(&self, key: &[Element], mut inside: Option<Id>) -> bool {
        if self.has_references() || key.is_empty() {
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
    fn cut_off_keywords(&mut self, id: Id, key: &[Element]) -> Keywords {
        let mut types = key.iter().fold(Types::ALL, |all, (id, _)| all.and(self.types.all(*id)));
        if types.intersects(Types::OBJECT) {
            types = Types::OBJECT;
        }
        let name = types.names().first().copied().unwrap_or("object");
        let mut keywords = vec![("type".to_owned(), KeywordValue::Json(format!("\"{name}\"")))];
        if name == "array"
            && let Some(any) = self.output_part(Vec::new(), Some(id))
        {
            keywords.push(("items".to_owned(), KeywordValue::Part(any)));
        }
        keywords
    }

    /// Returns the target of a part that is only a reference.
    fn reference(&self, key: &[Element]) -> Option<Id> {
        match key {
            [(id, 0)] if *id != 0 && self.has_references() => {
                match self.source.get(*id).keywords.as_slice() {
                    [(_, KeywordValue::Ref(target))] => Some(*target),
                    _ => None,
                }
            }
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
            let part = self.source.get(id);
            if !self.budget.spend(ELEMENT_COST + part.size_estimate()) {
                return found;
            }
            found.push((id, taken));
            if taken & INNER_TAKEN != 0 {
                continue;
            }
            let inner = part.list("allOf");
            pending.extend(part.reference().map(|target| (target, 0)));
            pending.extend(inner.iter().rev().map(|id| (*id, 0)));
            if !inner.is_empty() {
                let at = part.at("allOf");
                self.record_change(ChangeKind::Merged, at);
            }
        }
        found
    }

    /// Returns the first choice that has not been expanded.
    fn next_choice(&self, elements: &[Element]) -> Option<Choice> {
        for (id, taken) in elements {
            for (keyword, mark) in [("anyOf", ANY_TAKEN), ("oneOf", ONE_TAKEN)] {
                if taken & mark == 0 && self.source.get(*id).has(keyword) {
                    return Some((*id, keyword, mark));
                }
            }
        }
        None
    }

    /// Expands a choice: each alternative is combined with all other elements.
    fn expand_choice(&mut self, id: Id, elements: &[Element], choice: Choice) -> Keywords {
        let (chooser, keyword, mark) = choice;
        let mut rest = Vec::new();
        for (id, taken) in elements {
            let own = if *id == chooser { mark } else { 0 };
            let element = (*id, taken | own | INNER_TAKEN);
            if self.has_untaken_keywords(element) {
                rest.push(element);
            }
        }
        let is_exclusive = keyword == "oneOf";
        if is_exclusive {
            self.record_change(ChangeKind::AnyOf, self.source.get(chooser).at("oneOf"));
        }
        let mut alternatives = Vec::new();
        for alternative in self.source.get(chooser).list(keyword).to_vec() {
            let mut key = rest.clone();
            key.push((alternative, 0));
            alternatives.extend(self.output_part(key, Some(id)));
        }
        let mut keywords = Vec::new();
        for note in ["title", "description"] {
            let mut text = elements.iter().find_map(|(id, _)| self.source.get(*id).json(note));
            let with_sentence;
            if is_exclusive && self.sentences && note == "description" {
                with_sentence =
                    with_sentences(text, &["Exactly one of these is meant.".to_owned()]);
                text = Some(&with_sentence);
            }
            if let Some(text) = text {
                keywords.push((note.to_owned(), KeywordValue::Json(text.to_owned())));
            }
        }
        keywords.push(("anyOf".to_owned(), KeywordValue::List(alternatives)));
        keywords
    }

    /// Returns true if an element has constraints that are not taken yet.
    fn has_untaken_keywords(&self, (id, taken): Element) -> bool {
        self.source.get(id).keywords.iter().any(|(name, _)| match name.as_str() {
            "allOf" | "$ref" => taken & INNER_TAKEN == 0,
            "anyOf" => taken & ANY_TAKEN == 0,
            "oneOf" => taken & ONE_TAKEN == 0,
            name => !is_note(name),
        })
    }
}
