//! `toolglot restore --jsonl`

use serde::Serialize;
use toolglot::core::convert::rules::RESIDUE;
use toolglot::json::{Document, Position};
use toolglot::stream::Item;
use toolglot::{Format, Limits, Options, Pointer, Report, Residue};

use super::convert::one_line;
use super::residues::Residues;
use super::{Reader, entries, format_of, show, show_at, show_broken};
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
    /// The residue that it belongs to.
    residue: Option<usize>,
}

#[derive(Serialize)]
struct EntryReport<'a> {
    entry: usize,
    #[serde(flatten)]
    restored: RestoreReport<'a>,
}

/// Restores one line after the other.
struct Restorer<'a> {
    args: &'a Args,
    options: Options,
    name: String,
    out: Lines<'a>,
    report: Option<Lines<'a>>,
    residues: Option<Residues>,
    /// The residue after the one that was found last.
    next: usize,
    /// A document that no residue is known for: its tool may have another id now.
    waiting: Option<Target>,
    restored: usize,
    edited: usize,
    terminal: &'a Terminal,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let options = Options::default();
    let limits = options.limits.clone();
    let mut reader = Reader::open(&args.file, &args.jsonl, args.from, &limits, terminal)?;
    let open = |path| Lines::open(path, terminal);
    let residues = args.residue.as_deref();
    let mut restorer = Restorer {
        args,
        options,
        name: reader.name.clone(),
        out: open(&args.output)?,
        report: args.report.as_deref().map(open).transpose()?,
        residues: residues.map(|path| Residues::open(path, &limits, terminal)).transpose()?,
        next: 0,
        waiting: None,
        restored: 0,
        edited: 0,
        terminal,
    };
    let mut in_order = true;
    while reader.fill()? {
        while let Some(found) = reader.splitter.next() {
            match found {
                Ok(item) => match restorer.read(&item, &limits) {
                    Ok(target) => restorer.next(target)?,
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

impl Restorer<'_> {
    fn read(&self, item: &Item<'_>, limits: &Limits) -> Result<Target, Report> {
        let (format, _) = format_of(item, self.args.from, limits)?;
        let document = Document::parse(item.bytes, limits).map_err(report_of)?;
        let tools = (format.read)(&document).tools;
        let ids: Vec<_> = tools.into_iter().map(|tool| tool.id.into_owned()).collect();
        let residues = self.residues.as_ref();
        let residue = residues.and_then(|residues| residues.find(&document, &ids, self.next));
        let start = item.place.position();
        Ok(Target { index: item.index, start, bytes: item.bytes.to_vec(), format, ids, residue })
    }

    /// Takes a document, and restores it after the one that waits.
    fn next(&mut self, target: Target) -> Result<(), Failure> {
        if self.residues.is_none() {
            return self.restore(&target, None);
        }
        let Some(found) = target.residue else {
            if let Some(waiting) = self.waiting.replace(target) {
                self.refuse(&waiting);
            }
            return Ok(());
        };
        self.end_waiting(found)?;
        self.next = found + 1;
        self.restore_by(&target, found)
    }

    /// Restores the document that waits, when one residue is left over before another.
    fn end_waiting(&mut self, before: usize) -> Result<(), Failure> {
        let Some(waiting) = self.waiting.take() else { return Ok(()) };
        let free = self.residues.as_ref().is_some_and(|residues| residues.is_free(self.next));
        if free && self.next + 1 == before {
            return self.restore_by(&waiting, self.next);
        }
        self.refuse(&waiting);
        Ok(())
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
    fn refuse(&self, target: &Target) {
        let ids: Vec<_> = target.ids.iter().take(3).map(|id| toolglot::core::quoted(id)).collect();
        let message = format!("no residue belongs to {}", ids.join(", "));
        self.show(target, &report_of(RESIDUE.at_pointer(Pointer::root(), message)));
    }

    fn show(&self, target: &Target, report: &Report) {
        show_at(&self.name, &target.bytes, target.start, report, self.terminal);
    }

    fn end(mut self, count: usize, in_order: bool) -> Result<(), Failure> {
        let residues = self.residues.as_ref().map_or(0, Residues::len);
        self.end_waiting(residues)?;
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
