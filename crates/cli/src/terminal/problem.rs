//! Results for programs, one JSON object a line.

use std::borrow::Cow;

use clap::ValueEnum;
use serde::Serialize;
use toolglot::core::{Fix, SourceText, secret};
use toolglot::json::{Document, Position, to_json};
use toolglot::{Diagnostic, Limits, Report, Severity};

use crate::files::limits;
use crate::terminal::console::escape_json;
use crate::terminal::flags;

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Style {
    /// For people
    Text,
    /// For programs: one JSON object for each file, or for files that are compared, on a line of
    /// its own
    Json,
}

/// How what was found is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FindingStyle {
    /// For people
    Text,
    /// For programs: one JSON object for each file, on a line of its own
    Json,
    /// For views of code scanning: one SARIF 2.1.0 log of all files
    Sarif,
}

/// A diagnostic for programs, with line and column counted from one.
#[derive(Serialize)]
pub(crate) struct Problem<'a> {
    code: &'static str,
    severity: Severity,
    pointer: &'a str,
    line: Option<usize>,
    column: Option<usize>,
    message: &'a str,
    help: Cow<'a, str>,
    /// The bytes to replace, and their replacement.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<&'a Fix>,
}

impl<'a> Problem<'a> {
    /// Creates the entry of a diagnostic about a text.
    pub(crate) fn new(diagnostic: &'a Diagnostic, source: &SourceText<'_>) -> Self {
        Self::at(diagnostic, diagnostic.span.map(|span| source.position(span.start)))
    }

    /// Creates the entry of a diagnostic at a known position.
    pub(crate) fn at(diagnostic: &'a Diagnostic, place: Option<Position>) -> Self {
        Self {
            code: diagnostic.rule.code,
            severity: diagnostic.severity,
            pointer: diagnostic.pointer.as_str(),
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
            message: &diagnostic.message,
            help: flags::advice(diagnostic),
            fix: diagnostic.fix.as_ref(),
        }
    }
}

/// The result of a verb that has only a report for a file.
#[derive(Serialize)]
pub(crate) struct FileReport<'a> {
    file: &'a str,
    valid: bool,
    diagnostics: Vec<Problem<'a>>,
}

impl<'a> FileReport<'a> {
    /// Creates the result of a text from its report.
    pub(crate) fn new(report: &'a Report, source: &SourceText<'a>) -> Self {
        let diagnostics = report.diagnostics.iter().map(|found| Problem::new(found, source));
        Self { file: source.name, valid: report.is_valid(), diagnostics: diagnostics.collect() }
    }
}

/// Serialises a value as one line of JSON that is safe to show and contains no secrets.
pub(crate) fn json_line(value: &impl Serialize) -> String {
    escape_json(&mask_secrets(&to_json(value))) + "\n"
}

/// Masks the secrets in JSON that we wrote.
pub(crate) fn mask_secrets(text: &str) -> String {
    let limits = Limits {
        document_bytes: usize::MAX,
        string_bytes: usize::MAX,
        nodes: usize::MAX,
        depth: 1 << 10,
        ..limits::document()
    };
    match Document::parse(text.as_bytes(), &limits) {
        Ok(document) => secret::masked_json(document.root()).into_owned(),
        Err(_) => secret::mask(text).into_owned(),
    }
}
