//! A conversion that is gone back: the source converted again, beside the target as it is now.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::Report;
use json_text::Document;
use manifest_core::descriptor::Lifted;
use manifest_core::{Format, Limits, sha256_hex};

use crate::as_written::as_written;
use crate::conversion::Conversion;
use crate::convert::convert;
use crate::emitted::Emitted;
use crate::options::Options;
use crate::overlay::Refused;
use crate::residue::Residue;

/// A document of a target, as it is now.
#[derive(Clone, Copy, Debug)]
pub struct Target<'t> {
    /// The name of its file, without folders, if it is known.
    pub name: Option<&'t str>,
    /// The document.
    pub document: &'t Document<'t>,
}

/// What a target is brought back to.
#[derive(Clone, Copy, Debug)]
pub enum Original<'o> {
    /// The residue of the conversion.
    Residue(&'o Residue),
    /// The source itself. What was chosen to be converted is told by the target: a tool
    /// that is not in it is as it was, unless the options say that it is to be removed.
    Source(&'o Document<'o>),
    /// The residue, and the source as it is now. Edits of both sides are kept; where
    /// they contradict each other, that is reported.
    Both(&'o Residue, &'o Document<'o>),
    /// The residue that the target carries inside.
    InBand,
}

/// How to restore.
#[derive(Clone, Debug, Default)]
pub struct RestoreOptions {
    /// Remove the tools of documents that are not given.
    pub delete_missing: bool,
    /// What it may cost.
    pub limits: Limits,
}

/// A conversion that is gone back.
pub(crate) struct Way<'w> {
    pub(crate) source: &'w Document<'w>,
    pub(crate) from: &'static Format,
    pub(crate) to: &'static Format,
    pub(crate) options: &'w RestoreOptions,
    /// The source converted again.
    pub(crate) conversion: Conversion,
    pub(crate) convert: Options,
    /// SHA-256 of the source.
    pub(crate) digest: String,
}

/// Whether edits of calls are made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Calls {
    Edit,
    Keep,
}

/// What the source says with the edit laid over it.
pub(crate) struct Edit<'e> {
    pub(crate) lifted: Lifted<'e>,
    pub(crate) edited: bool,
    pub(crate) removed: Vec<String>,
    pub(crate) refused: Vec<Refused>,
    /// For each target, which of the written documents it is.
    pub(crate) written: Vec<Option<usize>>,
    /// For each target, the id of its first tool in the source.
    pub(crate) first: Vec<Option<String>>,
    /// Where targets name tools that are to have another name in the source, too: which
    /// target, which entry of it, and the id in the source.
    pub(crate) renamed: BTreeMap<(usize, u32), String>,
    /// The ids of tools that were not converted.
    pub(crate) unchosen: BTreeSet<String>,
    /// What the source is to say that came from a target: which one, and which entry of it.
    pub(crate) carried: BTreeSet<(usize, u32)>,
}

impl<'w> Way<'w> {
    pub(crate) fn new(
        source: &'w Document<'w>,
        residue: &Residue,
        targets: &[Target<'_>],
        [from, to]: [&'static Format; 2],
        options: &'w RestoreOptions,
    ) -> Result<Self, Report> {
        let again = residue.options.options(&options.limits);
        let mut conversion = convert(source, from, to, &again)?;
        let known = residue.known();
        let named: BTreeMap<&str, &Target<'_>> =
            targets.iter().filter_map(|target| Some((target.name?, target))).collect();
        for document in &mut conversion.documents {
            let written = residue.documents.get(&document.name);
            if written.is_some_and(|digest| *digest == document.digest()) {
                continue;
            }
            // Another version of this program wrote it otherwise.
            let only =
                targets.first().filter(|_| targets.len() == 1 && residue.documents.len() == 1);
            let target = named.get(document.name.as_str()).copied().or(only);
            let limits = &options.limits;
            let older = target.and_then(|now| as_written(document, now.document, &known, limits));
            if let Some(older) = older {
                *document = older;
            }
        }
        let digest = sha256_hex(source.text().as_bytes());
        Ok(Self { source, from, to, options, conversion, convert: again, digest })
    }

    /// The documents as they were written.
    pub(crate) fn open(&self) -> Vec<Document<'_>> {
        self.conversion.documents.iter().map(Emitted::open).collect()
    }
}
