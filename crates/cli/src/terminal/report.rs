//! The reports of a conversion and of a restore, for programs.

use serde::Serialize;
use toolglot::convert::{HostDifference, Need, Notice, SourceLeaf, TargetLeaf, ToolOutcome};
use toolglot::core::secret;
use toolglot::json::Node;
use toolglot::{Class, Conversion, ConversionReport, Derivation, Format, Pointer, RestoredSource};

use crate::terminal::flags;

/// The version of both reports. Version 1, which did not name itself, called values `carried`
/// that are only in the residue.
const VERSION: u8 = 2;

/// The report of a conversion.
#[derive(Serialize)]
pub(crate) struct ConversionReportJson<'a> {
    report_version: u8,
    from: &'static str,
    to: &'static str,
    documents: Vec<&'a str>,
    score: Score,
    safety: Vec<Notice>,
    tools: Vec<ToolOutcome>,
    needs: Vec<NeedJson>,
    source: Vec<SourceLeaf>,
    target: Vec<TargetLeaf>,
    implied: Vec<HostDifference>,
}

/// A prerequisite of converted tools.
#[derive(Serialize)]
struct NeedJson {
    /// A description in one line.
    what: String,
    /// The tools that need it, by their ids in the source.
    tools: Vec<String>,
}

impl NeedJson {
    fn new(need: &Need) -> Self {
        Self { what: flags::describe_need(need).into_owned(), tools: need.tools.clone() }
    }
}

/// Returns true if a document is the report of a conversion or of a restore.
pub(crate) fn is_report(root: Node<'_>) -> bool {
    let has = |names: &[&str]| names.iter().all(|name| root.get(name).is_some());
    has(&["from", "to", "documents", "score"]) || has(&["from", "to", "left_out"])
}

#[derive(Serialize)]
struct Score {
    values: usize,
    native: usize,
    equivalent: usize,
    approximated: usize,
    residue_only: usize,
    assumed: usize,
    bridge: usize,
}

impl<'a> ConversionReportJson<'a> {
    /// Creates the report of a conversion.
    pub(crate) fn new(
        conversion: &'a Conversion,
        account: ConversionReport,
        from: &Format,
        to: &Format,
    ) -> Self {
        let targets = |wanted| account.target.iter().filter(|leaf| leaf.how == wanted).count();
        let score = Score {
            values: account.source.len(),
            native: account.count(Class::Native),
            equivalent: account.count(Class::Equivalent),
            approximated: account.count(Class::Approximated),
            residue_only: account.count(Class::ResidueOnly),
            assumed: targets(Derivation::Assumed),
            bridge: targets(Derivation::Bridge),
        };
        let report = mask_secrets(account);
        Self {
            report_version: VERSION,
            from: from.name,
            to: to.name,
            documents: conversion.documents.iter().map(|document| &*document.name).collect(),
            score,
            safety: report.safety,
            tools: report.tools,
            needs: report.needs.iter().map(NeedJson::new).collect(),
            source: report.source,
            target: report.target,
            implied: report.implied,
        }
    }
}

/// Masks secrets in the values of the target. In the report, a value is separate from its
/// name, which may mark it as secret.
fn mask_secrets(mut account: ConversionReport) -> ConversionReport {
    let mut before: Option<(usize, Pointer, String)> = None;
    for leaf in &mut account.target {
        let flag = before.take().filter(|(document, pointer, value)| {
            *document == leaf.target.document
                && value.starts_with("\"-")
                && is_next(pointer, &leaf.target.pointer)
        });
        before = Some((leaf.target.document, leaf.target.pointer.clone(), leaf.value.clone()));
        let names = [Some(leaf.target.pointer.to_string()), flag.map(|(.., value)| value)];
        for name in names.iter().flatten() {
            leaf.value = secret::mask_named(name, &leaf.value).into_owned();
        }
    }
    account
}

/// Returns true if a place is the next element of the same list.
fn is_next(before: &Pointer, place: &Pointer) -> bool {
    let index = |pointer: &Pointer| {
        let (list, index) = pointer.split_last()?;
        Some((list, index.parse::<usize>().ok()?))
    };
    match (index(before), index(place)) {
        (Some((list, before)), Some((own, index))) => list == own && before + 1 == index,
        _ => false,
    }
}

/// The report of a restore.
#[derive(Serialize)]
pub(crate) struct RestoreReport<'a> {
    report_version: u8,
    from: &'static str,
    to: &'static str,
    edited: bool,
    /// The ids of the removed tools.
    removed: &'a [String],
    left_out: Vec<LostEdit<'a>>,
}

/// An edit that the source does not contain, or that converts to something else.
#[derive(Serialize)]
pub(crate) struct LostEdit<'a> {
    /// The edited document.
    pub(crate) file: &'a str,
    /// The edited place.
    pub(crate) pointer: &'a Pointer,
    /// The reason.
    pub(crate) why: &'a str,
    /// True if the source contains the edit, but converts to something else.
    pub(crate) kept: bool,
}

impl<'a> RestoreReport<'a> {
    /// Creates the report of a restore.
    pub(crate) fn new(
        restored: &'a RestoredSource,
        files: &[&'a str],
        from: &Format,
        to: &Format,
    ) -> Self {
        Self {
            report_version: VERSION,
            from: from.name,
            to: to.name,
            edited: restored.edited,
            removed: &restored.removed_tools,
            left_out: lost_edits(restored, files),
        }
    }
}

/// Returns the edits of a restore that are lost or convert to something else, with the
/// names of their files.
pub(crate) fn lost_edits<'a>(restored: &'a RestoredSource, files: &[&'a str]) -> Vec<LostEdit<'a>> {
    let left_out = restored.lost_edits.iter();
    left_out
        .map(|edit| LostEdit {
            // A tool that cannot be removed may have no file left.
            file: files.get(edit.document).copied().unwrap_or(""),
            pointer: &edit.pointer,
            why: &edit.why,
            kept: edit.kept,
        })
        .collect()
}
