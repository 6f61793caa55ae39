//! The reasons of lost edits: that of a refused edit, or one that depends on how the
//! conversion wrote the value.

use std::collections::BTreeMap;

use diagnostic::Pointer;
use json_text::Document;
use manifest_core::format::Derivation;

use super::overlay::Refusal;
use crate::conversion::Conversion;
use crate::restored::Target;

pub(crate) const NOT_EXPRESSIBLE: &str = "the format of the source has no word for it";
const COPY: &str = "the target says it in several places, and this is not the one that counts";
const DERIVED: &str =
    "the source does not say it in these words: it was made from something else there";
const BRIDGE: &str = "it is there for the bridge, and nothing that the source says";
const REQUIRED: &str = "the source still says it: it is required there, or said twice";
const INVALID_THERE: &str = "the source says it, but this value does not fit there";

/// The reasons of the edits that were refused.
pub(crate) struct RefusalReasons {
    /// The entry and the reason of each, by document number.
    by_document: BTreeMap<u16, Vec<(u32, &'static str)>>,
    /// The reason, if all of them have the same one.
    common: Option<&'static str>,
    /// The same for refused edits without a place.
    unplaced: Option<&'static str>,
}

impl RefusalReasons {
    pub(crate) fn of(refused: &[Refusal]) -> Self {
        let mut by_document: BTreeMap<u16, Vec<_>> = BTreeMap::new();
        for Refusal { why, at, .. } in refused {
            for place in at {
                by_document.entry(place.document).or_default().push((place.entry, *why));
            }
        }
        let unplaced = refused.iter().filter(|refused| refused.at.is_empty());
        let unplaced = common_reason(unplaced);
        Self { by_document, common: common_reason(refused), unplaced }
    }

    /// Returns the reason of a target that the restored source does not convert to.
    pub(crate) fn of_document(&self) -> &'static str {
        self.common.unwrap_or(NOT_EXPRESSIBLE)
    }

    /// Returns the reasons of one target by pointer.
    fn of_target(&self, index: usize, target: &Target<'_>) -> BTreeMap<String, &'static str> {
        let mut reasons = BTreeMap::new();
        // The source is document 0.
        let number = u16::try_from(index + 1).ok();
        let Some(refused) = number.and_then(|number| self.by_document.get(&number)) else {
            return reasons;
        };
        for (entry, why) in refused {
            if let Some(node) = target.document.node(*entry) {
                reasons.insert(node.pointer().to_string(), *why);
            }
        }
        reasons
    }
}

/// Returns the reason of refused edits, if all have the same one.
fn common_reason<'r>(refused: impl IntoIterator<Item = &'r Refusal>) -> Option<&'static str> {
    let mut reasons = refused.into_iter().map(|refused| refused.why);
    let first = reasons.next()?;
    reasons.all(|why| why == first).then_some(first)
}

/// The possible reasons for lost edits of one document, by pointer.
pub(crate) struct LossReasons {
    /// Of refused edits.
    by_refusal: BTreeMap<String, &'static str>,
    /// Of written values, because of how they were written.
    by_provenance: BTreeMap<String, &'static str>,
    /// Of lists and objects, if everything inside was written in the same way.
    uniform: BTreeMap<String, Option<&'static str>>,
    /// Of native and equivalent values.
    by_source_value: BTreeMap<String, &'static str>,
    /// The reason of all refused edits without a place.
    unplaced: Option<&'static str>,
}

impl LossReasons {
    /// Collects the reasons of one target. `written` is the document without the edit, and
    /// its index.
    pub(crate) fn of(
        conversion: &Conversion,
        written: Option<(usize, &Document<'_>)>,
        (index, target): (usize, &Target<'_>),
        refusals: &RefusalReasons,
    ) -> Self {
        let mut reasons = Self {
            by_refusal: refusals.of_target(index, target),
            by_provenance: BTreeMap::new(),
            uniform: BTreeMap::new(),
            by_source_value: BTreeMap::new(),
            unplaced: refusals.unplaced,
        };
        if let Some((number, written)) = written {
            reasons.add_provenance(conversion, number, written);
        }
        reasons
    }

    fn add_provenance(&mut self, conversion: &Conversion, number: usize, written: &Document<'_>) {
        let ledger = &conversion.ledger;
        let is_bridge = |how: Derivation| matches!(how, Derivation::Bridge | Derivation::Seal);
        for (at, _) in ledger.target_values(number, written, is_bridge) {
            self.by_provenance.insert(at.to_string(), BRIDGE);
        }
        let is_approximated = |how: Derivation| how == Derivation::Approximated;
        for (at, _) in ledger.target_values(number, written, is_approximated) {
            self.by_provenance.insert(at.to_string(), DERIVED);
        }
        for at in ledger.derived_containers(number, written) {
            self.by_provenance.insert(at.to_string(), DERIVED);
        }
        for at in ledger.shared_values(number, written) {
            self.by_provenance.insert(at.to_string(), COPY);
        }
        for (at, why) in &self.by_provenance {
            note_ancestors(&mut self.uniform, at, Some(*why));
        }
        for (at, _) in ledger.target_values(number, written, Derivation::keeps_meaning) {
            let why = self.by_provenance.get(at.as_str());
            if why.is_none() {
                note_ancestors(&mut self.uniform, at.as_str(), None);
            }
            if why != Some(&DERIVED) {
                self.by_source_value.insert(at.to_string(), REQUIRED);
            }
        }
        // Assumed values do not count for the lists and objects around them.
        for (at, _) in ledger.target_values(number, written, |how| how == Derivation::Assumed) {
            self.by_provenance.insert(at.to_string(), NOT_EXPRESSIBLE);
        }
    }

    /// Returns the reason for a place. `is_gone` is true if the target no longer has it.
    pub(crate) fn reason_for(&self, pointer: &Pointer, is_gone: bool) -> &'static str {
        let refused = nearest_note(&self.by_refusal, pointer)
            .or_else(|| first_note_inside(&self.by_refusal, pointer));
        if let Some(why) = refused.or(self.unplaced) {
            return why;
        }
        if is_gone && let Some(why) = nearest_note(&self.by_source_value, pointer) {
            return why;
        }
        if let Some(why) = nearest_note(&self.by_provenance, pointer) {
            return why;
        }
        // A value that was added to a list or an object has the reason of its siblings.
        if let Some((outer, _)) = pointer.split_last()
            && let Some(Some(why)) = self.uniform.get(outer.as_str())
        {
            return why;
        }
        if self.by_source_value.contains_key(pointer.as_str()) {
            INVALID_THERE
        } else {
            NOT_EXPRESSIBLE
        }
    }
}

/// Adds a reason to everything around a place, or `None` if values there have different
/// reasons.
fn note_ancestors(
    uniform: &mut BTreeMap<String, Option<&'static str>>,
    mut place: &str,
    mut why: Option<&'static str>,
) {
    while let Some((outer, _)) = place.rsplit_once('/') {
        match uniform.get_mut(outer) {
            // Everything further out has this reason already.
            Some(known) if *known == why || known.is_none() => return,
            Some(known) => {
                *known = None;
                why = None;
            }
            None => {
                uniform.insert(outer.to_owned(), why);
            }
        }
        place = outer;
    }
}

/// Returns the reason of a place, or of the nearest one around it.
fn nearest_note(notes: &BTreeMap<String, &'static str>, pointer: &Pointer) -> Option<&'static str> {
    let mut place = pointer.as_str();
    loop {
        if let Some(why) = notes.get(place) {
            return Some(why);
        }
        (place, _) = place.rsplit_once('/')?;
    }
}

/// Returns the first reason inside a place.
fn first_note_inside(
    notes: &BTreeMap<String, &'static str>,
    pointer: &Pointer,
) -> Option<&'static str> {
    let start = format!("{}/", pointer.as_str());
    let (place, why) = notes.range(start.clone()..).next()?;
    place.starts_with(&start).then_some(*why)
}
