//! Restoring a source from its residue and its targets, by two differences.
//!
//! The first difference is the edit: the target as it was written against the target as it
//! is now. The second one is the same edit in the source's own format. Only fields that
//! were edited can change the source's text.
//!
//! 1. [`session`](crate::session) converts the source again, which gives the target as it was
//!    written.
//! 2. [`edit`](crate::edit) matches the given documents and their tools with the written
//!    ones.
//! 3. [`overlay`](crate::overlay) compares each tool as it was written and as it is now,
//!    field by field, and applies the differences to the descriptors of the source.
//!    [`references`](crate::references) then renames references.
//! 4. [`patch`](crate::patch) writes the descriptors without and with the edit in the
//!    source's own format, and applies the difference of these two texts to the source's
//!    text. [`revert`](crate::revert) reverts edits that make the source invalid.
//! 5. [`lost_edits`](crate::lost_edits) converts the restored source once more, and reports
//!    each place where the result differs from the given target as a lost edit.
//! 6. [`reconcile`](crate::reconcile) merges the result with the source as it is now, if
//!    that is given.
//!
//! Targets that were not edited return the source at once. A target in the source's own
//! format is merged as text.

use std::collections::BTreeSet;

use diagnostic::{Diagnostic, Pointer, Report, quoted};
use json_text::{Document, MergeOptions, merge};
use manifest_core::{Format, Limits, align, rules};

use crate::conversion::Conversion;
use crate::convert::convert;
use crate::in_band;
use crate::lost_edits::NOT_EXPRESSIBLE;
use crate::options::Options;
use crate::reconcile::reconcile;
use crate::residue::Residue;
use crate::restored::{LostEdit, RestoredSource};
use crate::session::{CallEdits, Original, RestoreOptions, RestoreSession, Target};

/// Restores the source of a conversion, with the edits that were made to its targets.
///
/// A document of the target that is not given counts as unchanged, unless the options
/// remove its tools. The tools of a document that the conversion did not write are added.
pub fn restore(
    targets: &[Target<'_>],
    original: Original<'_>,
    from: &'static Format,
    to: &'static Format,
    options: &RestoreOptions,
) -> Result<RestoredSource, Report> {
    let limits = &options.limits;
    let (texts, carried) = take_residues(targets, to).map_err(Report::from)?;
    let bare = parse_texts(&texts, limits).map_err(Report::from)?;
    let targets = with_documents(targets, &bare);
    let residue = find_residue(original, carried, &targets, [from, to], options)?;
    let text = residue.source_text();
    let source = Document::parse(text.as_bytes(), limits).map_err(Report::from)?;
    let restored = if !options.delete_missing && are_unedited(&targets, &residue) {
        RestoredSource::unedited(text.clone())
    } else {
        RestoreSession::new(&source, &residue, &targets, [from, to], options)?.restore(&targets)?
    };
    match original {
        Original::Both(_, now) => reconcile(now, &source, restored, from, limits),
        _ => Ok(restored),
    }
}

/// Returns true if no target was edited: each equals a different one of the written
/// documents. The source then need not be converted again.
fn are_unedited(targets: &[Target<'_>], residue: &Residue) -> bool {
    let known: BTreeSet<&str> = residue.documents.values().map(String::as_str).collect();
    let now: Vec<String> =
        targets.iter().map(|target| Residue::digest_of(target.document)).collect();
    let each = targets.iter().zip(&now).all(|(target, now)| {
        let written = target.name.and_then(|name| residue.documents.get(name));
        written.map_or(known.contains(now.as_str()), |written| written == now)
    });
    each && now.iter().collect::<BTreeSet<_>>().len() == targets.len()
}

/// The texts of those targets that carry a residue, without it, and that residue.
pub(crate) type WithoutResidues = (Vec<Option<String>>, Option<Residue>);

pub(crate) fn take_residues(
    targets: &[Target<'_>],
    to: &Format,
) -> Result<WithoutResidues, Diagnostic> {
    let (mut texts, mut carried) = (Vec::new(), None);
    for target in targets {
        let (text, residue) = in_band::extract_residue(target.document, to)?.unzip();
        texts.push(text);
        carried = carried.or(residue.flatten());
    }
    Ok((texts, carried))
}

pub(crate) fn parse_texts<'t>(
    texts: &'t [Option<String>],
    limits: &Limits,
) -> Result<Vec<Option<Document<'t>>>, Diagnostic> {
    let parse = |text: &'t String| Document::parse(text.as_bytes(), limits);
    texts.iter().map(|text| text.as_ref().map(parse).transpose()).collect()
}

pub(crate) fn with_documents<'t>(
    targets: &[Target<'t>],
    bare: &'t [Option<Document<'t>>],
) -> Vec<Target<'t>> {
    let document = |(target, bare): (&Target<'t>, &'t Option<Document<'t>>)| Target {
        name: target.name,
        document: bare.as_ref().unwrap_or(target.document),
    };
    targets.iter().zip(bare).map(document).collect()
}

/// Returns the residue to restore with.
fn find_residue(
    original: Original<'_>,
    carried: Option<Residue>,
    targets: &[Target<'_>],
    [from, to]: [&'static Format; 2],
    options: &RestoreOptions,
) -> Result<Residue, Report> {
    let residue = match original {
        Original::Residue(residue) | Original::Both(residue, _) => residue.clone(),
        Original::Source(source) => {
            convert_as_targets(targets, source, [from, to], options)?.residue(source)
        }
        Original::InBand => carried.ok_or_else(|| {
            let message = "there is no residue, neither beside the document nor inside";
            Report::from(rules::RESIDUE.at_pointer(Pointer::root(), message))
        })?,
    };
    check_formats(&residue, from, to)?;
    Ok(residue)
}

/// Fails if a residue belongs to other formats.
pub(crate) fn check_formats(residue: &Residue, from: &Format, to: &Format) -> Result<(), Report> {
    if (residue.from.as_str(), residue.to.as_str()) == (from.name, to.name) {
        return Ok(());
    }
    let message = format!(
        "the residue stands between {} and {}, not between {} and {}",
        quoted(&residue.from),
        quoted(&residue.to),
        from.name,
        to.name,
    );
    Err(Report::from(rules::UNRELATED.at_pointer(Pointer::root(), message)))
}

/// Converts a source in the way that its targets show: to the same version, and only the
/// tools that are still there.
fn convert_as_targets(
    targets: &[Target<'_>],
    source: &Document<'_>,
    [from, to]: [&'static Format; 2],
    options: &RestoreOptions,
) -> Result<Conversion, Report> {
    let mut choice = Options { limits: options.limits.clone(), ..Options::accept_all() };
    let all = convert(source, from, to, &choice)?;
    let version = |document: &Document<'_>| to.version_of(document);
    let now = targets.first().and_then(|target| version(target.document));
    let written = all.documents.first().and_then(|document| version(&document.open()));
    if now != written && from.name != to.name {
        let name = now.and_then(|now| to.versions.get(now));
        choice.version = name.map(|name| (*name).to_owned());
    }
    if !options.delete_missing {
        let tools: Vec<_> =
            targets.iter().flat_map(|target| to.lift_valid(target.document, 0).tools).collect();
        let ids: Vec<&str> = tools.iter().map(|tool| tool.id.as_ref()).collect();
        let known: Vec<&str> = all.tools.iter().map(|tool| tool.target.as_str()).collect();
        let pairs = align(&ids, &known).into_iter().flatten();
        let there: Vec<String> =
            pairs.filter_map(|index| Some(all.tools.get(index)?.id.clone())).collect();
        if !there.is_empty() && there.len() < all.tools.len() && from.name != to.name {
            choice.tools = there;
        }
    }
    if choice.version.is_some() {
        // If documents do not name their version, an edit may look like another version.
        match convert(source, from, to, &choice) {
            Ok(conversion) => return Ok(conversion),
            Err(_) => choice.version = None,
        }
    }
    if choice.tools.is_empty() {
        return Ok(all);
    }
    convert(source, from, to, &choice)
}

impl RestoreSession<'_> {
    pub(crate) fn restore(&self, targets: &[Target<'_>]) -> Result<RestoredSource, Report> {
        let before = self.source.text().to_owned();
        let written = self.written_documents();
        self.match_documents(targets, &written)?;
        if let Some(restored) = self.restore_same_format(targets, &written)? {
            return Ok(restored);
        }
        let mut edit = self.find_edit(targets, &written, CallEdits::Apply)?;
        if !edit.edited {
            return Ok(RestoredSource::unedited(before));
        }
        let mut sources = vec![self.source];
        sources.extend(targets.iter().map(|target| target.document));
        let lifted = self.from.lift(self.source, &self.options.limits)?;
        let (was, _) = self.write_own_format(&lifted, &sources).map_err(Report::from)?;
        let (is, records) = if let Ok(is) = self.write_own_format(&edit.lifted, &sources) {
            is
        } else {
            // A call that tools share may be impossible to write for some of them: keep all
            // calls.
            edit = self.find_edit(targets, &written, CallEdits::Keep)?;
            let Ok(is) = self.write_own_format(&edit.lifted, &sources) else {
                return Ok(all_edits_lost(before, targets, NOT_EXPRESSIBLE));
            };
            is
        };
        // A value that was only approximated or assumed does not contain the edit.
        let said = records.records.iter().filter(|record| record.derivation.keeps_meaning());
        let places = said.flat_map(|record| records.places(record));
        edit.applied_entries = places
            .filter_map(|at| Some((usize::from(at.document).checked_sub(1)?, at.entry)))
            .collect();
        let roomy = json_text::Limits::none();
        let was = Document::parse(was.as_bytes(), roomy).map_err(Report::from)?;
        let same_tools =
            edit.removed_tools.is_empty() && edit.lifted.tools.len() == lifted.tools.len();
        let (is, beside) = if same_tools {
            self.strip_invented(&was, is, records).map_err(Report::from)?
        } else {
            (is, None)
        };
        let beside = beside.as_ref().map(|text| Document::parse(text.as_bytes(), roomy));
        let was = beside.transpose().map_err(Report::from)?.unwrap_or(was);
        let Ok((text, tape, all)) = self.patch_source(&was, is) else {
            return Ok(all_edits_lost(before, targets, WOULD_BE_INVALID));
        };
        if !all {
            edit.applied_entries.clear();
        }
        let restored = Document::from_tape(&text, &tape);
        let mut left_out = self.lost_edits(&restored, targets, &written, &edit)?;
        left_out.extend(self.undeleted_tools(&restored, &mut edit.removed_tools));
        Ok(RestoredSource {
            text,
            original: before,
            edited: true,
            removed_tools: edit.removed_tools,
            lost_edits: left_out,
        })
    }

    /// Restores a target in the source's own format, which is the source with the edits.
    /// Returns `None` for other formats, or if the conversion changed the text.
    fn restore_same_format(
        &self,
        targets: &[Target<'_>],
        written: &[Document<'_>],
    ) -> Result<Option<RestoredSource>, Report> {
        let same = self.from.name == self.to.name && self.convert_options.version.is_none();
        let ([target], [was], true) = (targets, written, same) else { return Ok(None) };
        let before = self.source.text().to_owned();
        if was.text() != before {
            return Ok(None);
        }
        let options = MergeOptions { keys: self.from.keys, partial: false };
        let text = merge(self.source, was.root(), target.document.root(), &options).text;
        let edited = text != before;
        let limits = &self.options.limits;
        let now = Document::parse(text.as_bytes(), limits).map_err(Report::from)?;
        let now: BTreeSet<String> =
            self.from.lift(&now, limits)?.tools.iter().map(|tool| tool.id.to_string()).collect();
        let gone = self.conversion.tools.iter().filter(|tool| !now.contains(&tool.id));
        let removed = gone.map(|tool| tool.id.clone()).collect();
        Ok(Some(RestoredSource {
            text,
            original: before,
            edited,
            removed_tools: removed,
            lost_edits: Vec::new(),
        }))
    }
}

/// Returns the unchanged source, with a lost edit for each target.
fn all_edits_lost(before: String, targets: &[Target<'_>], why: &'static str) -> RestoredSource {
    let left_out =
        |document| LostEdit { document, pointer: Pointer::root(), why: why.into(), carried: false };
    RestoredSource {
        text: before.clone(),
        original: before,
        edited: true,
        removed_tools: Vec::new(),
        lost_edits: (0..targets.len()).map(left_out).collect(),
    }
}

const WOULD_BE_INVALID: &str = "the source would not be valid with the edits";
