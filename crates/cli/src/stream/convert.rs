//! `toolglot convert --jsonl`

use serde::Serialize;
use toolglot::json::{Document, Position, compact};
use toolglot::stream::{Broken, Item, Names, Shape};
use toolglot::{Conversion, Depth, Diagnostic, Format, Limits, Options, Report, Residue, Validate};

use super::{Reader, entries, format_of, show, show_broken};
use crate::convert::Args;
use crate::output::Lines;
use crate::problem::{Problem, json_line, whole_line};
use crate::summary::ConversionReport;
use crate::terminal::{Failure, Terminal, report_of};

/// A line of the residue.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Left<'a> {
    Residue(&'a Residue),
    Failed(bool),
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
}

pub(crate) fn run(args: &Args, options: &Options, terminal: &Terminal) -> Result<(), Failure> {
    let mut reader = Reader::open(&args.file, &args.jsonl, args.from, &options.limits, terminal)?;
    let name = reader.name.clone();
    let open = |path| Lines::open(path, terminal);
    let mut out = open(&args.output)?;
    let mut beside = Beside {
        residue: args.residue.as_deref().map(open).transpose()?,
        report: args.report.as_deref().map(open).transpose()?,
    };
    let mut names = Names::default();
    let (mut converted, mut lossy, mut in_order) = (0, 0, true);
    let mut listed = None;
    while reader.fill()? {
        while let Some(found) = reader.splitter.next() {
            match found {
                Ok(item) => {
                    let result =
                        format_of(&item, args.from, &options.limits).and_then(|(from, _)| {
                            let conversion = item.convert(from, args.to, options, &mut names)?;
                            let line = line_of(&item, from, &conversion, args, options)?;
                            Ok((from, conversion, line))
                        });
                    match result {
                        Ok((from, conversion, line)) => {
                            converted += 1;
                            lossy += usize::from(!conversion.residue.is_empty());
                            listed = listed.or(Some(from));
                            out.line(&line)?;
                            beside.converted(&item, &conversion, from, args.to)?;
                        }
                        Err(report) => {
                            show(&name, &item, &report, terminal);
                            let at = |d: &Diagnostic| item.position(d.span.map_or(0, |s| s.start));
                            let place = item.place.position();
                            beside.failed(Some(item.index), place, &report, at)?;
                        }
                    }
                }
                Err(broken) => {
                    in_order &= broken.index.is_some();
                    show_broken(&name, &broken, terminal);
                    beside.broken(&broken)?;
                }
            }
        }
        out.flush()?;
        if out.unread {
            return Ok(());
        }
    }
    let format = args.from.or(listed);
    let around =
        Validate { depth: Depth::Meaning, limits: options.limits.clone(), ..Validate::default() };
    for broken in
        format.map_or_else(Vec::new, |format| reader.splitter.validate_envelope(format, &around))
    {
        if broken.diagnostic.is_error() {
            in_order = false;
            show_broken(&name, &broken, terminal);
            beside.broken(&broken)?;
        }
    }
    beside.close(reader.splitter.envelope())?;
    out.close()?;
    let count = reader.splitter.count();
    let failed = count - converted;
    if !args.detail.quiet {
        let from = format.map_or("unknown", |format| format.name);
        let shown = toolglot::core::printable(&name, 512);
        let total = entries(count);
        let to = args.to.name;
        terminal.say(&format!(
            "{shown}: {from} → {to}, {total}: {converted} converted, {failed} failed\n"
        ));
        if let Some(hint) = hint(args, lossy, reader.splitter.envelope().is_some()) {
            terminal.say(&format!("{hint}\n"));
        }
    }
    if failed == 0 && in_order { Ok(()) } else { Err(Failure::Invalid) }
}

/// The converted document, on one line.
fn line_of(
    item: &Item<'_>,
    from: &Format,
    conversion: &Conversion,
    args: &Args,
    options: &Options,
) -> Result<String, Report> {
    // A line in its own format needs no conversion: every byte stays.
    let line = item.shape == Shape::Lines && !item.bytes.contains(&b'\n');
    if line && from.name == args.to.name && !args.in_band {
        return Ok(String::from_utf8_lossy(item.bytes).into_owned());
    }
    one_line(&conversion.text, &options.limits)
}

/// A document that was written under limits, on one line.
pub(super) fn one_line(text: &str, limits: &Limits) -> Result<String, Report> {
    let room = limits.document_bytes.max(text.len());
    let limits = Limits { document_bytes: room, ..limits.clone() };
    let document = Document::parse(text.as_bytes(), &limits).map_err(report_of)?;
    Ok(compact(document.root()))
}

fn hint(args: &Args, lossy: usize, envelope: bool) -> Option<String> {
    if args.residue.is_some() || args.in_band || lossy == 0 && !envelope {
        return None;
    }
    Some(format!(
        "What {} cannot say was not kept. To come back later, add --residue FILE (or --in-band).",
        args.to.name
    ))
}

impl Beside<'_> {
    fn converted(
        &mut self,
        item: &Item<'_>,
        conversion: &Conversion,
        from: &Format,
        to: &Format,
    ) -> Result<(), Failure> {
        let left = Left::Residue(&conversion.residue);
        self.residue(EntryResidue { entry: item.index, left })?;
        self.report(&EntryReport {
            entry: Some(item.index),
            line: item.place.line,
            column: item.place.column,
            conversion: Some(ConversionReport::new(conversion, from, to)),
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
            Some(lines) => lines.line(whole_line(&line).trim_end()),
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
