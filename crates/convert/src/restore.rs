//! Restores a source from its residue and its targets, by two differences.
//!
//! The first difference is the edit: the target as it was written against the target as it
//! is now. The second one is the same edit in the source's own format. Only fields that
//! were edited can change the source's text.
//!
//! [`RestoreSession::restore`] follows these steps:
//!
//! 1. [`reconvert`] converts the source again, which gives the target as it was written.
//! 2. [`matching`] matches the given targets with the written documents.
//! 3. [`edit`] compares the tools as they were written and as they are now, and applies the
//!    differences to the descriptors of the source. [`references`] renames references.
//! 4. [`patch`] writes the descriptors without and with the edit in the source's own
//!    format, and applies the difference of these two texts to the source's text.
//!    [`revert`] reverts edits that make the source invalid.
//! 5. [`lost_edits`] compares the conversion of the restored source with the given targets.
//! 6. [`reconcile`] merges the result with the source as it is now, if that is given.
//!
//! Targets that were not edited return the source at once. A target in the source's own
//! format is merged as text.

use std::collections::BTreeSet;

use diagnostic::{Pointer, Report};
use json_text::{Document, MergeOptions, merge};
use manifest_core::descriptor::{LiftedDocument, ToolDescriptor};
use manifest_core::format::Records;
use manifest_core::{Format, Formats, rules, sha256_hex};

use self::edit::{CallEdits, SourceEdit, ToolChanges, ToolVersions, revert_calls};
use self::loss_reasons::NOT_EXPRESSIBLE;
use self::lost_edits::{Comparison, undeleted_tools};
use self::matching::{Matching, match_documents};
use self::overlay::EditLog;
use self::patch::{PatchedSource, SourceWriter, patch_source, strip_invented};
use self::reconcile::reconcile;
use self::reconvert::{convert_again, convert_as_targets};
use self::references::rename_references;
use self::tool_edit::promote_sole_tool;
use crate::conversion::Conversion;
use crate::convert::Job;
use crate::in_band::{parse_texts, strip_residues, with_documents};
use crate::options::Options;
use crate::output::{OutputDocument, digest};
use crate::residue::Residue;
use crate::restored::{RestoreOptions, RestoredSource, Target};

pub use self::residue_match::{DocumentKey, ResidueIndex, ResidueMatch};

pub(crate) mod edit;
mod loss_reasons;
mod lost_edits;
mod matching;
mod overlay;
mod patch;
mod reconcile;
mod reconvert;
mod references;
mod residue_match;
mod revert;
mod tool_edit;

const WOULD_BE_INVALID: &str = "the source would not be valid with the edits";

/// Restores the source of a conversion, with the edits that were made to its targets.
///
/// A document of the target that is not given counts as unchanged, unless the options
/// remove its tools. The tools of a document that the conversion did not write are added.
///
/// The residue names the formats of source and target. Fails if `formats` lacks one of them, or if
/// a target is a document of another one. If the residue is inside a target,
/// [`carried_residue`](crate::carried_residue) returns it.
pub fn restore(
    targets: &[Target<'_>],
    residue: &Residue,
    formats: Formats<'_>,
    options: &RestoreOptions,
) -> Result<RestoredSource, Report> {
    restore_with(targets, residue, None, formats, options)
}

/// Restores the source of a conversion like [`restore`], and applies the changes to the source
/// as it is `now`. Edits of both sides are kept. Fails if they contradict each other.
pub fn restore_and_merge(
    targets: &[Target<'_>],
    residue: &Residue,
    now: &Document<'_>,
    formats: Formats<'_>,
    options: &RestoreOptions,
) -> Result<RestoredSource, Report> {
    restore_with(targets, residue, Some(now), formats, options)
}

/// Restores a source with its residue, and merges it with the source as it is `now`, if that is
/// given.
fn restore_with(
    targets: &[Target<'_>],
    residue: &Residue,
    now: Option<&Document<'_>>,
    formats: Formats<'_>,
    options: &RestoreOptions,
) -> Result<RestoredSource, Report> {
    let [from, to] = residue.formats(formats).map_err(Report::from)?;
    check_targets(targets, to, formats)?;
    let texts = strip_residues(targets, to).map_err(Report::from)?;
    let bare = parse_texts(&texts, &options.limits).map_err(Report::from)?;
    restore_bare(&with_documents(targets, &bare), residue, now, [from, to], options)
}

/// Fails if a target is a document of another known format than that of the residue's target.
pub(crate) fn check_targets(
    targets: &[Target<'_>],
    to: &Format,
    formats: Formats<'_>,
) -> Result<(), Report> {
    for target in targets {
        // A list without tools looks the same in several formats.
        if let Ok((found, _)) = formats.detect(target.document)
            && found.name != to.name
            && !found.lift_valid(target.document, 0).tools.is_empty()
        {
            let message = format!(
                "the residue is that of a conversion to {}, and the document is {}",
                to.name, found.name
            );
            return Err(Report::from(rules::UNRELATED.at_pointer(Pointer::root(), message)));
        }
    }
    Ok(())
}

/// Restores a source that is at hand, with the edits that were made to its targets. The targets
/// show which tools were converted: a tool that they lack stays unchanged, unless the options
/// remove it.
pub fn restore_without_residue(
    targets: &[Target<'_>],
    source: &Document<'_>,
    from: &'static Format,
    to: &'static Format,
    options: &RestoreOptions,
) -> Result<RestoredSource, Report> {
    let texts = strip_residues(targets, to).map_err(Report::from)?;
    let bare = parse_texts(&texts, &options.limits).map_err(Report::from)?;
    let targets = with_documents(targets, &bare);
    let residue = convert_as_targets(&targets, source, [from, to], options)?.residue();
    restore_bare(&targets, &residue, None, [from, to], options)
}

/// Restores a source from targets that carry no residue.
fn restore_bare(
    targets: &[Target<'_>],
    residue: &Residue,
    now: Option<&Document<'_>>,
    [from, to]: [&'static Format; 2],
    options: &RestoreOptions,
) -> Result<RestoredSource, Report> {
    let limits = &options.limits;
    let text = residue.source_text();
    let source = Document::parse(text.as_bytes(), limits).map_err(Report::from)?;
    let restored = if !options.delete_missing && are_unedited(targets, residue) {
        RestoredSource::unedited(&text)
    } else {
        RestoreSession::new(&source, residue, targets, [from, to], options)?.restore()?
    };
    match now {
        Some(now) => reconcile(now, &source, restored, from, limits),
        None => Ok(restored),
    }
}

/// Returns true if no target was edited: each equals a different one of the written
/// documents. The source then need not be converted again.
fn are_unedited(targets: &[Target<'_>], residue: &Residue) -> bool {
    let written: BTreeSet<&str> = residue.documents.values().map(String::as_str).collect();
    let mut found = BTreeSet::new();
    for target in targets {
        let now = Residue::digest_of(target.document);
        let is_written = match target.name.and_then(|name| residue.documents.get(name)) {
            Some(written) => *written == now,
            None => written.contains(now.as_str()),
        };
        if !is_written || !found.insert(now) {
            return false;
        }
    }
    true
}

/// A restore in progress.
pub(crate) struct RestoreSession<'s> {
    pub(crate) source: &'s Document<'s>,
    targets: &'s [Target<'s>],
    pub(crate) from: &'static Format,
    pub(crate) to: &'static Format,
    options: &'s RestoreOptions,
    /// The source converted again: its documents are the targets as they were written.
    pub(crate) conversion: Conversion,
    /// SHA-256 of the source.
    pub(crate) digest: String,
}

impl<'s> RestoreSession<'s> {
    /// Converts the source again, as the residue describes.
    pub(crate) fn new(
        source: &'s Document<'s>,
        residue: &Residue,
        targets: &'s [Target<'s>],
        [from, to]: [&'static Format; 2],
        options: &'s RestoreOptions,
    ) -> Result<Self, Report> {
        let conversion = convert_again(source, residue, targets, [from, to], &options.limits)?;
        let digest = sha256_hex(source.text().as_bytes());
        Ok(Self { source, targets, from, to, options, conversion, digest })
    }

    /// Returns the source with the edits of the targets.
    pub(crate) fn restore(&self) -> Result<RestoredSource, Report> {
        let written = self.written_documents();
        let matching = self.match_documents(&written)?;
        if let Some(restored) = self.restore_same_format(&written)? {
            return Ok(restored);
        }
        let mut edit = self.find_edit(&written, &matching, CallEdits::Apply)?;
        if !edit.edited {
            return Ok(RestoredSource::unedited(self.source.text()));
        }

        // The text of the source without and with the edit, in the source's own format.
        let writer = self.source_writer();
        let sources = self.all_sources();
        let lifted = self.from.lift(self.source, &self.options.limits)?;
        let tool_count = lifted.tools.len();
        let (old_text, _) = writer.write(&lifted, &sources).map_err(Report::from)?;
        drop(lifted);
        let (new_text, records) = if let Ok(written) = writer.write(&edit.lifted, &sources) {
            written
        } else {
            // A call that tools share may be impossible to write for some of them: keep all
            // calls.
            edit = self.find_edit(&written, &matching, CallEdits::Keep)?;
            let Ok(written) = writer.write(&edit.lifted, &sources) else {
                return Ok(self.all_edits_lost(NOT_EXPRESSIBLE));
            };
            written
        };
        let mut applied_entries = applied_entries(&records);
        let has_same_tools = edit.removed_tools.is_empty() && edit.lifted.tools.len() == tool_count;
        // Descriptors are large, and are not needed once they are written.
        edit.lifted = LiftedDocument::default();

        // Only the difference of the two texts is written into the source.
        let records = if has_same_tools { Some(records) } else { None };
        let Some(patched) = self.patch(&old_text, new_text, records)? else {
            return Ok(self.all_edits_lost(WOULD_BE_INVALID));
        };
        drop(old_text);
        if !patched.is_complete {
            applied_entries.clear();
        }

        let restored = Document::from_tape(&patched.text, &patched.tape);
        let again = self.convert_restored(&restored)?;
        let new_count = self.from.lift_valid(&restored, 0).tools.len();
        let comparison = Comparison {
            to: self.to,
            source: self.source,
            restored: &restored,
            targets: self.targets,
            conversion: &self.conversion,
            written: &written,
            again: &again,
            matching: &matching,
            edit: &edit,
            applied_entries: &applied_entries,
            same_tools: edit.removed_tools.is_empty() && new_count == tool_count,
        };
        let mut lost_edits = comparison.lost_edits();
        let mut removed_tools = edit.removed_tools;
        lost_edits.extend(undeleted_tools(&restored, self.from, &mut removed_tools));
        let original = self.source.text().to_owned();
        Ok(RestoredSource { text: patched.text, original, edited: true, removed_tools, lost_edits })
    }

    /// Applies the difference of two texts in the source's own format to the source. `records`
    /// are those of the new text, if both have the same tools. Returns `None` if no part of
    /// the edit leaves the source valid.
    fn patch(
        &self,
        old_text: &str,
        mut new_text: String,
        records: Option<Records>,
    ) -> Result<Option<PatchedSource>, Report> {
        let no_limits = json_text::Limits::none();
        let mut old = Document::parse(old_text.as_bytes(), no_limits).map_err(Report::from)?;
        let mut corrected = None;
        if let Some(records) = records {
            (new_text, corrected) =
                strip_invented(self.source, &old, new_text, records).map_err(Report::from)?;
        }
        if let Some(text) = &corrected {
            old = Document::parse(text.as_bytes(), no_limits).map_err(Report::from)?;
        }
        Ok(patch_source(&self.source_writer(), &old, new_text).ok())
    }

    /// Returns the documents as they were written.
    pub(crate) fn written_documents(&self) -> Vec<Document<'_>> {
        self.conversion.documents.iter().map(OutputDocument::open).collect()
    }

    /// Returns the source and the targets: the documents that values come from.
    pub(crate) fn all_sources(&self) -> Vec<&Document<'_>> {
        let mut sources = vec![self.source];
        sources.extend(self.targets.iter().map(|target| target.document));
        sources
    }

    fn source_writer(&self) -> SourceWriter<'_> {
        SourceWriter {
            format: self.from,
            source: self.source,
            digest: &self.digest,
            limits: &self.options.limits,
        }
    }

    /// Matches the targets with the written documents.
    pub(crate) fn match_documents(&self, written: &[Document<'_>]) -> Result<Matching, Report> {
        match_documents(self.targets, written, &self.conversion, self.to, &self.digest)
    }

    /// Restores a target in the source's own format, which is the source with the edits.
    /// Returns `None` for other formats, or if the conversion changed the text.
    fn restore_same_format(
        &self,
        written: &[Document<'_>],
    ) -> Result<Option<RestoredSource>, Report> {
        let ([target], [was]) = (self.targets, written) else { return Ok(None) };
        if self.from.name != self.to.name
            || self.conversion.options.version.is_some()
            || was.text() != self.source.text()
        {
            return Ok(None);
        }
        let options = MergeOptions { keys: self.from.keys, partial: false };
        let text = merge(self.source, was.root(), target.document.root(), &options).text;
        let limits = &self.options.limits;
        let now = Document::parse(text.as_bytes(), limits).map_err(Report::from)?;
        let removed_tools = self.missing_tools(&self.from.lift(&now, limits)?.tools);
        let original = self.source.text().to_owned();
        let edited = text != original;
        Ok(Some(RestoredSource { text, original, edited, removed_tools, lost_edits: Vec::new() }))
    }

    /// Returns the ids of converted tools that are missing among some tools.
    fn missing_tools(&self, tools: &[ToolDescriptor<'_>]) -> Vec<String> {
        let ids: BTreeSet<&str> = tools.iter().map(|tool| tool.id.as_ref()).collect();
        let mut missing = Vec::new();
        for tool in &self.conversion.tools {
            if !ids.contains(tool.id.as_str()) {
                missing.push(tool.id.clone());
            }
        }
        missing
    }

    /// Returns the descriptors of the source with the edits of the targets.
    pub(crate) fn find_edit<'e>(
        &'e self,
        written: &'e [Document<'e>],
        matching: &Matching,
        calls: CallEdits,
    ) -> Result<SourceEdit<'e>, Report> {
        let mut lifted = self.from.lift(self.source, &self.options.limits)?;
        if !self.is_edited(written, matching) {
            return Ok(SourceEdit { lifted, ..SourceEdit::default() });
        }
        let documents = self.read_tools(written, matching)?;
        let mut changes = ToolChanges::find(&documents, &self.conversion.tools, &lifted.tools);
        for target in matching.unmatched_targets() {
            changes.add_tools(self.read_target(target)?, lifted.tools.len().checked_sub(1));
        }
        let mut log = EditLog::default();
        let before = lifted.tools.clone();
        changes.apply_to(&mut lifted, calls, &mut log);
        revert_calls(&before, &mut lifted.tools, calls, self.from, &mut log);
        rename_references(&before, &mut lifted, &mut log);
        let mut edit = SourceEdit {
            edited: true,
            first_tool: vec![None; self.targets.len()],
            ..SourceEdit::default()
        };
        changes.index_names(&lifted.tools, &mut edit);
        edit.removed_tools =
            changes.add_and_remove_tools(&mut lifted, &self.source_writer(), &mut log);
        edit.refusals = log.refusals;
        edit.lifted = lifted;
        Ok(edit)
    }

    /// Returns true if a written document was edited or removed, or a target was added.
    fn is_edited(&self, written: &[Document<'_>], matching: &Matching) -> bool {
        for (target, written) in matching.target_of.iter().zip(written) {
            let is_edited = match target.and_then(|target| self.targets.get(target)) {
                Some(target) => digest(target.document) != digest(written),
                None => self.options.delete_missing,
            };
            if is_edited {
                return true;
            }
        }
        matching.unmatched_targets().next().is_some()
    }

    /// Reads the tools of each written document, without and with the edits.
    fn read_tools<'e>(
        &'e self,
        written: &'e [Document<'e>],
        matching: &Matching,
    ) -> Result<Vec<ToolVersions<'e>>, Report> {
        let mut documents = Vec::new();
        for (target, written) in matching.target_of.iter().zip(written) {
            let before = self.to.lift_valid(written, 0).tools;
            let after = match target {
                Some(target) => {
                    let mut tools = self.read_target(*target)?;
                    promote_sole_tool(&mut tools, &before);
                    Some(tools)
                }
                None if self.options.delete_missing => Some(Vec::new()),
                None => None,
            };
            documents.push(ToolVersions { before, after });
        }
        Ok(documents)
    }

    /// Reads a target. Fails if it is invalid.
    fn read_target(&self, index: usize) -> Result<Vec<ToolDescriptor<'_>>, Report> {
        let Some(target) = self.targets.get(index) else { return Ok(Vec::new()) };
        // The source is document 0.
        let Ok(number) = u16::try_from(index + 1) else {
            let message = "there are more documents than can be told apart";
            return Err(Report::from(rules::UNRELATED.at_pointer(Pointer::root(), message)));
        };
        Ok(self.to.lift_numbered(target.document, number, &self.options.limits)?.tools)
    }

    /// Converts the restored source to the target's format, as a list if a target is one.
    fn convert_restored(&self, restored: &Document<'_>) -> Result<Conversion, Report> {
        let lifted = self.from.lift(restored, &self.options.limits)?;
        let mut options =
            Options { accept: Options::accept_all().accept, ..self.conversion.options.clone() };
        if !(options.tools.is_empty() && options.without.is_empty()) {
            let unconverted = self.unconverted_tools();
            let ids = lifted.tools.iter().map(|tool| tool.id.to_string());
            options.tools = ids.filter(|id| !unconverted.contains(id)).collect();
            options.without.clear();
        }
        let mut targets = self.targets.iter();
        let as_list = targets.any(|target| self.to.lift_valid(target.document, 0).is_list);
        let sources = &[restored];
        Job { sources, from: self.from, to: self.to, options: &options, as_list }.convert(lifted)
    }

    /// Returns the ids of the tools of the source that were not converted.
    fn unconverted_tools(&self) -> BTreeSet<String> {
        let converted: BTreeSet<&str> =
            self.conversion.tools.iter().map(|tool| tool.id.as_str()).collect();
        let mut unconverted = BTreeSet::new();
        for tool in self.from.lift_valid(self.source, 0).tools {
            if !converted.contains(tool.id.as_ref() as &str) {
                unconverted.insert(tool.id.to_string());
            }
        }
        unconverted
    }

    fn all_edits_lost(&self, why: &'static str) -> RestoredSource {
        RestoredSource::all_edits_lost(self.source.text(), self.targets.len(), why)
    }
}

/// Returns the entries of targets that values were written from, each with its target. A
/// value that was only approximated or assumed does not contain the edit.
fn applied_entries(records: &Records) -> BTreeSet<(usize, u32)> {
    let mut entries = BTreeSet::new();
    for record in &records.records {
        if !record.derivation.keeps_meaning() {
            continue;
        }
        for place in records.places(record) {
            // Document 0 is the source.
            if let Some(target) = usize::from(place.document).checked_sub(1) {
                entries.insert((target, place.entry));
            }
        }
    }
    entries
}
