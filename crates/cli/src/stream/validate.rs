//! `toolglot validate --jsonl`

use std::path::Path;

use serde::Serialize;
use toolglot::core::secret;
use toolglot::json::Position;
use toolglot::stream::{Broken, Names};
use toolglot::{Diagnostic, Format, Report, Validate};

use super::reader::{Reader, entries, format_of, show, show_broken};
use crate::formats;
use crate::output::Lines;
use crate::problem::{Problem, Style, json_line};
use crate::terminal::{Failure, Terminal, report_of};
use crate::validate_args::{Args, counts, is_zero};

#[derive(Default, Serialize)]
struct Verdict<'a> {
    file: &'a str,
    /// The number of the entry; nothing for what is around the list.
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

/// What is said of an entry, or of what is around them.
struct Said<'a> {
    entry: Option<usize>,
    place: Position,
    format: Option<(&'static Format, Option<String>)>,
    report: &'a Report,
}

pub(crate) fn run(file: &Path, args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let options = Validate { profile: args.profile.into(), ..Validate::default() };
    let mut out = Lines::open(Path::new("-"), terminal)?;
    let reader = Reader::open(file, &args.jsonl, args.from, &options.limits, terminal);
    if reader.is_err() && args.format == Style::Json {
        let (file, error) = (crate::input::name(file), Some("the file cannot be read"));
        let unread = Verdict { file: &file, line: 1, column: 1, error, ..Verdict::default() };
        out.line(json_line(&unread).trim_end())?;
        out.flush()?;
    }
    let mut reader = reader?;
    let name = reader.name.clone();
    let mut names = Names::default();
    let mut invalid = 0;
    let mut listed = None;
    let mut in_order = true;
    while reader.fill()? {
        while let Some(found) = reader.splitter.next() {
            match found {
                Ok(item) => {
                    let format = format_of(&item, args.from, &options.limits);
                    let report = match &format {
                        Ok((format, _)) => item.validate(format, &options, &mut names),
                        Err(report) => report.clone(),
                    };
                    let format = format.ok();
                    listed = listed.or(format.as_ref().map(|(format, _)| *format));
                    invalid += usize::from(!report.is_valid());
                    if args.format == Style::Text {
                        show(&name, &item, &report, terminal);
                    }
                    let entry = Some(item.index);
                    let said =
                        Said { entry, place: item.place.position(), format, report: &report };
                    let at = |found: &Diagnostic| item.position(found.span.map_or(0, |s| s.start));
                    out.line(&line(&name, &said, at, args.format))?;
                }
                Err(broken) => {
                    in_order &= broken.index.is_some();
                    invalid += usize::from(broken.index.is_some());
                    say_broken(&name, &broken, args, &mut out, terminal)?;
                }
            }
        }
        out.flush()?;
        if out.unread {
            return Ok(());
        }
    }
    for broken in
        listed.map_or_else(Vec::new, |format| reader.splitter.validate_envelope(format, &options))
    {
        in_order &= !broken.diagnostic.is_error();
        say_broken(&name, &broken, args, &mut out, terminal)?;
    }
    out.close()?;
    if args.format == Style::Text {
        let count = entries(reader.splitter.count());
        let name = toolglot::core::printable(&name, 512);
        terminal.say(&format!("{name}: {count}, {invalid} invalid\n"));
    }
    if invalid == 0 && in_order { Ok(()) } else { Err(Failure::Invalid) }
}

/// Says what is wrong with the stream, as if it were an entry.
fn say_broken(
    name: &str,
    broken: &Broken,
    args: &Args,
    out: &mut Lines<'_>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    if args.format == Style::Text {
        show_broken(name, broken, terminal);
    }
    let report = report_of(broken.diagnostic.clone());
    let place = broken.place.position();
    let said = Said { entry: broken.index, place, format: None, report: &report };
    out.line(&line(name, &said, |_| place, args.format))
}

/// The verdict, as a line.
fn line(
    file: &str,
    said: &Said<'_>,
    position: impl Fn(&Diagnostic) -> Position,
    style: Style,
) -> String {
    let Said { entry, place, format, report } = said;
    let version = format.as_ref().and_then(|(_, version)| version.as_deref());
    let format = format.as_ref().map(|(format, _)| *format);
    match style {
        Style::Text => {
            let file = toolglot::core::printable(file, 512);
            let what = entry.map_or_else(|| "the stream".to_owned(), |at| format!("entry {at}"));
            let title = format.map(|format| format!(" ({})", formats::titled(format, version)));
            let verdict = if report.is_valid() { "valid" } else { "invalid" };
            let (title, counts) = (title.unwrap_or_default(), counts(report));
            let (line, column) = (place.line, place.column);
            let said = format!("{file}:{line}:{column}: {what}: {verdict}{title}{counts}");
            secret::masked(&said).into_owned()
        }
        Style::Json => {
            let problems = report.diagnostics.iter();
            let problems = problems.map(|found| Problem::at(found, Some(position(found))));
            let verdict = Verdict {
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
