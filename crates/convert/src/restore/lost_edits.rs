//! Finds the edits that a restored source lost.
//!
//! The restored source is converted again. A place where the result differs from the given
//! target, because of an edit, is a lost edit. [`LossReasons`] has the reasons.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::Pointer;
use json_text::{Document, MergeOptions, Node, merge};
use manifest_core::format::Format;
use manifest_core::sha256_hex;

use super::edit::SourceEdit;
use super::loss_reasons::{LossReasons, RefusalReasons};
use super::matching::Matching;
use crate::conversion::Conversion;
use crate::restored::{LostEdit, Target};

const CONVERTED_DIFFERENTLY: &str = "the source says it now, and is converted to something else";
const STALE: &str = "it was made from what is gone, and is made from something else now";
const NAME_FITTED: &str = "the source has the name now, and is converted to another one that fits";
const NOT_REMOVABLE: &str = "a tool was removed that the source cannot do without";

/// The source, its targets and their conversions, before and after the restore.
pub(crate) struct Comparison<'c> {
    pub(crate) to: &'static Format,
    pub(crate) source: &'c Document<'c>,
    pub(crate) restored: &'c Document<'c>,
    pub(crate) targets: &'c [Target<'c>],
    /// The conversion of the source, and its documents.
    pub(crate) conversion: &'c Conversion,
    pub(crate) written: &'c [Document<'c>],
    /// The conversion of the restored source.
    pub(crate) again: &'c Conversion,
    pub(crate) matching: &'c Matching,
    pub(crate) edit: &'c SourceEdit<'c>,
    /// The entries of targets that the new text of the source was written from, each with
    /// its target.
    pub(crate) applied_entries: &'c BTreeSet<(usize, u32)>,
    /// True if no tool was added or removed. Otherwise pointers into the source have moved.
    pub(crate) same_tools: bool,
}

impl Comparison<'_> {
    /// Returns the lost edits: the edited places of the targets where the conversion of the
    /// restored source differs.
    pub(crate) fn lost_edits(&self) -> Vec<LostEdit> {
        let documents = ToolDocuments::of(self.again);
        let refusals = RefusalReasons::of(&self.edit.refusals);
        let old_digest = sha256_hex(self.source.text().as_bytes());
        let new_digest = sha256_hex(self.restored.text().as_bytes());
        let mut lost = Vec::new();
        for (index, target) in self.targets.iter().enumerate() {
            let place = self.counterpart(index, target, &documents);
            let Some(document) = place.and_then(|place| self.again.documents.get(place)) else {
                lost.push(LostEdit::of_document(index, refusals.of_document()));
                continue;
            };
            // Both digests have the same length, so the tape still fits the text.
            let text = document.text.replace(&new_digest, &old_digest);
            let converted = Document::from_tape(&text, &document.tape);
            self.compare_target(index, target, &converted, &documents, &refusals, &mut lost);
        }
        lost
    }

    /// Adds the lost edits of one target. `converted` is the document that contains its
    /// tools now.
    fn compare_target(
        &self,
        index: usize,
        target: &Target<'_>,
        converted: &Document<'_>,
        documents: &ToolDocuments<'_>,
        refusals: &RefusalReasons,
        lost: &mut Vec<LostEdit>,
    ) {
        let number = self.matching.written_of.get(index).copied().flatten();
        let written = number.and_then(|number| Some((number, self.written.get(number)?)));
        let reasons = LossReasons::of(self.conversion, written, (index, target), refusals);
        let stale = match written {
            Some((number, written)) if self.same_tools => self.stale(number, written),
            _ => BTreeSet::new(),
        };
        let is_applied = |node: Node<'_>| self.applied_entries.contains(&(index, node.index()));
        let written = written.map(|(_, written)| written);
        for missing in missing_edits(converted, target, written, self.to, &stale, is_applied) {
            let MissingEdit { pointer, in_source, is_gone } = missing;
            let entry = target.document.root().at(&pointer).map(Node::index);
            let new_id = entry.and_then(|entry| self.edit.new_ids.get(&(index, entry)));
            let is_named = new_id.is_some_and(|id| documents.by_source.contains_key(id.as_str()));
            let is_stale = stale.contains(pointer.as_str());
            let why = if is_named {
                NAME_FITTED
            } else if in_source {
                CONVERTED_DIFFERENTLY
            } else if is_stale {
                STALE
            } else {
                reasons.reason_for(&pointer, is_gone || entry.is_none())
            };
            let kept = is_named || in_source || is_stale;
            lost.push(LostEdit { document: index, pointer, why: why.into(), kept });
        }
    }

    /// Returns the values of a written document that were made from values that the source
    /// has lost.
    fn stale(&self, number: usize, written: &Document<'_>) -> BTreeSet<String> {
        let mut stale = BTreeSet::new();
        for (at, places) in self.conversion.ledger.approximated_values(number, written) {
            for place in places.iter().filter(|place| place.document == 0) {
                if let Some(value) = self.source.node(place.entry)
                    && self.restored.root().at(&value.pointer()).is_none()
                {
                    stale.insert(at.to_string());
                    break;
                }
            }
        }
        stale
    }

    /// Returns the index of the converted document that contains the tools of a target.
    fn counterpart(
        &self,
        index: usize,
        target: &Target<'_>,
        documents: &ToolDocuments<'_>,
    ) -> Option<usize> {
        if self.again.documents.len() == 1 {
            return Some(0);
        }
        if let Some(id) = self.edit.first_tool.get(index)?
            && let Some(place) = documents.by_source.get(id.as_str())
        {
            return Some(*place);
        }
        let tools = self.to.lift_valid(target.document, 0).tools;
        let id: &str = tools.first()?.id.as_ref();
        // A new tool has its id in the source now, and may convert to another id.
        documents.by_target.get(id).or_else(|| documents.by_source.get(id)).copied()
    }
}

/// Drops tools that are still in the restored source from `removed`. Returns a lost edit if
/// there are any.
pub(crate) fn undeleted_tools(
    restored: &Document<'_>,
    from: &Format,
    removed: &mut Vec<String>,
) -> Option<LostEdit> {
    let tools = from.lift_valid(restored, 0).tools;
    let ids: BTreeSet<&str> = tools.iter().map(|tool| tool.id.as_ref()).collect();
    let before = removed.len();
    removed.retain(|id| !ids.contains(id.as_str()));
    (removed.len() < before).then(|| LostEdit::of_document(0, NOT_REMOVABLE))
}

/// The document that contains each tool, by the tool's ids. The first one counts.
struct ToolDocuments<'c> {
    by_source: BTreeMap<&'c str, usize>,
    by_target: BTreeMap<&'c str, usize>,
}

impl<'c> ToolDocuments<'c> {
    fn of(conversion: &'c Conversion) -> Self {
        let (mut by_source, mut by_target) = (BTreeMap::new(), BTreeMap::new());
        for tool in &conversion.tools {
            by_source.entry(tool.id.as_str()).or_insert(tool.document);
            by_target.entry(tool.target.as_str()).or_insert(tool.document);
        }
        Self { by_source, by_target }
    }
}

/// A place where a target differs from the conversion of the restored source.
struct MissingEdit {
    pointer: Pointer,
    /// True if the source contains everything that was edited there.
    in_source: bool,
    /// True if the place is no longer in the target.
    is_gone: bool,
}

/// Returns the places where an edit of a target is missing in `converted`, the conversion of
/// the restored source. `written` is the target without the edit.
fn missing_edits(
    converted: &Document<'_>,
    target: &Target<'_>,
    written: Option<&Document<'_>>,
    to: &Format,
    stale: &BTreeSet<String>,
    is_applied: impl Fn(Node<'_>) -> bool,
) -> Vec<MissingEdit> {
    let options = MergeOptions { keys: to.keys, partial: false };
    let now = target.document.root();
    let edited = written.map(|written| EditedEntries::find(written, now, &options));
    let is_edited = |node: Node<'_>| edited.as_ref().is_none_or(|edited| edited.overlap(node));
    let mut missing = Vec::new();
    for change in merge(converted, converted.root(), now, &options).changes {
        let pointer = match change.new {
            Some(new) => new.pointer(),
            None => change.at.pointer(),
        };
        let before = written.and_then(|written| written.root().at(&pointer));
        let has_moved = match (before, now.at(&pointer)) {
            (Some(before), Some(now)) => !before.same_value(now),
            (before, now) => before.is_some() || now.is_some(),
        };
        let edited = change.new.filter(|new| is_edited(*new));
        if !has_moved && edited.is_none() && !stale.contains(pointer.as_str()) {
            continue;
        }
        let in_source = edited
            .is_some_and(|new| new.leaves().all(|(_, leaf)| !is_edited(leaf) || is_applied(leaf)));
        missing.push(MissingEdit { pointer, in_source, is_gone: change.new.is_none() });
    }
    missing
}

/// The edited entries of a target, as sorted ranges. Entries are matched by key, because
/// others may have been added or removed before them.
struct EditedEntries(Vec<(u32, u32)>);

impl EditedEntries {
    fn find(written: &Document<'_>, now: Node<'_>, options: &MergeOptions<'_>) -> Self {
        let mut ranges = Vec::new();
        for change in merge(written, written.root(), now, options).changes {
            ranges.extend(change.new.map(|node| (node.index(), node.index_after())));
        }
        ranges.sort_unstable();
        Self(ranges)
    }

    /// Returns true if a value contains an edited entry, or is in one.
    fn overlap(&self, node: Node<'_>) -> bool {
        let first = self.0.partition_point(|(_, end)| *end <= node.index());
        self.0.get(first).is_some_and(|(start, _)| *start < node.index_after())
    }
}
