//! Helpers of all laws.

use convert::{
    AcceptedLoss, Conversion, Options, Residue, RestoreOptions, RestoredSource, Target, convert,
    restore, restore_without_residue,
};
use diagnostic::{Pointer, Report};
use json_text::{Document, Node};
use manifest_core::{Format, Formats, Limits, ValidateOptions};

use crate::Tree;

/// The result of a law. An error describes the violation.
pub type LawResult = Result<(), String>;

/// Returns options that accept everything that can be accepted.
pub fn accept_all() -> Options {
    Options { accept: AcceptedLoss::ALL.into(), ..Options::default() }
}

pub(super) fn parse(text: &str) -> Result<Document<'_>, String> {
    Document::parse(text.as_bytes(), &Limits::default())
        .map_err(|d| format!("not a document: {d}\n{text}"))
}

pub(super) fn tree(text: &str) -> Result<Tree, String> {
    Tree::parse(text).ok_or_else(|| format!("not JSON: {text}"))
}

/// Checks that a document is valid in a format.
pub fn check_valid(format: &Format, text: &str) -> LawResult {
    let document = parse(text)?;
    let report = format.validate(&document, &ValidateOptions::default());
    if report.is_valid() {
        return Ok(());
    }
    Err(format!("not valid as {}: {}\n{text}", format.name, error_text(&report)))
}

/// Converts a document. Returns `None` if it is refused for a known reason: two tools of
/// one name, or a source version that is not a semantic version where the target requires
/// one.
pub(super) fn try_convert(
    from: &'static Format,
    to: &'static Format,
    text: &str,
    options: &Options,
) -> Result<Option<Conversion>, String> {
    let source = parse(text)?;
    match convert(&source, from, to, options) {
        Ok(conversion) => Ok(Some(conversion)),
        Err(report) if is_known_refusal(&source, &report) => Ok(None),
        Err(report) => {
            Err(format!("cannot convert to {}: {}\n{text}", to.name, error_text(&report)))
        }
    }
}

fn is_known_refusal(source: &Document<'_>, report: &Report) -> bool {
    !report.is_valid()
        && report.errors().all(|found| match found.rule.code {
            "convert/collision" => true,
            code => code.ends_with("/version") && has_other_version(source, &found.pointer),
        })
}

/// Returns true if the text at a place is not a semantic version.
fn has_other_version(source: &Document<'_>, at: &Pointer) -> bool {
    match source.root().at(at).and_then(Node::text) {
        Some(version) => semver::Version::parse(&version).is_err(),
        None => false,
    }
}

/// Opens the documents of a conversion, with their names.
pub(super) fn open_documents(conversion: &Conversion) -> Vec<(&str, Document<'_>)> {
    conversion.documents.iter().map(|one| (one.name.as_str(), one.open())).collect()
}

pub(super) fn named_targets<'t>(documents: &'t [(&'t str, Document<'t>)]) -> Vec<Target<'t>> {
    documents.iter().map(|(name, document)| Target { name: Some(name), document }).collect()
}

/// Returns the names and texts of the documents of a conversion.
pub(super) fn texts(conversion: &Conversion) -> Vec<(&str, &str)> {
    conversion.documents.iter().map(|one| (one.name.as_str(), one.text.as_str())).collect()
}

pub(super) fn restore_source(
    from: &'static Format,
    to: &'static Format,
    targets: &[Target<'_>],
    residue: &Residue,
) -> Result<RestoredSource, String> {
    restore(targets, residue, Formats::new(&[from, to]), &RestoreOptions::default())
        .map_err(|report| restore_error(from, targets, &report))
}

/// Restores a source that is at hand.
pub(super) fn restore_known_source(
    from: &'static Format,
    to: &'static Format,
    targets: &[Target<'_>],
    source: &Document<'_>,
) -> Result<RestoredSource, String> {
    restore_without_residue(targets, source, from, to, &RestoreOptions::default())
        .map_err(|report| restore_error(from, targets, &report))
}

fn restore_error(from: &Format, targets: &[Target<'_>], report: &Report) -> String {
    let texts: Vec<&str> = targets.iter().map(|target| target.document.text()).collect();
    format!("cannot restore {}: {}\n{}", from.name, error_text(report), texts.join("\n"))
}

pub(super) fn error_text(report: &Report) -> String {
    let words: Vec<_> = report.errors().map(ToString::to_string).collect();
    words.join("; ")
}

/// Returns the leaves of a document with their pointers.
pub(super) fn leaves<'d>(document: &'d Document<'d>) -> Vec<(String, Node<'d>)> {
    document.root().leaves().map(|(at, leaf)| (at.to_string(), leaf)).collect()
}
