//! Converts an edited target to a third format.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Pointer, Report, quoted};
use json_text::{Document, Node, ParsedEntries, Raw};
use manifest_core::descriptor::{Invocation, ToolDescriptor};
use manifest_core::format::Format;
use manifest_core::{rules, sha256_hex};

use crate::conversion::Conversion;
use crate::convert::convert;
use crate::job::Job;
use crate::options::Options;
use crate::output::{OutputDocument, RunMode, ToolOutcome};
use crate::residue::Residue;
use crate::restore::{check_formats, parse_texts, take_residues, with_documents};
use crate::restored::LostEdit;
use crate::session::{CallEdits, RestoreOptions, RestoreSession, Target};

/// Converts a target to a third format as if from its source with the edits made to the
/// target.
///
/// A residue inside a target is removed first. [`Conversion::report_with`] expects the
/// targets without it, too ([`strip_residue`](crate::strip_residue)).
///
/// Edits that the source can express come from the source as [restoring](crate::restore())
/// returns it ([`Conversion::restored_source`]). The other edits are applied to its descriptors.
pub fn convert_via(
    targets: &[Target<'_>],
    residue: &Residue,
    [from, via, to]: [&'static Format; 3],
    options: &Options,
) -> Result<Conversion, Report> {
    let back = RestoreOptions { delete_missing: false, limits: options.limits.clone() };
    check_formats(residue, from, via)?;
    let (texts, _) = take_residues(targets, via).map_err(Report::from)?;
    let bare = parse_texts(&texts, &options.limits).map_err(Report::from)?;
    let targets = with_documents(targets, &bare);
    let text = residue.source_text();
    let source = Document::parse(text.as_bytes(), &options.limits).map_err(Report::from)?;
    let way = RestoreSession::new(&source, residue, &targets, [from, via], &back)?;
    let restored = way.restore(&targets)?;
    if !restored.edited {
        return convert(&source, from, to, options);
    }
    if from.name == to.name {
        // Only a restore keeps the values that descriptors do not cover.
        let message = "the target was edited, and goes back to the format of its source";
        let found = rules::CONFLICT.at_pointer(Pointer::root(), message);
        return Err(Report::from(found.help("restore it instead")));
    }
    let now = Document::parse(restored.text.as_bytes(), &options.limits).map_err(Report::from)?;
    let left_out = restored.lost_edits;
    let mut conversion = if left_out.is_empty() {
        convert(&now, from, to, options)?
    } else {
        // A bridge to the source becomes one to the restored source. Both digests have the
        // same length, so the tapes still fit the texts.
        let digest = sha256_hex(restored.text.as_bytes());
        let texts = targets.iter().map(|target| target.document.text());
        let texts: Vec<String> = texts.map(|text| text.replace(&way.digest, &digest)).collect();
        let tapes: Vec<ParsedEntries> =
            targets.iter().map(|target| target.document.tape()).collect();
        let open = |(text, tape)| Document::from_tape(text, tape);
        let documents: Vec<Document<'_>> =
            texts.iter().map(String::as_str).zip(&tapes).map(open).collect();
        let sealed = targets.iter().zip(&documents);
        let targets: Vec<Target<'_>> =
            sealed.map(|(target, document)| Target { name: target.name, document }).collect();
        let residue = convert(&now, from, via, &way.convert_options)?.residue(&now);
        let way = RestoreSession::new(&now, &residue, &targets, [from, via], &back)?;
        let plain = convert(&now, from, to, options);
        if has_all_tools(&way, &targets) {
            let whole = convert_with_lost_edits(&way, &targets, to, options)?;
            // If the edits do not show in the documents, they are lost, even if values come
            // from them.
            let left_out =
                if plain.is_ok_and(|plain| document_texts(&plain).eq(document_texts(&whole))) {
                    left_out
                } else {
                    still_lost(left_out, &targets, &whole)
                };
            Conversion { lost_edits: left_out, ..whole }
        } else {
            Conversion { lost_edits: left_out, ..plain? }
        }
    };
    let tape = now.tape();
    let name = String::new();
    conversion.restored_source = Some(OutputDocument { name, text: restored.text, tape });
    Ok(conversion)
}

fn document_texts(conversion: &Conversion) -> impl Iterator<Item = &str> {
    conversion.documents.iter().map(|one| one.text.as_str())
}

/// Returns true if the source converts to every tool of its targets. Otherwise its format
/// cannot express the name of a tool, or converts it to another name, and the tools cannot
/// be matched.
fn has_all_tools(way: &RestoreSession<'_>, targets: &[Target<'_>]) -> bool {
    let known: BTreeSet<&str> =
        way.conversion.tools.iter().map(|tool| tool.target.as_str()).collect();
    let mut tools = targets.iter().flat_map(|target| way.to.lift_valid(target.document, 0).tools);
    tools.all(|tool| known.contains(tool.id.as_ref() as &str))
}

/// Converts a source together with the edits that it cannot express.
fn convert_with_lost_edits(
    way: &RestoreSession<'_>,
    targets: &[Target<'_>],
    to: &'static Format,
    options: &Options,
) -> Result<Conversion, Report> {
    let written = way.written_documents();
    let edit = way.find_edit(targets, &written, CallEdits::Apply)?;
    if let Some(refused) = edit.refusals.first() {
        let message = format!(
            "the edit of {} cannot be laid over the source: {}",
            quoted(&refused.field),
            refused.why
        );
        return Err(Report::from(rules::CONFLICT.at_pointer(Pointer::root(), message)));
    }
    let mut sources = vec![way.source];
    sources.extend(targets.iter().map(|target| target.document));
    let edited: BTreeMap<String, CallSignature<'_>> =
        edit.lifted.tools.iter().map(|tool| (tool.id.to_string(), call_signature(tool))).collect();
    let job = Job { sources: &sources, from: way.from, to, options, as_list: false };
    let conversion = match job.convert(edit.lifted) {
        Err(report) if is_format_report(&report, to) => {
            // If the source itself converts, the edit causes the error.
            convert(way.source, way.from, to, options)?;
            let why = report.errors().next().map_or("", |found| found.message.as_str());
            let message = format!("the edit cannot be said in {}: {why}", to.name);
            return Err(Report::from(rules::CONFLICT.at_pointer(Pointer::root(), message)));
        }
        other => other?,
    };
    // A bridge is pinned to the source, which does not contain these edits.
    let tools = way.from.lift_valid(way.source, 0).tools;
    let known: BTreeMap<&str, CallSignature<'_>> =
        tools.iter().map(|tool| (tool.id.as_ref() as &str, call_signature(tool))).collect();
    let mut bridged = conversion.tools.iter().filter(|tool| tool.runs == RunMode::ThroughTheBridge);
    if let Some(ToolOutcome { id, .. }) =
        bridged.find(|tool| known.get(tool.id.as_str()) != edited.get(&tool.id))
    {
        let message = format!("the id, the arguments or the call of {} was edited", quoted(id));
        let help = "restore the source, and convert that";
        return Err(Report::from(rules::CONFLICT.at_pointer(Pointer::root(), message).help(help)));
    }
    Ok(conversion)
}

/// Returns true if all errors are the format's own. The others concern conversions that
/// look safer than their source or exceed the budget.
fn is_format_report(report: &Report, format: &Format) -> bool {
    report.errors().all(|found| format.rules.iter().any(|rule| rule.code == found.rule.code))
}

/// The call of a tool and its input schema.
type CallSignature<'a> = (Option<Invocation<'a>>, Option<Raw<'a>>);

fn call_signature<'a>(tool: &ToolDescriptor<'a>) -> CallSignature<'a> {
    let call = tool.invocation.as_ref().map(|call| call.value.clone());
    (call, tool.input_schema.as_ref().map(|schema| schema.value.clone()))
}

/// Returns the lost edits with a part that no value of the conversion comes from.
fn still_lost(
    left_out: Vec<LostEdit>,
    targets: &[Target<'_>],
    conversion: &Conversion,
) -> Vec<LostEdit> {
    let places = conversion.ledger.records.places.iter();
    let used: BTreeSet<(usize, u32)> =
        places.map(|place| (usize::from(place.document), place.entry)).collect();
    let is_said = |left: &LostEdit| {
        let Some(target) = targets.get(left.document) else { return false };
        let is_used = |node: Node<'_>| used.contains(&(left.document + 1, node.index()));
        let root = target.document.root();
        // A schema is recorded as one value: everything inside is used.
        let outer = |at: &Pointer| at.split_last().map(|(outer, _)| outer);
        let mut around = std::iter::successors(outer(&left.pointer), outer);
        around.any(|at| root.at(&at).is_some_and(is_used))
            || root.at(&left.pointer).is_some_and(|node| is_fully_used(node, is_used))
    };
    left_out.into_iter().filter(|left| !is_said(left)).collect()
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
