//! `toolglot convert --jsonl`

use std::path::{Path, PathBuf};

use toolglot::json::{Document, compact};
use toolglot::stream::{Item, Names, Shape};
use toolglot::{Conversion, Depth, Diagnostic, Format, Limits, Options, Report, ValidateOptions};

use super::reader::{Reader, count_entries, format_of, show, show_broken};
use super::sidecars::Sidecars;
use super::stream_summary::StreamSummary;
use crate::files::formats::Candidates;
use crate::files::limits;
use crate::files::output::{self, LineWriter};
use crate::files::outputs;
use crate::files::residues;
use crate::terminal::console::{Failure, Terminal, single_report};
use crate::terminal::table;
use crate::verbs::convert_args::Args;

pub(crate) fn run(
    file: &Path,
    args: &Args,
    options: &Options,
    candidates: Candidates,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let residue = residue(args, terminal)?;
    let all = || [&args.output].into_iter().chain(&residue).chain(&args.report);
    output::check_distinct(all(), terminal)?;
    output::check_overwrite(args.inputs(), all(), args.force, terminal)?;
    let reader = Reader::open(file, &args.jsonl, candidates, &options.limits, terminal)?;
    let mut converter = Converter {
        args,
        candidates,
        options,
        out: LineWriter::open(&args.output, terminal)?,
        sidecars: Sidecars::open(residue.as_deref(), args.report.as_deref(), terminal)?,
        names: Names::default(),
        tally: StreamSummary::default(),
        converted: 0,
        documents: 0,
        stream_valid: true,
        first_format: None,
        terminal,
    };
    let reader = converter.convert_all(reader)?;
    match reader {
        Some(reader) => converter.finish(&reader, residue.as_deref()),
        None => Ok(()),
    }
}

/// Returns the file of the residues, if they are kept.
fn residue(args: &Args, terminal: &Terminal) -> Result<Option<PathBuf>, Failure> {
    let kept = !args.no_residue && !args.in_band && output::is_regular_or_new(&args.output);
    if kept && args.residue.is_none() {
        return outputs::refuse_link(residues::stream_path(&args.output), terminal).map(Some);
    }
    Ok(args.residue.clone())
}

/// Converts the entries one by one.
struct Converter<'a> {
    args: &'a Args,
    candidates: Candidates,
    options: &'a Options,
    out: LineWriter<'a>,
    sidecars: Sidecars<'a>,
    names: Names,
    tally: StreamSummary,
    converted: usize,
    documents: usize,
    /// False if the stream has an error outside of its entries.
    stream_valid: bool,
    /// The format of the first entry.
    first_format: Option<&'static Format>,
    terminal: &'a Terminal,
}

impl Converter<'_> {
    /// Converts all entries. Returns `None` if the reader of the output has gone away.
    fn convert_all<'r>(&mut self, mut reader: Reader<'r>) -> Result<Option<Reader<'r>>, Failure> {
        while reader.fill()? {
            while let Some(found) = reader.splitter.next() {
                match found {
                    Ok(item) => self.convert_next(&reader.name, &item)?,
                    Err(broken) => {
                        self.stream_valid &= broken.index.is_some();
                        show_broken(&reader.name, &broken, self.terminal);
                        self.sidecars.write_broken(&broken)?;
                    }
                }
            }
            self.out.flush()?;
            if self.out.reader_gone {
                return Ok(None);
            }
        }
        Ok(Some(reader))
    }

    fn convert_next(&mut self, name: &str, item: &Item<'_>) -> Result<(), Failure> {
        let (limits, to) = (&self.options.limits, self.args.to.format);
        let result = format_of(item, self.candidates, limits).and_then(|(from, _)| {
            let conversion = item.convert(from, to, self.options, &mut self.names)?;
            let lines = lines_of(item, from, &conversion, self.args, limits)?;
            Ok((from, conversion, lines))
        });
        match result {
            Ok((from, conversion, lines)) => {
                self.converted += 1;
                self.tally.add(&conversion);
                self.documents += lines.len();
                self.first_format = self.first_format.or(Some(from));
                lines.iter().try_for_each(|line| self.out.line(line))?;
                self.sidecars.write_converted(item, &conversion)
            }
            Err(report) => {
                show(name, item, &report, self.terminal);
                let at = |d: &Diagnostic| item.position(d.span.map_or(0, |s| s.start));
                self.sidecars.write_failed(Some(item.index), item.place.position(), &report, at)
            }
        }
    }

    fn finish(mut self, reader: &Reader<'_>, residue: Option<&Path>) -> Result<(), Failure> {
        let format = self.args.from.or(self.first_format);
        let limits = self.options.limits.clone();
        let around =
            ValidateOptions { depth: Depth::Semantics, limits, ..limits::validate_options() };
        let splitter = &reader.splitter;
        let around = format.map(|format| splitter.validate_envelope(format, &around));
        for broken in around.unwrap_or_default() {
            if broken.diagnostic.is_error() {
                self.stream_valid = false;
                show_broken(&reader.name, &broken, self.terminal);
                self.sidecars.write_broken(&broken)?;
            }
        }
        let private = self.sidecars.private;
        self.sidecars.close(splitter.envelope())?;
        self.out.close()?;
        let (count, converted) = (splitter.count(), self.converted);
        let failed = count - converted;
        if !self.args.detail.quiet {
            if converted > 0 {
                self.terminal.status(&table::render(&self.tally.sections(), true, self.terminal));
            }
            let from = format.map_or("unknown", |format| format.name);
            let shown = toolglot::core::printable(&reader.name, 512);
            let (total, to) = (count_entries(count), self.args.to.format.name);
            let written = match self.documents {
                lines if lines == converted => String::new(),
                lines => format!(" to {lines} documents"),
            };
            self.terminal.status(&format!(
                "{shown}: {from} → {to}, {total}: {converted} converted{written}, {failed} failed\n"
            ));
            let same = format.is_none_or(|format| format.name == to);
            if residue.is_none() && !self.args.in_band && converted > 0 && !same {
                self.terminal.status(&format!(
                    "{}\n",
                    residues::hint(from, self.args.no_residue, &self.args.output)
                ));
            }
        }
        if let Some(path) = residue.filter(|_| private) {
            // The note about a secret in a file is shown even with `--quiet`.
            self.terminal.status(&residues::private_note(path));
        }
        if failed == 0 && self.stream_valid { Ok(()) } else { Err(Failure::Invalid) }
    }
}

/// Returns the converted documents, each on one line.
fn lines_of(
    item: &Item<'_>,
    from: &Format,
    conversion: &Conversion,
    args: &Args,
    limits: &Limits,
) -> Result<Vec<String>, Report> {
    // A line that the conversion does not change keeps every byte.
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

/// Puts a document on one line. It may be longer than the limit for inputs.
pub(super) fn one_line(text: &str, limits: &Limits) -> Result<String, Report> {
    let room = limits.document_bytes.max(text.len());
    let limits = Limits { document_bytes: room, ..limits.clone() };
    let document = Document::parse(text.as_bytes(), &limits).map_err(single_report)?;
    Ok(compact(document.root()))
}
