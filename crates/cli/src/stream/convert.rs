//! `toolglot convert --jsonl`

use std::path::{Path, PathBuf};

use serde::Serialize;
use toolglot::json::{Document, Position, compact};
use toolglot::stream::{Broken, Item, Names, Shape};
use toolglot::{Conversion, Depth, Diagnostic, Format, Limits, Options, Report, Residue, Validate};

use super::reader::{Reader, entries, format_of, show, show_broken};
use crate::convert_args::Args;
use crate::output::{self, Lines};
use crate::problem::{Problem, json_line, to_json};
use crate::report::ConversionReport;
use crate::terminal::{Failure, Terminal, report_of};
use crate::{outputs, residues};

/// A line of the residue.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Left<'a> {
    Residue(Whole<'a>),
    Failed(bool),
}

/// A residue. The source in it stands as it was written: one of several lines is no part
/// of a line, and stands in a string.
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

/// What is around the list, without the entries.
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

/// What is written beside the documents.
struct Beside<'t> {
    residue: Option<Lines<'t>>,
    report: Option<Lines<'t>>,
    /// Whether an entry holds a secret.
    private: bool,
}

/// What became of an entry.
struct Done<'d> {
    conversion: &'d Conversion,
    source: &'d Document<'d>,
    from: &'static Format,
    to: &'static Format,
}

pub(crate) fn run(
    file: &Path,
    args: &Args,
    options: &Options,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let residue = residue(args);
    let all = || [&args.output].into_iter().chain(&residue).chain(&args.report);
    output::distinct(all(), terminal)?;
    outputs::keep_sources(args, all(), terminal)?;
    let reader = Reader::open(file, &args.jsonl, args.from, &options.limits, terminal)?;
    let open = |path| Lines::open(path, terminal);
    let mut converter = Converter {
        args,
        options,
        out: open(&args.output)?,
        beside: Beside {
            residue: residue.as_deref().map(open).transpose()?,
            report: args.report.as_deref().map(open).transpose()?,
            private: false,
        },
        names: Names::default(),
        converted: 0,
        documents: 0,
        in_order: true,
        listed: None,
        terminal,
    };
    let reader = converter.all(reader)?;
    match reader {
        Some(reader) => converter.end(&reader, residue.as_deref()),
        None => Ok(()),
    }
}

/// Where the residues are written.
fn residue(args: &Args) -> Option<PathBuf> {
    let kept = !args.no_residue && !args.in_band && outputs::is_file(&args.output);
    args.residue.clone().or_else(|| kept.then(|| residues::of_stream(&args.output)))
}

/// Converts one entry after the other.
struct Converter<'a> {
    args: &'a Args,
    options: &'a Options,
    out: Lines<'a>,
    beside: Beside<'a>,
    names: Names,
    converted: usize,
    documents: usize,
    /// Whether nothing but entries failed.
    in_order: bool,
    /// The format of the first entry.
    listed: Option<&'static Format>,
    terminal: &'a Terminal,
}

impl Converter<'_> {
    /// Converts all entries. Gives nothing back when nobody reads them any more.
    fn all<'r>(&mut self, mut reader: Reader<'r>) -> Result<Option<Reader<'r>>, Failure> {
        while reader.fill()? {
            while let Some(found) = reader.splitter.next() {
                match found {
                    Ok(item) => self.next(&reader.name, &item)?,
                    Err(broken) => {
                        self.in_order &= broken.index.is_some();
                        show_broken(&reader.name, &broken, self.terminal);
                        self.beside.broken(&broken)?;
                    }
                }
            }
            self.out.flush()?;
            if self.out.unread {
                return Ok(None);
            }
        }
        Ok(Some(reader))
    }

    fn next(&mut self, name: &str, item: &Item<'_>) -> Result<(), Failure> {
        let (limits, to) = (&self.options.limits, self.args.to.format);
        let result = format_of(item, self.args.from, limits).and_then(|(from, _)| {
            let conversion = item.convert(from, to, self.options, &mut self.names)?;
            let lines = lines_of(item, from, &conversion, self.args, limits)?;
            Ok((from, conversion, lines, item.source(from, limits)?))
        });
        let result = match &result {
            Ok((from, conversion, lines, source)) => {
                source.document().map(|source| (*from, conversion, lines, source))
            }
            Err(report) => Err(report.clone()),
        };
        match result {
            Ok((from, conversion, lines, source)) => {
                self.converted += 1;
                self.documents += lines.len();
                self.listed = self.listed.or(Some(from));
                lines.iter().try_for_each(|line| self.out.line(line))?;
                self.beside.converted(item, &Done { conversion, source: &source, from, to })
            }
            Err(report) => {
                show(name, item, &report, self.terminal);
                let at = |d: &Diagnostic| item.position(d.span.map_or(0, |s| s.start));
                self.beside.failed(Some(item.index), item.place.position(), &report, at)
            }
        }
    }

    fn end(mut self, reader: &Reader<'_>, residue: Option<&Path>) -> Result<(), Failure> {
        let format = self.args.from.or(self.listed);
        let limits = self.options.limits.clone();
        let around = Validate { depth: Depth::Meaning, limits, ..Validate::default() };
        let splitter = &reader.splitter;
        let around = format.map(|format| splitter.validate_envelope(format, &around));
        for broken in around.unwrap_or_default() {
            if broken.diagnostic.is_error() {
                self.in_order = false;
                show_broken(&reader.name, &broken, self.terminal);
                self.beside.broken(&broken)?;
            }
        }
        let private = self.beside.private;
        self.beside.close(splitter.envelope())?;
        self.out.close()?;
        let (count, converted) = (splitter.count(), self.converted);
        let failed = count - converted;
        if !self.args.detail.quiet {
            let from = format.map_or("unknown", |format| format.name);
            let shown = toolglot::core::printable(&reader.name, 512);
            let (total, to) = (entries(count), self.args.to.format.name);
            let written = match self.documents {
                lines if lines == converted => String::new(),
                lines => format!(" to {lines} documents"),
            };
            self.terminal.say(&format!(
                "{shown}: {from} → {to}, {total}: {converted} converted{written}, {failed} failed\n"
            ));
            if let Some(path) = residue.filter(|_| private) {
                self.terminal.say(&residues::private_note(path));
            }
            let same = format.is_none_or(|format| format.name == to);
            if residue.is_none() && !self.args.in_band && converted > 0 && !same {
                self.terminal.say(&format!("{}\n", hint(from)));
            }
        }
        if failed == 0 && self.in_order { Ok(()) } else { Err(Failure::Invalid) }
    }
}

/// The converted documents, each on one line.
fn lines_of(
    item: &Item<'_>,
    from: &Format,
    conversion: &Conversion,
    args: &Args,
    limits: &Limits,
) -> Result<Vec<String>, Report> {
    // A line in its own format needs no conversion: every byte stays.
    let line = item.shape == Shape::Lines && !item.bytes.contains(&b'\n');
    let own = from.name == args.to.format.name && !args.in_band;
    let as_it_is = |text: &str| line && own && text.as_bytes() == item.bytes;
    let documents = conversion.documents.iter();
    documents
        .map(|document| match &document.text {
            text if as_it_is(text) => Ok(text.clone()),
            text => one_line(text, limits),
        })
        .collect()
}

/// A document that was written under limits, on one line.
pub(super) fn one_line(text: &str, limits: &Limits) -> Result<String, Report> {
    let room = limits.document_bytes.max(text.len());
    let limits = Limits { document_bytes: room, ..limits.clone() };
    let document = Document::parse(text.as_bytes(), &limits).map_err(report_of)?;
    Ok(compact(document.root()))
}

fn hint(from: &str) -> String {
    format!(
        "The residue was not kept. To come back to {from} later, write to a file with -o, or add \
         --residue FILE (or --in-band)."
    )
}

impl Beside<'_> {
    fn converted(&mut self, item: &Item<'_>, done: &Done<'_>) -> Result<(), Failure> {
        let Done { conversion, source, from, to } = *done;
        if let Some(lines) = self.residue.as_ref().filter(|_| !self.private)
            && residues::holds_secret(source)
        {
            lines.make_private()?;
            self.private = true;
        }
        if self.residue.is_some() {
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

    fn failed(
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

    fn broken(&mut self, broken: &Broken) -> Result<(), Failure> {
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

    fn close(mut self, envelope: Option<&str>) -> Result<(), Failure> {
        if let Some(envelope) = envelope {
            self.residue(EnvelopeResidue { envelope })?;
        }
        self.residue.map_or(Ok(()), Lines::close)?;
        self.report.map_or(Ok(()), Lines::close)
    }
}
