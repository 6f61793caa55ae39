//! Residues and reports, which are written beside converted lines.

use std::path::Path;

use serde::Serialize;
use toolglot::json::{Document, Position};
use toolglot::stream::{Broken, Item};
use toolglot::{Conversion, Diagnostic, Format, Report, Residue};

use crate::residues;
use console::output::Lines;
use console::problem::{Problem, json_line, to_json};
use console::report::ConversionReport;
use console::terminal::{Failure, Terminal, report_of};

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Left<'a> {
    Residue(Whole<'a>),
    Failed(bool),
}

/// A residue, which contains the source verbatim. If the source has several lines, the
/// residue does not fit on a line of JSON, and is written as a string.
#[derive(Serialize)]
#[serde(untagged)]
enum Whole<'a> {
    Value(&'a Residue),
    Text(String),
}

impl<'a> Whole<'a> {
    fn new(residue: &'a Residue) -> Self {
        if residue.source.as_str().contains(['\n', '\r']) {
            Self::Text(residue.to_json())
        } else {
            Self::Value(residue)
        }
    }
}

#[derive(Serialize)]
struct EntryResidue<'a> {
    entry: usize,
    #[serde(flatten)]
    left: Left<'a>,
}

/// The text around the list, without the entries.
#[derive(Serialize)]
struct EnvelopeResidue<'a> {
    envelope: &'a str,
}

/// A line of the report.
#[derive(Serialize)]
struct EntryReport<'a> {
    entry: Option<usize>,
    line: usize,
    column: usize,
    #[serde(flatten)]
    conversion: Option<ConversionReport<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<Vec<Problem<'a>>>,
}

/// The writers of residues and reports.
pub(super) struct Beside<'t> {
    residue: Option<Lines<'t>>,
    report: Option<Lines<'t>>,
    /// True if a converted entry contains a secret.
    pub(super) private: bool,
}

/// A converted entry.
pub(super) struct Done<'d> {
    pub(super) conversion: &'d Conversion,
    pub(super) source: &'d Document<'d>,
    pub(super) from: &'static Format,
    pub(super) to: &'static Format,
}

impl<'t> Beside<'t> {
    pub(super) fn open(
        residue: Option<&Path>,
        report: Option<&Path>,
        terminal: &'t Terminal,
    ) -> Result<Self, Failure> {
        // A later entry may contain a secret, so the file is private from the start.
        let private = |path| Lines::open_private(path, terminal);
        let open = |path| Lines::open(path, terminal);
        Ok(Self {
            residue: residue.map(private).transpose()?,
            report: report.map(open).transpose()?,
            private: false,
        })
    }

    pub(super) fn converted(&mut self, item: &Item<'_>, done: &Done<'_>) -> Result<(), Failure> {
        let Done { conversion, source, from, to } = *done;
        if self.residue.is_some() {
            self.private = self.private || residues::holds_secret(source);
            let residue = conversion.residue(source);
            let left = Left::Residue(Whole::new(&residue));
            self.residue(EntryResidue { entry: item.index, left })?;
        }
        if self.report.is_none() {
            return Ok(());
        }
        let account = conversion.account(source);
        self.report(&EntryReport {
            entry: Some(item.index),
            line: item.place.line,
            column: item.place.column,
            conversion: Some(ConversionReport::new(conversion, account, from, to)),
            failed: None,
        })
    }

    pub(super) fn failed(
        &mut self,
        entry: Option<usize>,
        place: Position,
        report: &Report,
        position: impl Fn(&Diagnostic) -> Position,
    ) -> Result<(), Failure> {
        if let Some(entry) = entry {
            self.residue(EntryResidue { entry, left: Left::Failed(true) })?;
        }
        let problems = report.diagnostics.iter();
        let problems = problems.map(|found| Problem::at(found, Some(position(found))));
        self.report(&EntryReport {
            entry,
            line: place.line,
            column: place.column,
            conversion: None,
            failed: Some(problems.collect()),
        })
    }

    pub(super) fn broken(&mut self, broken: &Broken) -> Result<(), Failure> {
        let place = broken.place.position();
        self.failed(broken.index, place, &report_of(broken.diagnostic.clone()), |_| place)
    }

    fn residue(&mut self, line: impl Serialize) -> Result<(), Failure> {
        match &mut self.residue {
            Some(lines) => lines.line(&to_json(&line)),
            None => Ok(()),
        }
    }

    fn report(&mut self, line: &EntryReport<'_>) -> Result<(), Failure> {
        match &mut self.report {
            Some(lines) => lines.line(json_line(line).trim_end()),
            None => Ok(()),
        }
    }

    pub(super) fn close(mut self, envelope: Option<&str>) -> Result<(), Failure> {
        if let Some(envelope) = envelope {
            self.residue(EnvelopeResidue { envelope })?;
        }
        if let Some(lines) = self.residue {
            if !self.private {
                lines.widen()?;
            }
            lines.close()?;
        }
        self.report.map_or(Ok(()), Lines::close)
    }
}
