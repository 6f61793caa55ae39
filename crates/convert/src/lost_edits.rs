//! Finds the edits that a restored source lost, and why.
//!
//! The restored source is converted again. A place where the result differs from the given
//! target, because of an edit, is a lost edit. Its reason is that of a refused edit, or
//! depends on how the conversion wrote the value.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Pointer, Report};
use json_text::{Document, MergeOptions, Node, merge};
use manifest_core::format::{Derivation, Format};
use manifest_core::{Place, sha256_hex};

use crate::conversion::Conversion;
use crate::job::Job;
use crate::options::Options;
use crate::overlay::Refusal;
use crate::restored::LostEdit;
use crate::session::{RestoreSession, SourceEdit, Target};

pub(crate) const NOT_EXPRESSIBLE: &str = "the format of the source has no word for it";
const COPY: &str = "the target says it in several places, and this is not the one that counts";
const DERIVED: &str =
    "the source does not say it in these words: it was made from something else there";
const BRIDGE: &str = "it is there for the bridge, and nothing that the source says";
const REQUIRED: &str = "the source still says it: it is required there, or said twice";
const INVALID_THERE: &str = "the source says it, but this value does not fit there";
const CONVERTED_DIFFERENTLY: &str = "the source says it now, and is converted to something else";
const STALE: &str = "it was made from what is gone, and is made from something else now";
const NAME_FITTED: &str = "the source has the name now, and is converted to another one that fits";
const NOT_REMOVABLE: &str = "a tool was removed that the source cannot do without";

impl RestoreSession<'_> {
    /// Returns the lost edits: the edited places of the targets where the conversion of the
    /// restored source differs.
    pub(crate) fn lost_edits(
        &self,
        restored: &Document<'_>,
        targets: &[Target<'_>],
        written: &[Document<'_>],
        edit: &SourceEdit<'_>,
    ) -> Result<Vec<LostEdit>, Report> {
        let again = self.reconvert(restored, targets, edit)?;
        let digest = |document: &Document<'_>| sha256_hex(document.text().as_bytes());
        let (old, new) = (digest(self.source), digest(restored));
        let places = ToolDocuments::of(&again);
        let refused = RefusalReasons::of(&edit.refusals);
        // If tools were added or removed, pointers into the source have moved.
        let tools = |source| self.from.lift_valid(source, 0).tools.len();
        let same_places = edit.removed_tools.is_empty() && tools(restored) == tools(self.source);
        let mut found = Vec::new();
        for (index, target) in targets.iter().enumerate() {
            // The document that contains the same tools now.
            let place = match again.documents.len() {
                1 => Some(0),
                _ => self.counterpart(index, target, &places, edit),
            };
            let Some(document) = place.and_then(|place| again.documents.get(place)) else {
                let why = refused.common.unwrap_or(NOT_EXPRESSIBLE);
                let pointer = Pointer::root();
                found.push(LostEdit { document: index, pointer, why: why.into(), carried: false });
                continue;
            };
            // Both digests have the same length, so the tape still fits the text.
            let text = document.text.replace(&new, &old);
            let says = Document::from_tape(&text, &document.tape);
            let was = edit.written_index.get(index).copied().flatten();
            let was = was.and_then(|was| Some((was, written.get(was)?)));
            let reasons = LossReasons::of(self, was, (index, target), &refused);
            let unmade = was.filter(|_| same_places);
            let unmade = unmade.map(|(number, was)| self.stale(restored, number, was));
            let unmade = unmade.unwrap_or_default();
            let is_carried = |node: Node<'_>| edit.applied_entries.contains(&(index, node.index()));
            let was = was.map(|(_, was)| was);
            for MissingEdit { pointer, in_source: carried, gone } in
                missing_edits(&says, target, was, self.to, &unmade, is_carried)
            {
                let entry = target.document.root().at(&pointer).map(Node::index);
                let renamed = entry.and_then(|entry| edit.new_ids.get(&(index, entry)));
                let named = renamed.is_some_and(|id| places.by_source.contains_key(id.as_str()));
                let unmade = unmade.contains(pointer.as_str());
                let why = match (named, carried) {
                    (true, _) => NAME_FITTED,
                    (_, true) => CONVERTED_DIFFERENTLY,
                    _ if unmade => STALE,
                    _ => reasons.reason_for(&pointer, gone || entry.is_none()),
                };
                found.push(LostEdit {
                    document: index,
                    pointer,
                    why: why.into(),
                    carried: named || carried || unmade,
                });
            }
        }
        Ok(found)
    }

    /// Returns the values of a document that were made from values that the source has
    /// lost.
    fn stale(
        &self,
        restored: &Document<'_>,
        number: usize,
        was: &Document<'_>,
    ) -> BTreeSet<String> {
        let is_gone = |place: &Place| {
            let said = self.source.node(place.entry).filter(|_| place.document == 0);
            said.is_some_and(|said| restored.root().at(&said.pointer()).is_none())
        };
        let made = self.conversion.ledger.approximated_values(number, was).into_iter();
        let unmade = made.filter(|(_, places)| places.iter().any(is_gone));
        unmade.map(|(at, _)| at.to_string()).collect()
    }

    /// Converts the restored source to the target's format, as a list if a target is one.
    fn reconvert(
        &self,
        restored: &Document<'_>,
        targets: &[Target<'_>],
        edit: &SourceEdit<'_>,
    ) -> Result<Conversion, Report> {
        let lifted = self.from.lift(restored, &self.options.limits)?;
        let mut options =
            Options { accept: Options::accept_all().accept, ..self.convert_options.clone() };
        if !(options.tools.is_empty() && options.without.is_empty()) {
            let ids = lifted.tools.iter().map(|tool| tool.id.to_string());
            options.tools = ids.filter(|id| !edit.unconverted.contains(id)).collect();
            options.without.clear();
        }
        let list = targets.iter().any(|target| self.to.lift_valid(target.document, 0).is_list);
        let job = Job {
            sources: &[restored],
            from: self.from,
            to: self.to,
            options: &options,
            as_list: list,
        };
        job.convert(lifted)
    }

    /// Returns the document of a conversion that contains the tools of a target.
    fn counterpart(
        &self,
        index: usize,
        target: &Target<'_>,
        places: &ToolDocuments<'_>,
        edit: &SourceEdit<'_>,
    ) -> Option<usize> {
        let known = edit.first_tool.get(index)?.as_deref();
        let found = known.and_then(|id| places.by_source.get(id)).or_else(|| {
            let tools = self.to.lift_valid(target.document, 0).tools;
            let id: &str = tools.first()?.id.as_ref();
            // A new tool has its id in the source now, and may convert to another id.
            places.by_target.get(id).or_else(|| places.by_source.get(id))
        });
        found.copied()
    }

    /// Drops tools that are still there from `removed`. Returns a lost edit if there are
    /// any.
    pub(crate) fn undeleted_tools(
        &self,
        restored: &Document<'_>,
        removed: &mut Vec<String>,
    ) -> Option<LostEdit> {
        let tools = self.from.lift_valid(restored, 0).tools;
        let ids: BTreeSet<&str> = tools.iter().map(|tool| tool.id.as_ref()).collect();
        let before = removed.len();
        removed.retain(|id| !ids.contains(id.as_str()));
        let pointer = Pointer::root();
        let left = LostEdit { document: 0, pointer, why: NOT_REMOVABLE.into(), carried: false };
        (removed.len() < before).then_some(left)
    }
}

/// The documents that contain each tool, by its ids.
struct ToolDocuments<'c> {
    by_source: BTreeMap<&'c str, usize>,
    by_target: BTreeMap<&'c str, usize>,
}

impl<'c> ToolDocuments<'c> {
    fn of(conversion: &'c Conversion) -> Self {
        let tools = || conversion.tools.iter().rev();
        Self {
            by_source: tools().map(|tool| (tool.id.as_str(), tool.document)).collect(),
            by_target: tools().map(|tool| (tool.target.as_str(), tool.document)).collect(),
        }
    }
}

/// A place where a target differs from the conversion of the restored source.
struct MissingEdit {
    pointer: Pointer,
    /// True if the source contains everything that was edited there.
    in_source: bool,
    /// True if the place is no longer in the target.
    gone: bool,
}

/// Returns the places where an edit of a target is missing in `says`, the conversion of the
/// restored source.
fn missing_edits(
    says: &Document<'_>,
    target: &Target<'_>,
    was: Option<&Document<'_>>,
    to: &Format,
    unmade: &BTreeSet<String>,
    is_carried: impl Fn(Node<'_>) -> bool,
) -> Vec<MissingEdit> {
    let options = MergeOptions { keys: to.keys, partial: false };
    let now = target.document.root();
    // Entries are matched by key, because others may have been added or removed before
    // them.
    let edited: Option<Vec<(u32, u32)>> = was.map(|was| {
        let changes = merge(was, was.root(), now, &options).changes.into_iter();
        let mut ranges: Vec<(u32, u32)> = changes
            .filter_map(|change| change.new.map(|node| (node.index(), node.index_after())))
            .collect();
        ranges.sort_unstable();
        ranges
    });
    let is_edited = |node: Node<'_>| {
        edited.as_ref().is_none_or(|ranges| {
            let first = ranges.partition_point(|(_, end)| *end <= node.index());
            ranges.get(first).is_some_and(|(start, _)| *start < node.index_after())
        })
    };
    let changes = merge(says, says.root(), now, &options).changes.into_iter();
    let places = changes.filter_map(|change| {
        let at = change.new.map_or_else(|| change.at.pointer(), Node::pointer);
        let before = was.and_then(|was| was.root().at(&at));
        let moved = match (before, now.at(&at)) {
            (Some(before), Some(is)) => !before.same_value(is),
            (before, is) => before.is_some() || is.is_some(),
        };
        let edited = change.new.is_some_and(is_edited);
        let carried = edited
            && change.new.is_some_and(|new| {
                let leaves = new.leaves().map(|(_, leaf)| leaf);
                leaves.filter(|leaf| is_edited(*leaf)).all(&is_carried)
            });
        let gone = change.new.is_none();
        (moved || edited || unmade.contains(at.as_str())).then_some(MissingEdit {
            pointer: at,
            in_source: carried,
            gone,
        })
    });
    places.collect()
}

/// The edits that were refused.
struct RefusalReasons {
    /// The entry and the reason of each, by document number.
    by_document: BTreeMap<u16, Vec<(u32, &'static str)>>,
    /// The reason, if all of them have the same one.
    common: Option<&'static str>,
    /// The same for refused edits without a place.
    unplaced: Option<&'static str>,
}

impl RefusalReasons {
    fn of(refused: &[Refusal]) -> Self {
        let mut by_document: BTreeMap<u16, Vec<_>> = BTreeMap::new();
        for Refusal { why, at, .. } in refused {
            for place in at {
                by_document.entry(place.document).or_default().push((place.entry, *why));
            }
        }
        let others = refused.iter().filter(|refused| refused.at.is_empty());
        Self { by_document, common: common_reason(refused), unplaced: common_reason(others) }
    }
}

/// Returns the reason of refused edits, if all have the same one.
fn common_reason<'r>(refused: impl IntoIterator<Item = &'r Refusal>) -> Option<&'static str> {
    let mut reasons = refused.into_iter().map(|refused| refused.why);
    let first = reasons.next()?;
    reasons.all(|why| why == first).then_some(first)
}

/// The possible reasons for lost edits of one document, by pointer.
struct LossReasons {
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
    fn of(
        way: &RestoreSession<'_>,
        was: Option<(usize, &Document<'_>)>,
        (index, target): (usize, &Target<'_>),
        refused: &RefusalReasons,
    ) -> Self {
        let number = u16::try_from(index + 1).ok();
        let own = number.and_then(|number| refused.by_document.get(&number)).into_iter().flatten();
        let placed = own.filter_map(|(entry, why)| {
            Some((target.document.node(*entry)?.pointer().to_string(), *why))
        });
        let mut reasons = Self {
            by_refusal: placed.collect(),
            by_provenance: BTreeMap::new(),
            uniform: BTreeMap::new(),
            by_source_value: BTreeMap::new(),
            unplaced: refused.unplaced,
        };
        let Some((number, was)) = was else { return reasons };
        let ledger = &way.conversion.ledger;
        let mut note = |values: Vec<Pointer>, why| {
            reasons.by_provenance.extend(values.into_iter().map(|at| (at.to_string(), why)));
        };
        let came = |how: fn(Derivation) -> bool| -> Vec<Pointer> {
            ledger.target_values(number, was, how).into_iter().map(|(at, _)| at).collect()
        };
        note(came(|how| matches!(how, Derivation::Bridge | Derivation::Seal)), BRIDGE);
        note(came(|how| matches!(how, Derivation::Approximated)), DERIVED);
        note(ledger.derived_containers(number, was), DERIVED);
        note(ledger.shared_values(number, was), COPY);
        let said = came(Derivation::keeps_meaning);
        for (at, why) in &reasons.by_provenance {
            note_ancestors(&mut reasons.uniform, at, Some(*why));
        }
        for at in said.iter().filter(|at| !reasons.by_provenance.contains_key(at.as_str())) {
            note_ancestors(&mut reasons.uniform, at.as_str(), None);
        }
        // Assumed values do not count for the lists and objects around them.
        let assumed = came(|how| how == Derivation::Assumed).into_iter();
        reasons.by_provenance.extend(assumed.map(|at| (at.to_string(), NOT_EXPRESSIBLE)));
        let said = said.into_iter().map(|at| (at.to_string(), REQUIRED));
        reasons.by_source_value =
            said.filter(|(at, _)| reasons.by_provenance.get(at) != Some(&DERIVED)).collect();
        reasons
    }

    /// Returns the reason for a place. `is_gone` is true if the target no longer has it.
    fn reason_for(&self, pointer: &Pointer, is_gone: bool) -> &'static str {
        let by_place = nearest_note(&self.by_refusal, pointer)
            .or_else(|| first_note_inside(&self.by_refusal, pointer));
        // A value that was added to a list or an object has the reason of its siblings.
        let outer = pointer.split_last().map(|(outer, _)| outer);
        let beside = || outer.and_then(|outer| self.uniform.get(outer.as_str()).copied().flatten());
        let by_writing = || nearest_note(&self.by_provenance, pointer).or_else(beside);
        let required = || nearest_note(&self.by_source_value, pointer).filter(|_| is_gone);
        let unfit = || self.by_source_value.get(pointer.as_str()).map(|_| INVALID_THERE);
        let why = by_place.or(self.unplaced).or_else(required).or_else(by_writing).or_else(unfit);
        why.unwrap_or(NOT_EXPRESSIBLE)
    }
}

/// Adds a reason to everything around a place, or `None` if values there have different
/// reasons.
fn note_ancestors(
    alike: &mut BTreeMap<String, Option<&'static str>>,
    mut place: &str,
    mut why: Option<&'static str>,
) {
    while let Some((outer, _)) = place.rsplit_once('/') {
        match alike.get_mut(outer) {
            // Everything further out has this reason already.
            Some(known) if *known == why || known.is_none() => return,
            Some(known) => {
                *known = None;
                why = None;
            }
            None => {
                alike.insert(outer.to_owned(), why);
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
