//! The state of a restore: the source converted again, and the edit of its targets.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::Report;
use json_text::Document;
use manifest_core::descriptor::LiftedDocument;
use manifest_core::{Format, Limits, sha256_hex};

use crate::conversion::Conversion;
use crate::convert::convert;
use crate::older_output::reproduce_output;
use crate::options::Options;
use crate::output::OutputDocument;
use crate::overlay::Refusal;
use crate::residue::Residue;

/// A target document, as it is now.
#[derive(Clone, Copy, Debug)]
pub struct Target<'t> {
    /// The name of its file, without folders, if it is known.
    pub name: Option<&'t str>,
    /// The document.
    pub document: &'t Document<'t>,
}

/// The data to restore with, besides the targets.
#[derive(Clone, Copy, Debug)]
pub enum Original<'o> {
    /// The residue of the conversion.
    Residue(&'o Residue),
    /// The source itself. The target shows which tools were converted: a tool that it lacks
    /// stays unchanged, unless the options remove it.
    Source(&'o Document<'o>),
    /// The residue, and the source as it is now. Edits of both sides are kept. If they
    /// contradict each other, restoring fails.
    Both(&'o Residue, &'o Document<'o>),
    /// The residue inside the target.
    InBand,
}

/// The options of a restore.
#[derive(Clone, Debug, Default)]
pub struct RestoreOptions {
    /// Removes the tools of documents that are not given.
    pub delete_missing: bool,
    /// The limits of the restore.
    pub limits: Limits,
}

/// A restore in progress.
pub(crate) struct RestoreSession<'w> {
    pub(crate) source: &'w Document<'w>,
    pub(crate) from: &'static Format,
    pub(crate) to: &'static Format,
    pub(crate) options: &'w RestoreOptions,
    /// The source converted again: its documents are the targets as they were written.
    pub(crate) conversion: Conversion,
    pub(crate) convert_options: Options,
    /// SHA-256 of the source.
    pub(crate) digest: String,
}

/// How to treat edits of calls.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallEdits {
    Apply,
    Keep,
}

/// The descriptors of the source with the edits of the targets applied.
pub(crate) struct SourceEdit<'e> {
    pub(crate) lifted: LiftedDocument<'e>,
    pub(crate) edited: bool,
    pub(crate) removed_tools: Vec<String>,
    pub(crate) refusals: Vec<Refusal>,
    /// For each target, the index of the written document that it is.
    pub(crate) written_index: Vec<Option<usize>>,
    /// For each target, the id of its first tool in the source.
    pub(crate) first_tool: Vec<Option<String>>,
    /// Renamed tools: the target and its entry with the new name, and the new id in the
    /// source.
    pub(crate) new_ids: BTreeMap<(usize, u32), String>,
    /// The ids of tools that were not converted.
    pub(crate) unconverted: BTreeSet<String>,
    /// The entries of targets that the new text of the source was written from, each with
    /// its target.
    pub(crate) applied_entries: BTreeSet<(usize, u32)>,
}

impl<'w> RestoreSession<'w> {
    pub(crate) fn new(
        source: &'w Document<'w>,
        residue: &Residue,
        targets: &[Target<'_>],
        [from, to]: [&'static Format; 2],
        options: &'w RestoreOptions,
    ) -> Result<Self, Report> {
        let again = residue.options.to_options(&options.limits);
        let mut conversion = convert(source, from, to, &again)?;
        let known = residue.fingerprint_set();
        let named: BTreeMap<&str, &Target<'_>> =
            targets.iter().filter_map(|target| Some((target.name?, target))).collect();
        for document in &mut conversion.documents {
            let written = residue.documents.get(&document.name);
            if written.is_some_and(|digest| *digest == document.digest()) {
                continue;
            }
            // Another version of this program wrote this document differently.
            let only =
                targets.first().filter(|_| targets.len() == 1 && residue.documents.len() == 1);
            let target = named.get(document.name.as_str()).copied().or(only);
            let limits = &options.limits;
            let older =
                target.and_then(|now| reproduce_output(document, now.document, &known, limits));
            if let Some(older) = older {
                *document = older;
            }
        }
        let digest = sha256_hex(source.text().as_bytes());
        Ok(Self { source, from, to, options, conversion, convert_options: again, digest })
    }

    /// Returns the documents as they were written.
    pub(crate) fn written_documents(&self) -> Vec<Document<'_>> {
        self.conversion.documents.iter().map(OutputDocument::open).collect()
    }
}
