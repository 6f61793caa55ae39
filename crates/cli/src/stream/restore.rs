//! `toolglot restore --jsonl`

use std::collections::VecDeque;
use std::path::Path;

use serde::Serialize;
use toolglot::core::convert::rules::RESIDUE;
use toolglot::json::{Document, Position};
use toolglot::stream::{Item, Shape, Split};
use toolglot::{Format, Limits, Options, Pointer, Report, Residue};

use super::convert::one_line;
use super::{Reader, entries, format_of, show_at, show_broken};
use crate::output::Lines;
use crate::problem::json_line;
use crate::restore::{Args, RestoreReport};
use crate::terminal::{Failure, Terminal, report_of};

/// How many residues are looked at to find the one of a document.
const AHEAD: usize = 16;

/// A line of the input that was read.
struct Target {
    index: usize,
    start: Position,
    bytes: Vec<u8>,
    format: &'static Format,
    /// The ids of its tools.
    ids: Vec<String>,
}

impl Target {
    fn read(item: &Item<'_>, args: &Args, limits: &Limits) -> Result<Self, Report> {
        let (format, _) = format_of(item, args.from, limits)?;
        let document = Document::parse(item.bytes, limits).map_err(report_of)?;
        let tools = (format.read)(&document).tools;
        let ids = tools.into_iter().map(|tool| tool.id.into_owned()).collect();
        let start = item.place.position();
        Ok(Self { index: item.index, start, bytes: item.bytes.to_vec(), format, ids })
    }

    fn is_of(&self, residue: &Residue) -> bool {
        let mut tools = residue.tools.iter();
        tools.any(|tool| self.ids.contains(&tool.id))
            || self.ids.is_empty() && residue.tools.is_empty()
    }
}

#[derive(Serialize)]
struct EntryReport<'a> {
    entry: usize,
    #[serde(flatten)]
    restored: RestoreReport<'a>,
}

/// The residues that a conversion wrote, one after the other.
struct Residues<'t> {
    reader: Reader<'t>,
    /// Those that were read, and have not been taken.
    ahead: VecDeque<Residue>,
    limits: Limits,
    /// Residues whose documents are gone.
    passed: usize,
    around: bool,
}

impl<'t> Residues<'t> {
    fn open(path: &Path, limits: &Limits, terminal: &'t Terminal) -> Result<Self, Failure> {
        // A residue holds the source and more; parsing it checks how much more.
        let room = limits.document_bytes.saturating_mul(16).saturating_add(BESIDE);
        let split = Split {
            shape: Some(Shape::Lines),
            limits: Limits { document_bytes: room, ..limits.clone() },
            ..Split::default()
        };
        let reader = Reader::with(path, split, terminal)?;
        let ahead = VecDeque::new();
        Ok(Self { reader, ahead, limits: limits.clone(), passed: 0, around: false })
    }

    /// Reads one more, if there is one.
    fn read(&mut self, terminal: &Terminal) -> Result<bool, Failure> {
        loop {
            while let Some(found) = self.reader.splitter.next() {
                let line = match found {
                    Ok(item) => read_line(item.bytes, &self.limits).map_err(|report| {
                        let start = item.place.position();
                        show_at(&self.reader.name, item.bytes, start, &report, terminal);
                    }),
                    Err(broken) => Err(show_broken(&self.reader.name, &broken, terminal)),
                };
                match line.map_err(|()| Failure::Invalid)? {
                    Line::Residue(residue) => {
                        self.ahead.push_back(*residue);
                        return Ok(true);
                    }
                    Line::Failed => {}
                    Line::Around => self.around = true,
                }
            }
            if !self.reader.fill()? {
                return Ok(false);
            }
        }
    }

    /// How many residues stand before that of a document.
    fn find(&mut self, target: &Target, terminal: &Terminal) -> Result<Option<usize>, Failure> {
        let mut looked = 0;
        loop {
            while let Some(residue) = self.ahead.get(looked) {
                if target.is_of(residue) {
                    return Ok(Some(looked));
                }
                looked += 1;
            }
            if looked >= AHEAD || !self.read(terminal)? {
                return Ok(None);
            }
        }
    }

    /// Passes over some residues.
    fn pass(&mut self, count: usize) {
        self.passed += self.ahead.drain(..count).count();
    }
}

/// Bytes of a line of residues beside the residue.
const BESIDE: usize = 1 << 10;

/// What a line of residues says.
enum Line {
    Residue(Box<Residue>),
    /// The entry could not be converted.
    Failed,
    /// What is around the list.
    Around,
}

fn read_line(bytes: &[u8], limits: &Limits) -> Result<Line, Report> {
    let room = limits.document_bytes.saturating_mul(16).saturating_add(BESIDE);
    let roomy = Limits {
        document_bytes: room,
        string_bytes: room,
        nodes: limits.nodes.saturating_mul(4).saturating_add(8),
        depth: limits.depth.saturating_add(17),
        ..limits.clone()
    };
    let document = Document::parse(bytes, &roomy).map_err(report_of)?;
    let root = document.root();
    if let Some(residue) = root.get("residue").filter(|residue| residue.is_object()) {
        let residue = Residue::parse(residue.raw().as_bytes(), limits).map_err(report_of)?;
        return Ok(Line::Residue(Box::new(residue)));
    }
    if root.get("failed").is_some() {
        return Ok(Line::Failed);
    }
    if root.get("envelope").is_some() {
        return Ok(Line::Around);
    }
    let message = "this is no line that `toolglot convert --jsonl --residue` wrote";
    Err(report_of(RESIDUE.at_pointer(Pointer::root(), message)))
}

/// Restores one line after the other.
struct Restorer<'a> {
    args: &'a Args,
    options: Options,
    name: String,
    out: Lines<'a>,
    report: Option<Lines<'a>>,
    residues: Option<Residues<'a>>,
    /// A document that no residue is known for: its id may be another now.
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
        waiting: None,
        restored: 0,
        edited: 0,
        terminal,
    };
    let mut in_order = true;
    while reader.fill()? {
        while let Some(found) = reader.splitter.next() {
            match found {
                Ok(item) => match Target::read(&item, args, &limits) {
                    Ok(target) => restorer.next(target)?,
                    Err(report) => super::show(&reader.name, &item, &report, terminal),
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
    /// Takes a document, and restores it or the one that waits.
    fn next(&mut self, target: Target) -> Result<(), Failure> {
        let Some(residues) = &mut self.residues else {
            return self.restore(&target, None);
        };
        let Some(before) = residues.find(&target, self.terminal)? else {
            if let Some(waiting) = self.waiting.replace(target) {
                self.refuse(&waiting);
            }
            return Ok(());
        };
        if let Some(waiting) = self.waiting.take() {
            if before == 1 {
                // One is left over on both sides: it has another id now.
                self.restore_with_next(&waiting)?;
            } else {
                self.refuse(&waiting);
                self.pass(before);
            }
        } else {
            self.pass(before);
        }
        self.restore_with_next(&target)
    }

    fn pass(&mut self, count: usize) {
        if let Some(residues) = &mut self.residues {
            residues.pass(count);
        }
    }

    fn restore_with_next(&mut self, target: &Target) -> Result<(), Failure> {
        let residue = self.residues.as_mut().and_then(|residues| residues.ahead.pop_front());
        self.restore(target, residue.as_ref())
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
        let help = "the lines must be in the order in which they were written";
        let diagnostic = RESIDUE.at_pointer(Pointer::root(), message).help(help);
        self.show(target, &report_of(diagnostic));
    }

    fn show(&self, target: &Target, report: &Report) {
        show_at(&self.name, &target.bytes, target.start, report, self.terminal);
    }

    fn end(mut self, count: usize, in_order: bool) -> Result<(), Failure> {
        // What is left over tells what the last document was.
        if let Some(residues) = &mut self.residues {
            while residues.ahead.len() < 2 && residues.read(self.terminal)? {}
        }
        if let Some(waiting) = self.waiting.take() {
            if self.residues.as_ref().is_some_and(|residues| residues.ahead.len() == 1) {
                self.restore_with_next(&waiting)?;
            } else {
                self.refuse(&waiting);
            }
        }
        if let Some(residues) = &mut self.residues {
            while !residues.ahead.is_empty() {
                residues.pass(residues.ahead.len());
                residues.read(self.terminal)?;
            }
        }
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
            let residues = self.residues.as_ref();
            if let Some(passed) = residues.map(|r| r.passed).filter(|passed| *passed > 0) {
                self.terminal.say(&format!("residues without a document: {passed}\n"));
            }
            if residues.is_some_and(|residues| residues.around) {
                let text = "The last line of the residue has what was around the list.\n";
                self.terminal.say(text);
            }
        }
        if failed == 0 && in_order { Ok(()) } else { Err(Failure::Invalid) }
    }
}
