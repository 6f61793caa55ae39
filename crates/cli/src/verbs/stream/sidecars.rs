//! Residues and reports, which are written beside converted lines.

use std::path::Path;

use serde::Serialize;
use toolglot::json::{Position, to_json};
use toolglot::stream::{Item, StreamError};
use toolglot::{Conversion, Diagnostic, Report, Residue};

use crate::files::output::LineWriter;
use crate::files::residues;
use crate::terminal::console::{Failure, Terminal, single_report};
use crate::terminal::problem::{Problem, json_line};
use crate::terminal::report::ConversionReportJson;

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ResidueLine<'a> {
    Residue(ResidueText<'a>),
    Failed(bool),
}

/// A residue, which contains the source verbatim. If the source has several lines, the
/// residue does not fit on a line of JSON, and is written as a string.
#[derive(Serialize)]
#[serde(untagged)]
enum ResidueText<'a> {
    Value(&'a Residue),
    Text(String),
}

impl<'a> ResidueText<'a> {
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
    line: ResidueLine<'a>,
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
    conversion: Option<ConversionReportJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<Vec<Problem<'a>>>,
}

/// The writers of residues and reports.
pub(super) struct Sidecars<'t> {
    residue: Option<LineWriter<'t>>,
    report: Option<LineWriter<'t>>,
    /// True if a converted entry contains a secret.
    pub(super) private: bool,
}

impl<'t> Sidecars<'t> {
    pub(super) fn open(
        residue: Option<&Path>,
        report: Option<&Path>,
        terminal: &'t Terminal,
    ) -> Result<Self, Failure> {
        // A later entry may contain a secret, so the file is private from the start.
        let private = |path| LineWriter::open_private(path, terminal);
        let open = |path| LineWriter::open(path, terminal);
        Ok(Self {
            residue: residue.map(private).transpose()?,
            report: report.map(open).transpose()?,
            private: false,
        })
    }

    pub(super) fn write_converted(
        &mut self,
        item: &Item<'_>,
        conversion: &Conversion,
    ) -> Result<(), Failure> {
        if self.residue.is_some() {
            self.private = self.private || residues::contains_secret(&conversion.source());
            let residue = conversion.residue();
            let left = ResidueLine::Residue(ResidueText::new(&residue));
            self.write_residue(EntryResidue { entry: item.index, line: left })?;
        }
        if self.report.is_none() {
            return Ok(());
        }
        let account = conversion.report();
        let (from, to) = (conversion.from(), conversion.to());
        self.write_report(&EntryReport {
            entry: Some(item.index),
            line: item.place.line,
            column: item.place.column,
            conversion: Some(ConversionReportJson::new(conversion, account, from, to)),
            failed: None,
        })
    }

    pub(super) fn write_failed(
        &mut self,
        entry: Option<usize>,
        place: Position,
        report: &Report,
        position: impl Fn(&Diagnostic) -> Position,
    ) -> Result<(), Failure> {
        if let Some(entry) = entry {
            self.write_residue(EntryResidue { entry, line: ResidueLine::Failed(true) })?;
        }
        let problems = report.diagnostics.iter();
        let problems = problems.map(|found| Problem::at(found, Some(position(found))));
        self.write_report(&EntryReport {
            entry,
            line: place.line,
            column: place.column,
            conversion: None,
            failed: Some(problems.collect()),
        })
    }

    pub(super) fn write_broken(&mut self, broken: &StreamError) -> Result<(), Failure> {
        let place = broken.place.position();
        self.write_failed(broken.index, place, &single_report(broken.diagnostic.clone()), |_| place)
    }

    fn write_residue(&mut self, line: impl Serialize) -> Result<(), Failure> {
        match &mut self.residue {
            Some(lines) => lines.line(&to_json(&line)),
            None => Ok(()),
        }
    }

    fn write_report(&mut self, line: &EntryReport<'_>) -> Result<(), Failure> {
        match &mut self.report {
            Some(lines) => lines.line(json_line(line).trim_end()),
            None => Ok(()),
        }
    }

    pub(super) fn close(mut self, envelope: Option<&str>) -> Result<(), Failure> {
        if let Some(envelope) = envelope {
            self.write_residue(EnvelopeResidue { envelope })?;
        }
        if let Some(lines) = self.residue {
            if !self.private {
                lines.make_public()?;
            }
            lines.close()?;
        }
        self.report.map_or(Ok(()), LineWriter::close)
    }
}
