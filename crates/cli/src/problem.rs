//! Results for programs: one JSON object a line.

use clap::ValueEnum;
use serde::Serialize;
use toolglot::core::SourceText;
use toolglot::json::Position;
use toolglot::{Diagnostic, Severity};

use crate::terminal::escape_json;

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Style {
    /// For people
    Text,
    /// For programs: one JSON object for each file, on a line of its own
    Json,
}

/// A diagnostic, with its place as people count.
#[derive(Serialize)]
pub(crate) struct Problem<'a> {
    code: &'static str,
    severity: Severity,
    pointer: &'a str,
    line: Option<usize>,
    column: Option<usize>,
    message: &'a str,
    help: &'a str,
}

impl<'a> Problem<'a> {
    pub(crate) fn new(diagnostic: &'a Diagnostic, source: &SourceText<'_>) -> Self {
        Self::at(diagnostic, diagnostic.span.map(|span| source.position(span.start)))
    }

    pub(crate) fn at(diagnostic: &'a Diagnostic, place: Option<Position>) -> Self {
        Self {
            code: diagnostic.rule.code,
            severity: diagnostic.severity,
            pointer: diagnostic.pointer.as_str(),
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
            message: &diagnostic.message,
            help: diagnostic.advice(),
        }
    }
}

/// A value as one line of JSON that is safe to show.
pub(crate) fn json_line(value: &impl Serialize) -> String {
    // Strings, numbers and lists of them: serialising them cannot fail.
    escape_json(&serde_json::to_string(value).unwrap_or_default()) + "\n"
}
