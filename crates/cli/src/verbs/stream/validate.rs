//! `toolglot validate --jsonl`

use std::path::Path;

use serde::Serialize;
use toolglot::core::secret;
use toolglot::json::Position;
use toolglot::stream::{Item, Names, StreamError};
use toolglot::{Diagnostic, Format, Report, ValidateOptions};

use super::reader::{Reader, count_entries, format_of, show, show_broken};
use crate::files::formats::{self, Candidates};
use crate::files::output::LineWriter;
use crate::terminal::console::{Failure, Terminal, single_report};
use crate::terminal::problem::{FindingStyle, Problem, json_line};
use crate::verbs::validate_args::{Args, counts, is_zero};

#[derive(Default, Serialize)]
struct EntryVerdict<'a> {
    file: &'a str,
    /// The number of the entry. `None` for the text around the list.
    entry: Option<usize>,
    line: usize,
    column: usize,
    format: Option<&'static str>,
    version: Option<&'a str>,
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    diagnostics: Vec<Problem<'a>>,
    #[serde(skip_serializing_if = "is_zero")]
    left_out: usize,
}

/// The result of an entry, or of the text around the list.
struct EntryResult<'a> {
    entry: Option<usize>,
    place: Position,
    format: Option<(&'static Format, Option<String>)>,
    report: &'a Report,
}

pub(crate) fn run(
    file: &Path,
    args: &Args,
    candidates: Candidates,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let options = args.options();
    let mut out = LineWriter::open(Path::new("-"), terminal)?;
    let reader = Reader::open(file, &args.jsonl, candidates, &options.limits, terminal);
    if reader.is_err() && args.format == FindingStyle::Json {
        let (file, error) = (crate::files::input::name(file), Some("the file cannot be read"));
        let unread =
            EntryVerdict { file: &file, line: 1, column: 1, error, ..EntryVerdict::default() };
        out.line(json_line(&unread).trim_end())?;
        out.flush()?;
    }
    let reader = reader?;
    let validator = Validator {
        args,
        candidates,
        options,
        name: reader.name.clone(),
        out,
        names: Names::default(),
        invalid: 0,
        first_format: None,
        stream_valid: true,
        terminal,
    };
    validator.validate_all(reader)
}

/// Validates the entries one by one.
struct Validator<'a> {
    args: &'a Args,
    candidates: Candidates,
    options: ValidateOptions,
    name: String,
    out: LineWriter<'a>,
    names: Names,
    invalid: usize,
    /// The format of the first entry.
    first_format: Option<&'static Format>,
    /// False if the stream has an error outside of its entries.
    stream_valid: bool,
    terminal: &'a Terminal,
}

impl Validator<'_> {
    fn validate_all(mut self, mut reader: Reader<'_>) -> Result<(), Failure> {
        while reader.fill()? {
            while let Some(found) = reader.splitter.next() {
                match found {
                    Ok(item) => self.validate_entry(&item)?,
                    Err(broken) => {
                        self.stream_valid &= broken.index.is_some();
                        self.invalid += usize::from(broken.index.is_some());
                        self.report_error(&broken)?;
                    }
                }
            }
            self.out.flush()?;
            if self.out.reader_gone {
                return Ok(());
            }
        }
        self.finish(&reader)
    }

    fn validate_entry(&mut self, item: &Item<'_>) -> Result<(), Failure> {
        let format = format_of(item, self.candidates, &self.options.limits);
        let report = match &format {
            Ok((format, _)) => item.validate(format, &self.options, &mut self.names),
            Err(report) => report.clone(),
        };
        let format = format.ok();
        self.first_format = self.first_format.or(format.as_ref().map(|(format, _)| *format));
        self.invalid += usize::from(!report.is_valid());
        if self.args.format == FindingStyle::Text {
            show(&self.name, item, &report, self.terminal);
        }
        let entry = Some(item.index);
        let said = EntryResult { entry, place: item.place.position(), format, report: &report };
        let at = |found: &Diagnostic| item.position(found.span.map_or(0, |s| s.start));
        self.out.line(&line(&self.name, &said, at, self.args.format))
    }

    /// Reports an error of the stream as if it were an entry.
    fn report_error(&mut self, broken: &StreamError) -> Result<(), Failure> {
        if self.args.format == FindingStyle::Text {
            show_broken(&self.name, broken, self.terminal);
        }
        let report = single_report(broken.diagnostic.clone());
        let place = broken.place.position();
        let said = EntryResult { entry: broken.index, place, format: None, report: &report };
        self.out.line(&line(&self.name, &said, |_| place, self.args.format))
    }

    fn finish(mut self, reader: &Reader<'_>) -> Result<(), Failure> {
        let splitter = &reader.splitter;
        let around =
            self.first_format.map(|format| splitter.validate_envelope(format, &self.options));
        for broken in around.unwrap_or_default() {
            self.stream_valid &= !broken.diagnostic.is_error();
            self.report_error(&broken)?;
        }
        self.out.close()?;
        let invalid = self.invalid;
        if self.args.format == FindingStyle::Text {
            let count = count_entries(splitter.count());
            let name = toolglot::core::printable(&self.name, 512);
            self.terminal.status(&format!("{name}: {count}, {invalid} invalid\n"));
        }
        if invalid == 0 && self.stream_valid { Ok(()) } else { Err(Failure::Invalid) }
    }
}

/// Returns the result as a line.
fn line(
    file: &str,
    said: &EntryResult<'_>,
    position: impl Fn(&Diagnostic) -> Position,
    style: FindingStyle,
) -> String {
    let EntryResult { entry, place, format, report } = said;
    let version = format.as_ref().and_then(|(_, version)| version.as_deref());
    let format = format.as_ref().map(|(format, _)| *format);
    match style {
        FindingStyle::Text => {
            let file = toolglot::core::printable(file, 512);
            let what = entry.map_or_else(|| "the stream".to_owned(), |at| format!("entry {at}"));
            let title = format.map(|format| format!(" ({})", formats::title(format, version)));
            let verdict = if report.is_valid() { "valid" } else { "invalid" };
            let (title, counts) = (title.unwrap_or_default(), counts(report));
            let (line, column) = (place.line, place.column);
            let said = format!("{file}:{line}:{column}: {what}: {verdict}{title}{counts}");
            secret::mask(&said).into_owned()
        }
        // SARIF is refused for streams.
        FindingStyle::Json | FindingStyle::Sarif => {
            let problems = report.diagnostics.iter();
            let problems = problems.map(|found| Problem::at(found, Some(position(found))));
            let verdict = EntryVerdict {
                file,
                entry: *entry,
                line: place.line,
                column: place.column,
                format: format.map(|format| format.name),
                version,
                valid: report.is_valid(),
                error: None,
                diagnostics: problems.collect(),
                left_out: report.left_out,
            };
            json_line(&verdict).trim_end().to_owned()
        }
    }
}
