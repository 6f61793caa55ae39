//! The way back, by two differences.
//!
//! The source is converted again, which gives the target as it was written. What differs
//! from the target as it is now is the edit, field by field; it is [laid](super::overlay)
//! over what the source says. Both, without the edit and with it, are written in the
//! source's own format, and their difference is made to the source's text. Only what was
//! edited can touch it.

use std::collections::{BTreeMap, BTreeSet};

use super::format::{Context, Defaults, Format};
use super::job::Job;
use super::overlay::Refused;
use super::residue::{Residue, fingerprint};
use super::{Conversion, Emitted, Options, convert, in_band, lower, one, rules};
use crate::descriptor::Lifted;
use crate::diagnostic::{Diagnostic, Profile, Report};
use crate::json::{self, Conflict, Document, MergeOptions, Node, Tape, compact, merge};
use crate::{Limits, Pointer, printable, quoted};

/// A document of a target, as it is now.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs)]
pub struct Target<'t> {
    /// The name of its file, without folders, if it is known.
    pub name: Option<&'t str>,
    /// The document.
    pub document: &'t Document<'t>,
}

/// What a target is brought back to.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_enums)]
pub enum Original<'o> {
    /// The residue of the conversion.
    Residue(&'o Residue),
    /// The source, as it was converted with these options.
    Source(&'o Document<'o>),
    /// The residue, and the source as it is now. Edits of both sides are kept; where
    /// they contradict each other, that is reported.
    Both(&'o Residue, &'o Document<'o>),
    /// The residue that the target carries inside.
    InBand,
}

/// A restored document.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Restored {
    /// The source again, with the edits that were made to the target.
    pub text: String,
    /// The source as it was before those edits.
    pub before: String,
    /// Whether the target was edited since it was written.
    pub edited: bool,
    /// The tools that are gone, by their ids in the source.
    pub removed: Vec<String>,
    /// Edits that were not made, because the source cannot say them.
    pub left_out: Vec<LeftOut>,
}

/// An edit that was not made to the source.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct LeftOut {
    /// Which of the given targets.
    pub document: usize,
    /// Where in it.
    pub pointer: Pointer,
    /// Why it was not made.
    pub why: &'static str,
}

/// How to restore.
#[derive(Clone, Debug, Default)]
#[allow(clippy::exhaustive_structs)] // built by struct update syntax on purpose
pub struct RestoreOptions {
    /// Remove the tools of documents that are not given.
    pub delete_missing: bool,
    /// What it may cost.
    pub limits: Limits,
}

/// Gives back the source of a conversion, with the edits made to its target.
///
/// A document of the target that is not given is unchanged, unless the options say that
/// its tools are to be removed. One that was not written by the conversion is new.
pub fn restore(
    targets: &[Target<'_>],
    original: Original<'_>,
    from: &'static Format,
    to: &'static Format,
    options: &RestoreOptions,
) -> Result<Restored, Report> {
    let limits = &options.limits;
    let (mut texts, mut carried) = (Vec::new(), None);
    for target in targets {
        let (text, residue) = in_band::take(target.document, to).map_err(one)?.unzip();
        texts.push(text);
        carried = carried.or(residue.flatten());
    }
    let mut bare = Vec::new();
    for text in &texts {
        let text = text.as_ref().map(|text| Document::parse(text.as_bytes(), limits));
        bare.push(text.transpose().map_err(one)?);
    }
    let targets: Vec<Target<'_>> = targets
        .iter()
        .zip(&bare)
        .map(|(target, bare)| Target {
            name: target.name,
            document: bare.as_ref().unwrap_or(target.document),
        })
        .collect();
    let residue = residue_of(original, carried, from, to, limits)?;
    let text = residue.source_text();
    let source = Document::parse(text.as_bytes(), limits).map_err(one)?;
    let way = Way::new(&source, &residue, &targets, [from, to], options)?;
    let restored = way.back(&targets)?;
    match original {
        Original::Both(_, now) => reconcile(now, &source, restored, from, limits),
        _ => Ok(restored),
    }
}

/// Converts a target onwards to a third format as if from its source: what the source
/// says, with the edits made to the target.
pub fn convert_onwards(
    targets: &[Target<'_>],
    residue: &Residue,
    [from, via, to]: [&'static Format; 3],
    options: &Options,
) -> Result<Conversion, Report> {
    let back = RestoreOptions { delete_missing: false, limits: options.limits.clone() };
    let text = residue.source_text();
    let source = Document::parse(text.as_bytes(), &options.limits).map_err(one)?;
    let way = Way::new(&source, residue, targets, [from, via], &back)?;
    let written = way.open();
    let edit = way.edit(targets, &written, Calls::Edit)?;
    if let Some(refused) = edit.refused.first() {
        let message = format!(
            "the edit of {} cannot be laid over the source: {}",
            quoted(&refused.field),
            refused.why
        );
        return Err(one(rules::CONFLICT.at_pointer(Pointer::root(), message)));
    }
    let mut sources = vec![&source];
    if edit.edited {
        sources.extend(targets.iter().map(|target| target.document));
    }
    Job { sources: &sources, from, to, options }.convert(edit.lifted)
}

/// The residue to restore by.
fn residue_of(
    original: Original<'_>,
    carried: Option<Residue>,
    from: &'static Format,
    to: &'static Format,
    limits: &Limits,
) -> Result<Residue, Report> {
    let residue = match original {
        Original::Residue(residue) | Original::Both(residue, _) => residue.clone(),
        Original::Source(source) => {
            let options = Options { limits: limits.clone(), ..everything() };
            convert(source, from, to, &options)?.residue(source)
        }
        Original::InBand => carried.ok_or_else(|| {
            let message = "there is no residue, neither beside the document nor inside";
            one(rules::RESIDUE.at_pointer(Pointer::root(), message))
        })?,
    };
    if (residue.from.as_str(), residue.to.as_str()) != (from.name, to.name) {
        let message = format!(
            "the residue stands between {} and {}, not between {} and {}",
            quoted(&residue.from),
            quoted(&residue.to),
            from.name,
            to.name,
        );
        return Err(one(rules::UNRELATED.at_pointer(Pointer::root(), message)));
    }
    Ok(residue)
}

/// Options that refuse nothing: whoever brings the source along has accepted it.
fn everything() -> Options {
    let accept = [super::Accept::Disabled, super::Accept::Approval, super::Accept::Bridge];
    Options { accept: accept.into(), ..Options::default() }
}

/// A conversion that is gone back.
pub(super) struct Way<'w> {
    pub(super) source: &'w Document<'w>,
    pub(super) from: &'static Format,
    pub(super) to: &'static Format,
    pub(super) options: &'w RestoreOptions,
    /// The source converted again.
    pub(super) conversion: Conversion,
    convert: Options,
    /// SHA-256 of the source.
    digest: String,
}

/// Whether edits of calls are made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Calls {
    Edit,
    Keep,
}

/// What the source says with the edit laid over it.
pub(super) struct Edit<'e> {
    pub(super) lifted: Lifted<'e>,
    pub(super) edited: bool,
    pub(super) removed: Vec<String>,
    pub(super) refused: Vec<Refused>,
}

impl<'w> Way<'w> {
    fn new(
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
            let only = targets.first().filter(|_| targets.len() == 1);
            let target = named.get(document.name.as_str()).copied().or(only);
            let limits = &options.limits;
            let older = target.and_then(|now| as_written(document, now.document, &known, limits));
            if let Some(older) = older {
                *document = older;
            }
        }
        let digest = super::sha256_hex(source.text().as_bytes());
        Ok(Self { source, from, to, options, conversion, convert: again, digest })
    }

    /// The documents as they were written.
    fn open(&self) -> Vec<Document<'_>> {
        self.conversion.documents.iter().map(Emitted::open).collect()
    }

    fn back(&self, targets: &[Target<'_>]) -> Result<Restored, Report> {
        let before = self.source.text().to_owned();
        let written = self.open();
        self.matched(targets, &written)?;
        if let Some(restored) = self.itself(targets, &written)? {
            return Ok(restored);
        }
        let mut edit = self.edit(targets, &written, Calls::Edit)?;
        if !edit.edited {
            return Ok(Restored {
                text: before.clone(),
                before,
                edited: false,
                removed: Vec::new(),
                left_out: Vec::new(),
            });
        }
        let mut sources = vec![self.source];
        sources.extend(targets.iter().map(|target| target.document));
        let lifted = self.from.lift(self.source, &self.options.limits)?;
        let was = self.own(&lifted, &sources).map_err(one)?;
        let is = if let Ok(is) = self.own(&edit.lifted, &sources) {
            is
        } else {
            // What tools share may not be said of some of them: their calls stay.
            edit = self.edit(targets, &written, Calls::Keep)?;
            let Ok(is) = self.own(&edit.lifted, &sources) else {
                return Ok(nothing_made(before, targets, NOT_SAID));
            };
            is
        };
        let roomy = Limits::read_before();
        let was = Document::parse(was.as_bytes(), &roomy).map_err(one)?;
        let Ok((text, tape)) = self.merged(&was, is) else {
            return Ok(nothing_made(before, targets, WOULD_BREAK));
        };
        let restored = Document::open(&text, &tape);
        let left_out = self.left_out(&restored, targets, &written, &edit.refused)?;
        Ok(Restored { text, before, edited: true, removed: edit.removed, left_out })
    }

    /// A target in the source's own format is the source, edited.
    fn itself(
        &self,
        targets: &[Target<'_>],
        written: &[Document<'_>],
    ) -> Result<Option<Restored>, Report> {
        let same = self.from.name == self.to.name && self.convert.version.is_none();
        let ([target], [was], true) = (targets, written, same) else { return Ok(None) };
        let before = self.source.text().to_owned();
        if was.text() != before {
            return Ok(None);
        }
        let options = MergeOptions { keys: self.from.keys, partial: false };
        let text = merge(self.source, was.root(), target.document.root(), &options).text;
        let edited = text != before;
        let limits = &self.options.limits;
        let now = Document::parse(text.as_bytes(), limits).map_err(one)?;
        let now: BTreeSet<String> =
            self.from.lift(&now, limits)?.tools.iter().map(|tool| tool.id.to_string()).collect();
        let gone = self.conversion.tools.iter().filter(|tool| !now.contains(&tool.id));
        let removed = gone.map(|tool| tool.id.clone()).collect();
        Ok(Some(Restored { text, before, edited, removed, left_out: Vec::new() }))
    }

    /// The source's text with the difference between what it says and what it is to say.
    /// What the source's format does not take is as it was.
    fn merged(&self, was: &Document<'_>, mut is: String) -> Result<(String, Tape), Report> {
        let limits = &self.options.limits;
        let options = MergeOptions { keys: self.from.keys, partial: true };
        for _ in 0..TRIES {
            let wanted = Document::parse(is.as_bytes(), &Limits::read_before()).map_err(one)?;
            let text = merge(self.source, was.root(), wanted.root(), &options).text;
            let restored = Document::parse(text.as_bytes(), limits).map_err(one)?;
            let tape = restored.tape();
            let Err(report) = self.from.lift(&restored, limits) else { return Ok((text, tape)) };
            let Some(kept) = keep(&report, was, &wanted) else { return Err(report) };
            is = kept;
        }
        let wanted = Document::parse(is.as_bytes(), &Limits::read_before()).map_err(one)?;
        let text = merge(self.source, was.root(), wanted.root(), &options).text;
        let restored = Document::parse(text.as_bytes(), limits).map_err(one)?;
        self.from.lift(&restored, limits)?;
        let tape = restored.tape();
        Ok((text, tape))
    }

    /// Descriptors in the source's own format, as one document.
    pub(super) fn own(
        &self,
        lifted: &Lifted<'_>,
        sources: &[&Document<'_>],
    ) -> Result<String, Diagnostic> {
        let context = Context {
            format: self.from,
            sources,
            own: true,
            version: self.from.version_of(self.source),
            defaults: &Defaults::default(),
            digest: &self.digest,
            list: lifted.list,
        };
        let (documents, _) = lower::lower(lifted, context, false)?;
        let mut texts = documents.into_iter().map(|document| document.text);
        if let (Some(text), None) = (texts.next(), texts.next()) {
            return Ok(text);
        }
        let message = "the source is one document, and the edit would make it another number";
        Err(rules::CONFLICT.at_pointer(Pointer::root(), message))
    }

    /// The edits that the restored source does not say: where the target that it converts
    /// to is not the one that was given.
    fn left_out(
        &self,
        restored: &Document<'_>,
        targets: &[Target<'_>],
        written: &[Document<'_>],
        refused: &[Refused],
    ) -> Result<Vec<LeftOut>, Report> {
        let options = Options { accept: everything().accept, ..self.convert.clone() };
        let again = convert(restored, self.from, self.to, &options)?;
        let digest = |document: &Document<'_>| super::sha256_hex(document.text().as_bytes());
        let (old, new) = (digest(self.source), digest(restored));
        let mut reasons = refused.iter().map(|refused| refused.why);
        let first = reasons.next().unwrap_or(NOT_SAID);
        let why = if reasons.all(|why| why == first) { first } else { NOT_SAID };
        let mut places = BTreeMap::new();
        for tool in again.tools.iter().rev() {
            places.insert(tool.target.as_str(), tool.document);
        }
        let mut found = Vec::new();
        for (index, target) in targets.iter().enumerate() {
            // The same tools, wherever they are written now.
            let place = match again.documents.len() {
                1 => Some(0),
                _ => self.counterpart(target, &places),
            };
            let Some(document) = place.and_then(|place| again.documents.get(place)) else {
                found.push(LeftOut { document: index, pointer: Pointer::root(), why: NOT_SAID });
                continue;
            };
            // One digest for another: everything stays where it is in the text.
            let text = document.text.replace(&new, &old);
            let says = Document::open(&text, &document.tape);
            let options = MergeOptions { keys: self.to.keys, partial: false };
            let was = place.and_then(|place| written.get(place));
            for change in merge(&says, says.root(), target.document.root(), &options).changes {
                let pointer = change.new.map_or_else(|| change.at.pointer(), Node::pointer);
                let is = target.document.root().at(&pointer);
                let before = was.and_then(|was| was.root().at(&pointer));
                let same = match (before, is) {
                    (Some(before), Some(is)) => before.same_value(is),
                    (before, is) => before.is_none() && is.is_none(),
                };
                if !same {
                    found.push(LeftOut { document: index, pointer, why });
                }
            }
        }
        Ok(found)
    }

    /// Which document holds the tools of a target, by the documents of all tools.
    fn counterpart(&self, target: &Target<'_>, places: &BTreeMap<&str, usize>) -> Option<usize> {
        let tools = self.to.read_as(target.document, 0).tools;
        places.get(tools.first()?.id.as_ref() as &str).copied()
    }
}

/// What comes of edits that the source's format cannot write: nothing, and it is said.
fn nothing_made(before: String, targets: &[Target<'_>], why: &'static str) -> Restored {
    let left_out = |document| LeftOut { document, pointer: Pointer::root(), why };
    Restored {
        text: before.clone(),
        before,
        edited: true,
        removed: Vec::new(),
        left_out: (0..targets.len()).map(left_out).collect(),
    }
}

const WOULD_BREAK: &str = "the source would not be valid with the edits";

/// How often what the source's format does not take is taken back.
const TRIES: usize = 4;

/// What is to be said, with what is wrong with it as it was; nothing, if it was so.
fn keep(report: &Report, was: &Document<'_>, wanted: &Document<'_>) -> Option<String> {
    let mut edits: BTreeMap<Pointer, json::Edit> = BTreeMap::new();
    for found in report.errors() {
        // The value itself, or the nearest around it that was changed.
        let mut at = found.pointer.clone();
        loop {
            let (old, new) = (was.root().at(&at), wanted.root().at(&at));
            let same = match (old, new) {
                (Some(old), Some(new)) => old.same_value(new),
                (old, new) => old.is_none() && new.is_none(),
            };
            if !same {
                let edit = match (old, new) {
                    (Some(old), Some(_)) => json::Edit::Set(at.clone(), old.raw().to_owned()),
                    (Some(old), None) => json::Edit::Insert(at.clone(), old.raw().to_owned()),
                    (None, _) => json::Edit::Remove(at.clone()),
                };
                edits.insert(at, edit);
                break;
            }
            at = at.split_last()?.0;
        }
    }
    let edits: Vec<json::Edit> = edits.into_values().collect();
    json::apply(wanted, &edits).ok()
}

const NOT_SAID: &str = "the format of the source has no word for it";

/// A document as the version of the program wrote it that the residue is from. What the
/// target says now and has a fingerprint was written so, whatever this version writes.
fn as_written(
    document: &Emitted,
    now: &Document<'_>,
    known: &BTreeSet<&[u8]>,
    limits: &Limits,
) -> Option<Emitted> {
    let written = document.open();
    let mut edits = Vec::new();
    for (at, leaf) in now.root().leaves() {
        let before = written.root().at(&at);
        if before.is_some_and(|before| before.same_value(leaf))
            || !known.contains(fingerprint(&at, leaf).as_bytes())
        {
            continue;
        }
        let value = leaf.raw().to_owned();
        let parent = at.split_last().and_then(|(parent, _)| written.root().at(&parent));
        match before {
            Some(_) => edits.push(json::Edit::Set(at, value)),
            None if parent.is_some_and(Node::is_object) => {
                edits.push(json::Edit::Insert(at, value));
            }
            None => {}
        }
    }
    let text = json::apply(&written, &edits).ok()?;
    let tape = Document::parse(text.as_bytes(), limits).ok()?.tape();
    Some(Emitted { name: document.name.clone(), text, tape })
}

/// The source as it is now, with what restoring changed in the source as it was.
fn reconcile(
    now: &Document<'_>,
    before: &Document<'_>,
    restored: Restored,
    from: &'static Format,
    limits: &Limits,
) -> Result<Restored, Report> {
    let theirs = Document::parse(restored.text.as_bytes(), limits).map_err(one)?;
    let options = MergeOptions { keys: from.keys, partial: false };
    let merged = merge(now, before.root(), theirs.root(), &options);
    if !merged.conflicts.is_empty() {
        let mut report = Report::new(Profile::Spec, limits.diagnostics);
        merged.conflicts.iter().for_each(|conflict| report.push(told(conflict)));
        return Err(report);
    }
    let text = merged.text;
    // Two edits that are right by themselves may not fit together.
    from.lift(&Document::parse(text.as_bytes(), limits).map_err(one)?, limits)?;
    Ok(Restored { text, ..restored })
}

/// A conflict, for people.
fn told(conflict: &Conflict<'_>) -> Diagnostic {
    let said = |value: Option<Node<'_>>| match value {
        None => "nothing".to_owned(),
        Some(value) => printable(&compact(value), 64),
    };
    let [was, ours, theirs] = [conflict.was, conflict.ours, conflict.theirs].map(said);
    let message = format!(
        "both sides changed this: it was {was}, and is {ours} here and {theirs} in the target"
    );
    let help = "decide which of the two it is to be, and say so on one side";
    let found = rules::CONFLICT.at_pointer(conflict.at.pointer(), message);
    found.span(conflict.at.span()).help(help)
}
