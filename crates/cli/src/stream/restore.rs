//! `toolglot restore --jsonl`

use serde::Serialize;
use toolglot::core::convert::rules::RESIDUE;
use toolglot::json::{Document, Position};
use toolglot::stream::Item;
use toolglot::{Format, Limits, Options, Pointer, Report, Residue};

use super::convert::one_line;
use super::matching::{Marks, Match};
use super::residues::Residues;
use super::{Reader, Twice, entries, format_of, show, show_at, show_broken};
use crate::output::Lines;
use crate::problem::json_line;
use crate::restore::{Args, RestoreReport};
use crate::terminal::{Failure, Terminal, report_of};

/// A line of the input that was read.
struct Target {
    index: usize,
    start: Position,
    bytes: Vec<u8>,
    format: &'static Format,
    /// The ids of its tools.
    ids: Vec<String>,
}

#[derive(Serialize)]
struct EntryReport<'a> {
    entry: usize,
    #[serde(flatten)]
    restored: RestoreReport<'a>,
}

/// What to do about an entry that may have one of several residues.
const UNCLEAR: &str = "other entries say or said the same, or have a tool of that id: restore this \
                       one by itself, with a file of its own residue, or undo the edits";

/// Restores one line after the other.
struct Restorer<'a> {
    args: &'a Args,
    options: Options,
    name: String,
    out: Lines<'a>,
    report: Option<Lines<'a>>,
    residues: Option<Residues>,
    /// The residues of the entries.
    found: Vec<Match>,
    restored: usize,
    edited: usize,
    terminal: &'a Terminal,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let options = Options::default();
    let limits = options.limits.clone();
    let open = |path| Lines::open(path, terminal);
    let residues = args.residue.as_deref();
    let residues = residues.map(|path| Residues::open(path, &limits, terminal)).transpose()?;
    let source = Twice::of(&args.file, terminal)?;
    let found = match &residues {
        Some(residues) => residues.assign(&marks(args, &source, &limits, terminal)?),
        None => Vec::new(),
    };
    let mut reader = Reader::again(&source, &args.jsonl, args.from, &limits, terminal)?;
    let mut restorer = Restorer {
        args,
        options,
        name: reader.name.clone(),
        out: open(&args.output)?,
        report: args.report.as_deref().map(open).transpose()?,
        residues,
        found,
        restored: 0,
        edited: 0,
        terminal,
    };
    let mut in_order = true;
    while reader.fill()? {
        while let Some(found) = reader.splitter.next() {
            match found {
                Ok(item) => match read(&item, args, &limits) {
                    Ok((target, _)) => restorer.next(&target)?,
                    Err(report) => show(&reader.name, &item, &report, terminal),
                },
                Err(broken) => {
                    in_order &= broken.index.is_some();
                    show_broken(&reader.name, &broken, terminal);
                }
            }
        }
        restorer.out.flush()?;
        if restorer.out.unread {
            return Ok(());
        }
    }
    restorer.end(reader.splitter.count(), in_order)
}

/// Reads an entry, and what tells its residue.
fn read(item: &Item<'_>, args: &Args, limits: &Limits) -> Result<(Target, Marks), Report> {
    let (format, _) = format_of(item, args.from, limits)?;
    let document = Document::parse(item.bytes, limits).map_err(report_of)?;
    let tools = (format.read)(&document).tools;
    let ids: Vec<_> = tools.into_iter().map(|tool| tool.id.into_owned()).collect();
    let marks = Marks::of(&document, &ids);
    let (index, start) = (item.index, item.place.position());
    Ok((Target { index, start, bytes: item.bytes.to_vec(), format, ids }, marks))
}

/// Reads what the entries are, to tell which residues are theirs.
fn marks(
    args: &Args,
    source: &Twice<'_>,
    limits: &Limits,
    terminal: &Terminal,
) -> Result<Vec<Option<Marks>>, Failure> {
    let mut reader = Reader::again(source, &args.jsonl, args.from, limits, terminal)?;
    let mut all = Vec::new();
    while reader.fill()? {
        while let Some(found) = reader.splitter.next() {
            // What is wrong is said when the entry is to be restored.
            if let Ok(item) = found
                && let Ok((_, marks)) = read(&item, args, limits)
            {
                all.resize_with(item.index, || None);
                all.push(Some(marks));
            }
        }
    }
    Ok(all)
}

impl Restorer<'_> {
    fn next(&mut self, target: &Target) -> Result<(), Failure> {
        if self.residues.is_none() {
            return self.restore(target, None);
        }
        match self.found.get(target.index) {
            Some(Match::Is(residue)) => self.restore_by(target, *residue),
            Some(Match::Unclear) => {
                self.refuse(target, "it cannot be told which residue belongs to", UNCLEAR);
                Ok(())
            }
            Some(Match::None) | None => {
                self.refuse(target, "no residue belongs to", RESIDUE.summary);
                Ok(())
            }
        }
    }

    fn restore_by(&mut self, target: &Target, residue: usize) -> Result<(), Failure> {
        match self.residues.as_mut().map(|residues| residues.take(residue)) {
            Some(Err(report)) => {
                self.show(target, &report);
                Ok(())
            }
            Some(Ok(residue)) => self.restore(target, Some(&residue)),
            None => self.restore(target, None),
        }
    }

    fn restore(&mut self, target: &Target, residue: Option<&Residue>) -> Result<(), Failure> {
        let (limits, to) = (&self.options.limits, self.args.to);
        let restored = Document::parse(&target.bytes, limits)
            .map_err(report_of)
            .and_then(|document| {
                toolglot::restore(&document, residue, to, target.format, &self.options)
            })
            .and_then(|restored| {
                let text = restored.text.strip_suffix('\n').unwrap_or(&restored.text);
                let line =
                    if text.contains('\n') { one_line(text, limits)? } else { text.to_owned() };
                Ok((restored, line))
            });
        match restored {
            Ok((restored, line)) => {
                self.restored += 1;
                self.edited += usize::from(restored.edited);
                self.out.line(&line)?;
                if let Some(report) = &mut self.report {
                    let restored = RestoreReport::new(&restored, target.format, to);
                    let line = EntryReport { entry: target.index, restored };
                    report.line(json_line(&line).trim_end())?;
                }
            }
            Err(report) => self.show(target, &report),
        }
        Ok(())
    }

    /// Says that a document has no residue.
    fn refuse(&self, target: &Target, why: &str, help: &str) {
        let ids: Vec<_> = target.ids.iter().take(3).map(|id| toolglot::core::quoted(id)).collect();
        let message = format!("{why} {}", ids.join(", "));
        let refused = RESIDUE.at_pointer(Pointer::root(), message).help(help);
        self.show(target, &report_of(refused));
    }

    fn show(&self, target: &Target, report: &Report) {
        show_at(&self.name, &target.bytes, target.start, report, self.terminal);
    }

    fn end(self, count: usize, in_order: bool) -> Result<(), Failure> {
        self.out.close()?;
        self.report.map_or(Ok(()), Lines::close)?;
        let failed = count - self.restored;
        if !self.args.detail.quiet {
            let shown = toolglot::core::printable(&self.name, 512);
            let (total, to) = (entries(count), self.args.to.name);
            let (restored, edited) = (self.restored, self.edited);
            self.terminal.say(&format!(
                "{shown}: → {to}, {total}: {restored} restored ({edited} edited), {failed} failed\n"
            ));
            let left = self.residues.as_ref().map_or(0, Residues::left);
            if left > 0 {
                self.terminal.say(&format!("residues without a document: {left}\n"));
            }
            if self.residues.as_ref().is_some_and(|residues| residues.around) {
                let text = "The last line of the residue has what was around the list.\n";
                self.terminal.say(text);
            }
        }
        let broken = self.residues.is_some_and(|residues| residues.broken);
        if failed == 0 && in_order && !broken { Ok(()) } else { Err(Failure::Invalid) }
    }
}
