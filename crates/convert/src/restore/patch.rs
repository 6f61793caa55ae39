//! Writes an edit into the source's text.
//!
//! The descriptors without and with the edit are written in the source's own format. The
//! difference between these two texts is applied to the source's text.

use std::collections::BTreeSet;

use diagnostic::{Diagnostic, Pointer, Report, ok_or_bug};
use json_text::{self, Document, Edit, MergeOptions, Node, ParsedEntries, merge};
use manifest_core::descriptor::LiftedDocument;
use manifest_core::format::{Context, Defaults, Format, Records, lower};
use manifest_core::{Limits, rules};

use super::revert::revert_faulty_edits;
use crate::ledger::Ledger;

/// How often edits that the source's format rejects are reverted.
const MAX_REVERTS: usize = 4;

/// Writes descriptors in the source's own format.
pub(crate) struct SourceWriter<'s> {
    pub(crate) format: &'static Format,
    pub(crate) source: &'s Document<'s>,
    /// SHA-256 of the source.
    pub(crate) digest: &'s str,
    pub(crate) limits: &'s Limits,
}

impl SourceWriter<'_> {
    /// Writes descriptors, whose values come from `sources`. Fails unless the result is one
    /// document.
    pub(crate) fn write(
        &self,
        lifted: &LiftedDocument<'_>,
        sources: &[&Document<'_>],
    ) -> Result<(String, Records), Diagnostic> {
        let context = Context {
            format: self.format,
            sources,
            same_format: true,
            version: self.format.version_of(self.source),
            defaults: &Defaults::default(),
            accept: &BTreeSet::new(),
            digest: self.digest,
            as_list: lifted.is_list,
            budget: self.limits.work,
        };
        let (documents, records) = lower(lifted, context, false)?;
        let mut texts = documents.into_iter().map(|document| document.text);
        if let (Some(text), None) = (texts.next(), texts.next()) {
            return Ok((text, records));
        }
        let message = "the source is one document, and the edit would make it another number";
        Err(rules::CONFLICT.at_pointer(Pointer::root(), message))
    }
}

/// The source's text with the edit.
pub(crate) struct PatchedSource {
    pub(crate) text: String,
    pub(crate) tape: ParsedEntries,
    /// True if no edit was reverted.
    pub(crate) is_complete: bool,
}

/// Applies the difference between `was` and `is` to the source's text. Edits that make the
/// source invalid are reverted.
pub(crate) fn patch_source(
    writer: &SourceWriter<'_>,
    was: &Document<'_>,
    mut is: String,
) -> Result<PatchedSource, Report> {
    let SourceWriter { format, source, limits, digest: _ } = *writer;
    let options = MergeOptions { keys: format.keys, partial: true };
    let mut reverts = 0;
    loop {
        let wanted =
            Document::parse(is.as_bytes(), json_text::Limits::none()).map_err(Report::from)?;
        let text = merge(source, was.root(), wanted.root(), &options).text;
        let restored = Document::parse(text.as_bytes(), limits).map_err(Report::from)?;
        let Err(report) = format.lift(&restored, limits) else {
            let tape = restored.tape();
            return Ok(PatchedSource { text, tape, is_complete: reverts == 0 });
        };
        if reverts == MAX_REVERTS {
            return Err(report);
        }
        reverts += 1;
        match revert_faulty_edits(&report, &restored, was, &wanted, format.keys) {
            Some(less) => is = less,
            None => return Err(report),
        }
    }
}

/// Drops values the format made us invent from the new text, and restores unread source
/// values that the edit overwrites in the old one. Both texts have the same tools. The old
/// text is returned only if it changes.
pub(crate) fn strip_invented(
    source: &Document<'_>,
    was: &Document<'_>,
    is: String,
    records: Records,
) -> Result<(String, Option<String>), Diagnostic> {
    let now = Document::parse(is.as_bytes(), json_text::Limits::none())?;
    let invented = Ledger { records }.target_values(0, &now, |how| !how.keeps_meaning());
    let mut corrections = Corrections {
        invented: invented.into_iter().map(|(_, node)| node.index()).collect(),
        new_text_edits: Vec::new(),
        old_text_edits: Vec::new(),
    };
    let mut open = vec![(was.root(), now.root(), Some(source.root()))];
    while let Some(versions) = open.pop() {
        corrections.compare(versions, &mut open);
    }
    let old = apply_edits(was, &corrections.old_text_edits);
    let new = apply_edits(&now, &corrections.new_text_edits);
    Ok((new.unwrap_or(is), old))
}

/// Returns the text of a document with some edits, or `None` if there are none.
fn apply_edits(document: &Document<'_>, edits: &[Edit]) -> Option<String> {
    if edits.is_empty() { None } else { ok_or_bug(json_text::apply(document, edits)) }
}

/// A value without the edit, with the edit, and in the source.
type ValueVersions<'d> = (Node<'d>, Node<'d>, Option<Node<'d>>);

/// The corrections of the texts without and with the edit.
struct Corrections {
    /// Entries of the new text that were invented: they are neither native nor equivalent.
    invented: BTreeSet<u32>,
    new_text_edits: Vec<Edit>,
    old_text_edits: Vec<Edit>,
}

impl Corrections {
    /// Compares a value, and adds the values inside that must be compared to `open`.
    fn compare<'d>(
        &mut self,
        (was, now, source): ValueVersions<'d>,
        open: &mut Vec<ValueVersions<'d>>,
    ) {
        if self.invented.contains(&now.index()) {
            if !was.same_value(now) {
                self.new_text_edits.push(Edit::Set(now.pointer(), was.raw().to_owned()));
            }
        } else if was.is_object() && now.is_object() {
            self.compare_members((was, now, source), open);
        } else if was.is_array() && now.is_array() {
            let mut own = source.into_iter().flat_map(Node::elements);
            for (was, now) in was.elements().zip(now.elements()) {
                open.push((was, now, own.next()));
            }
        }
    }

    fn compare_members<'d>(
        &mut self,
        (was, now, source): ValueVersions<'d>,
        open: &mut Vec<ValueVersions<'d>>,
    ) {
        let (old, new) = (was.index_members(), now.index_members());
        let own = source.filter(|source| source.is_object()).map(Node::index_members);
        for member in now.members() {
            let name = member.name();
            let own = own.as_ref().and_then(|own| own.get(&name));
            if let Some(was) = old.get(&name) {
                open.push((was, member.value, own));
            } else if self.is_invented(member.value) {
                self.new_text_edits.push(Edit::Remove(member.value.pointer()));
            } else if let Some(own) = own
                && is_leaf(own)
            {
                // The source has a scalar or an empty list here that was not read. The edit
                // replaces it if the old text contains it.
                let at = was.pointer().push(&name);
                self.old_text_edits.push(Edit::Insert(at, own.raw().to_owned()));
            }
        }
        // If the last value that was read from an object is removed, its unread members
        // stay.
        for member in was.members() {
            let name = member.name();
            if member.value.is_object()
                && new.get(&name).is_none()
                && let Some(own) = own.as_ref().and_then(|own| own.get(&name))
                && own.members().count() > member.value.members().count()
            {
                let at = now.pointer().push(&name);
                self.new_text_edits.push(Edit::Insert(at, "{}".to_owned()));
            }
        }
    }

    /// Returns true if everything inside a value was invented.
    fn is_invented(&self, value: Node<'_>) -> bool {
        let mut open = vec![value];
        while let Some(node) = open.pop() {
            if self.invented.contains(&node.index()) {
                continue;
            }
            if is_leaf(node) {
                return false;
            }
            open.extend(node.elements());
            open.extend(node.members().map(|member| member.value));
        }
        true
    }
}

/// Returns true if a value has neither members nor elements.
fn is_leaf(value: Node<'_>) -> bool {
    value.members().next().is_none() && value.elements().next().is_none()
}
