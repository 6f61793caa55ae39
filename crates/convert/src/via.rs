//! Converts an edited target to a third format.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diagnostic::{Diagnostic, Pointer, Report, quoted};
use json_text::{Document, Node, ParsedEntries, Raw};
use manifest_core::descriptor::{Invocation, ToolDescriptor};
use manifest_core::format::Format;
use manifest_core::{Formats, rules, sha256_hex};

use crate::conversion::{Conversion, Inputs};
use crate::convert::{Job, convert};
use crate::in_band::{parse_texts, strip_residues, with_documents};
use crate::options::Options;
use crate::output::RunMode;
use crate::residue::Residue;
use crate::restore::edit::CallEdits;
use crate::restore::{RestoreSession, check_targets};
use crate::restored::{LostEdit, RestoreOptions, Target};

/// Converts a target to a third format as if from its source with the edits made to the
/// target.
///
/// A residue inside a target is removed first.
///
/// Edits that the source can express come from the source as [restoring](crate::restore())
/// returns it ([`Conversion::source`]). The other edits are applied to its descriptors.
///
/// The residue names the formats of source and targets. Fails if `formats` lacks one of them, or
/// if a target is a document of another one.
pub fn convert_via(
    targets: &[Target<'_>],
    residue: &Residue,
    to: &'static Format,
    formats: Formats<'_>,
    options: &Options,
) -> Result<Conversion, Report> {
    let limits = &options.limits;
    let [from, via] = residue.formats(formats).map_err(Report::from)?;
    check_targets(targets, via, formats)?;
    let texts = strip_residues(targets, via).map_err(Report::from)?;
    let bare = parse_texts(&texts, limits).map_err(Report::from)?;
    let targets = with_documents(targets, &bare);
    let text = residue.source_text();
    let source = Document::parse(text.as_bytes(), limits).map_err(Report::from)?;
    let back = RestoreOptions { delete_missing: false, limits: limits.clone() };
    let session = RestoreSession::new(&source, residue, &targets, [from, via], &back)?;
    let restored = session.restore()?;
    if !restored.edited {
        return convert(&source, from, to, options);
    }
    if from.name == to.name {
        // Only a restore keeps the values that descriptors do not cover.
        let message = "the target was edited, and goes back to the format of its source";
        return Err(Report::from(conflict(message).help("restore it instead")));
    }
    let now = Document::parse(restored.text.as_bytes(), limits).map_err(Report::from)?;
    if restored.lost_edits.is_empty() {
        return convert(&now, from, to, options);
    }
    // A bridge to the source becomes one to the restored source. Both digests have the same
    // length, so the tapes still fit the texts.
    let digest = sha256_hex(restored.text.as_bytes());
    let mut resealed: Vec<(String, ParsedEntries)> = Vec::new();
    for target in &targets {
        let text = target.document.text().replace(&session.digest, &digest);
        resealed.push((text, target.document.tape()));
    }
    let mut documents = Vec::new();
    for (text, tape) in &resealed {
        documents.push(Document::from_tape(text, tape));
    }
    let mut targets = targets.clone();
    for (target, document) in targets.iter_mut().zip(&documents) {
        target.document = document;
    }
    let residue = convert(&now, from, via, &session.conversion.options)?.residue();
    let session = RestoreSession::new(&now, &residue, &targets, [from, via], &back)?;
    convert_restored(&session, &targets, restored.lost_edits, to, options)
}

/// Converts a restored source, together with the edits that it lost if that is possible.
fn convert_restored(
    session: &RestoreSession<'_>,
    targets: &[Target<'_>],
    lost_edits: Vec<LostEdit>,
    to: &'static Format,
    options: &Options,
) -> Result<Conversion, Report> {
    let plain = convert(session.source, session.from, to, options);
    if !has_all_tools(session, targets) {
        return Ok(Conversion { lost_edits, ..plain? });
    }
    let whole = convert_with_lost_edits(session, to, options)?;
    // If the edits do not show in the documents, they are lost, even if values come from
    // them.
    let is_same = plain.is_ok_and(|plain| document_texts(&plain).eq(document_texts(&whole)));
    let lost_edits = if is_same { lost_edits } else { still_lost(lost_edits, targets, &whole) };
    Ok(Conversion { lost_edits, ..whole })
}

fn conflict(message: impl Into<String>) -> Diagnostic {
    rules::CONFLICT.at_pointer(Pointer::root(), message)
}

fn document_texts(conversion: &Conversion) -> impl Iterator<Item = &str> {
    conversion.documents.iter().map(|one| one.text.as_str())
}

/// Returns true if the source converts to every tool of its targets. Otherwise its format
/// cannot express the name of a tool, or converts it to another name, and the tools cannot
/// be matched.
fn has_all_tools(session: &RestoreSession<'_>, targets: &[Target<'_>]) -> bool {
    let known: BTreeSet<&str> =
        session.conversion.tools.iter().map(|tool| tool.target.as_str()).collect();
    for target in targets {
        for tool in session.to.lift_valid(target.document, 0).tools {
            if !known.contains(tool.id.as_ref() as &str) {
                return false;
            }
        }
    }
    true
}

/// Converts a source together with the edits that it cannot express.
fn convert_with_lost_edits(
    session: &RestoreSession<'_>,
    to: &'static Format,
    options: &Options,
) -> Result<Conversion, Report> {
    let written = session.written_documents();
    let matching = session.match_documents(&written)?;
    let edit = session.find_edit(&written, &matching, CallEdits::Apply)?;
    if let Some(refused) = edit.refusals.first() {
        let field = quoted(&refused.field);
        let message =
            format!("the edit of {field} cannot be laid over the source: {}", refused.why);
        return Err(Report::from(conflict(message)));
    }
    let edited = call_signatures(&edit.lifted.tools);
    let from = session.from;
    let sources = session.all_sources();
    let job = Job { sources: &sources, from, to, options, as_list: false };
    let mut conversion = match job.convert(edit.lifted) {
        Err(report) if is_format_report(&report, to) => {
            // If the source itself converts, the edit causes the error.
            convert(session.source, from, to, options)?;
            let why = report.errors().next().map_or("", |found| found.message.as_str());
            let message = format!("the edit cannot be said in {}: {why}", to.name);
            return Err(Report::from(conflict(message)));
        }
        other => other?,
    };
    // A bridge is pinned to the source, which does not contain these edits.
    let known = call_signatures(&from.lift_valid(session.source, 0).tools);
    for tool in &conversion.tools {
        if tool.runs == RunMode::ThroughTheBridge && known.get(&tool.id) != edited.get(&tool.id) {
            let id = quoted(&tool.id);
            let message = format!("the id, the arguments or the call of {id} was edited");
            let help = "restore the source, and convert that";
            return Err(Report::from(conflict(message).help(help)));
        }
    }
    conversion.inputs = Arc::new(Inputs::copy(&sources));
    Ok(conversion)
}

/// Returns true if all errors are the format's own. The others concern conversions that
/// look safer than their source or exceed the budget.
fn is_format_report(report: &Report, format: &Format) -> bool {
    report.errors().all(|found| format.rules.iter().any(|rule| rule.code == found.rule.code))
}

/// The call of a tool and its input schema.
type CallSignature<'a> = (Option<Invocation<'a>>, Option<Raw<'a>>);

/// Returns the call signatures of some tools by id.
fn call_signatures<'a>(tools: &[ToolDescriptor<'a>]) -> BTreeMap<String, CallSignature<'a>> {
    let mut signatures = BTreeMap::new();
    for tool in tools {
        let call = tool.invocation.as_ref().map(|call| call.value.clone());
        let schema = tool.input_schema.as_ref().map(|schema| schema.value.clone());
        signatures.insert(tool.id.to_string(), (call, schema));
    }
    signatures
}

/// Returns the lost edits with a part that no value of the conversion comes from.
fn still_lost(
    mut lost_edits: Vec<LostEdit>,
    targets: &[Target<'_>],
    conversion: &Conversion,
) -> Vec<LostEdit> {
    let mut used: BTreeSet<(usize, u32)> = BTreeSet::new();
    for place in &conversion.ledger.records.places {
        used.insert((usize::from(place.document), place.entry));
    }
    lost_edits.retain(|lost| {
        let Some(target) = targets.get(lost.document) else { return true };
        // The source is document 0.
        let is_used = |node: Node<'_>| used.contains(&(lost.document + 1, node.index()));
        !is_used_at(target.document.root(), &lost.pointer, is_used)
    });
    lost_edits
}

/// Returns true if the value at a place is used, or one around it. A schema is recorded as
/// one value: everything inside is used.
fn is_used_at(root: Node<'_>, at: &Pointer, is_used: impl Fn(Node<'_>) -> bool) -> bool {
    let mut place = at.clone();
    while let Some(outer) = place.split_last().map(|(outer, _)| outer) {
        if root.at(&outer).is_some_and(&is_used) {
            return true;
        }
        place = outer;
    }
    root.at(at).is_some_and(|node| is_fully_used(node, is_used))
}

/// Returns true if each leaf of a value is used, or a value around it.
fn is_fully_used(value: Node<'_>, is_used: impl Fn(Node<'_>) -> bool) -> bool {
    let mut open = vec![value];
    while let Some(node) = open.pop() {
        if is_used(node) {
            continue;
        }
        let inside = open.len();
        open.extend(node.elements().chain(node.members().map(|member| member.value)));
        if open.len() == inside {
            return false;
        }
    }
    true
}
