//! Converts the source again, to get its targets as they were written.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Pointer, Report, ok_or_bug};
use json_text::{self, Document, Edit, Node};
use manifest_core::{Format, Limits, align};

use crate::conversion::Conversion;
use crate::convert::{convert, convert_without_inputs};
use crate::options::Options;
use crate::output::OutputDocument;
use crate::residue::{Residue, fingerprint};
use crate::restored::{RestoreOptions, Target};

/// Repeats the conversion that a residue belongs to. Documents that another version of this
/// program wrote differently are reproduced from the targets.
pub(crate) fn convert_again(
    source: &Document<'_>,
    residue: &Residue,
    targets: &[Target<'_>],
    [from, to]: [&'static Format; 2],
    limits: &Limits,
) -> Result<Conversion, Report> {
    let options = residue.options.to_options(limits);
    let mut conversion = convert_without_inputs(source, from, to, &options)?;
    let mut by_name: BTreeMap<&str, &Target<'_>> = BTreeMap::new();
    for target in targets {
        if let Some(name) = target.name {
            by_name.insert(name, target);
        }
    }
    let only = match targets {
        [target] if residue.documents.len() == 1 => Some(target),
        _ => None,
    };
    let known = residue.fingerprint_set();
    for document in &mut conversion.documents {
        if residue.documents.get(&document.name) == Some(&document.digest()) {
            continue;
        }
        let target = by_name.get(document.name.as_str()).copied().or(only);
        let Some(target) = target else { continue };
        if let Some(older) = reproduce_output(document, target.document, &known, limits) {
            *document = older;
        }
    }
    Ok(conversion)
}

/// Returns a document as it was written by the program version that wrote the residue. A
/// value of the target that has a fingerprint is not an edit: that version wrote it, even
/// if this version writes another one. `known` are the fingerprints of the residue.
fn reproduce_output(
    document: &OutputDocument,
    now: &Document<'_>,
    known: &BTreeSet<&[u8]>,
    limits: &Limits,
) -> Option<OutputDocument> {
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
        if before.is_some() {
            edits.push(Edit::Set(at, value));
        } else if is_in_object(&at, &written) {
            edits.push(Edit::Insert(at, value));
        }
    }
    let text = ok_or_bug(json_text::apply(&written, &edits))?;
    let tape = ok_or_bug(Document::parse(text.as_bytes(), limits))?.tape();
    Some(OutputDocument { name: document.name.clone(), text, tape })
}

fn is_in_object(at: &Pointer, document: &Document<'_>) -> bool {
    let Some((parent, _)) = at.split_last() else { return false };
    document.root().at(&parent).is_some_and(Node::is_object)
}

/// Converts a source in the way that its targets show: to the same version, and only the
/// tools that are still there.
pub(crate) fn convert_as_targets(
    targets: &[Target<'_>],
    source: &Document<'_>,
    [from, to]: [&'static Format; 2],
    options: &RestoreOptions,
) -> Result<Conversion, Report> {
    let mut choice = Options { limits: options.limits.clone(), ..Options::accept_all() };
    let all = convert(source, from, to, &choice)?;
    if from.name == to.name {
        return Ok(all);
    }
    choice.version = other_version(targets, &all, to);
    if !options.delete_missing {
        choice.tools = remaining_tools(targets, &all, to);
    }
    if choice.version.is_some() {
        // If documents do not name their version, an edit may look like another version.
        if let Ok(conversion) = convert(source, from, to, &choice) {
            return Ok(conversion);
        }
        choice.version = None;
    }
    if choice.tools.is_empty() { Ok(all) } else { convert(source, from, to, &choice) }
}

/// Returns the version of the first target, unless the conversion writes that version.
fn other_version(targets: &[Target<'_>], all: &Conversion, to: &Format) -> Option<String> {
    let now = targets.first().and_then(|target| to.version_of(target.document));
    let written = all.documents.first().and_then(|document| to.version_of(&document.open()));
    if now == written {
        return None;
    }
    to.versions.get(now?).map(|name| (*name).to_owned())
}

/// Returns the converted tools that are still in the targets, by their ids in the source.
/// Empty if these are all of them, or none.
fn remaining_tools(targets: &[Target<'_>], all: &Conversion, to: &Format) -> Vec<String> {
    let lifted: Vec<_> = targets.iter().map(|one| to.lift_valid(one.document, 0).tools).collect();
    let ids: Vec<&str> = lifted.iter().flatten().map(|tool| tool.id.as_ref()).collect();
    let known: Vec<&str> = all.tools.iter().map(|tool| tool.target.as_str()).collect();
    let mut remaining = Vec::new();
    for index in align(&ids, &known).into_iter().flatten() {
        remaining.extend(all.tools.get(index).map(|tool| tool.id.clone()));
    }
    if remaining.len() < all.tools.len() { remaining } else { Vec::new() }
}
