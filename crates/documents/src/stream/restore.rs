//! `toolglot restore --jsonl`

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;
use toolglot::core::printable;
use toolglot::core::rules::RESIDUE;
use toolglot::json::Document;
use toolglot::{
    Format, Formats, Original, Pointer, Report, Residue, RestoreOptions, Restored, Target,
};

use super::convert::one_line;
use super::lines::{Line, marks, names_residue, read};
use super::matching::Match;
use super::reader::{Reader, Twice, entries, show, show_at, show_broken};
use super::residues::Residues;
use crate::residues;
use crate::restore_args::Args;
use console::formats::Candidates;
use console::output::Lines;
use console::problem::json_line;
use console::report::{RestoreReport, left_out};
use console::terminal::{Failure, Terminal, report_of};

#[derive(Serialize)]
struct EntryReport<'a> {
    /// The number of the first entry. `None` if there was only the residue.
    entry: Option<usize>,
    #[serde(flatten)]
    restored: RestoreReport<'a>,
}

/// The help for an entry with several possible residues.
const UNCLEAR: &str = "other entries say or said the same, or have a tool of that id: restore this \
                       one by itself, with a file of its own residue, or undo the edits";

/// The index of a residue, and the number of the copy of its documents.
type Key = (usize, usize);

/// Restores the lines of one residue after those of another.
struct Restorer<'a> {
    args: &'a Args,
    formats: Formats<'static>,
    /// The format of the source.
    to: &'static Format,
    options: RestoreOptions,
    name: String,
    out: Lines<'a>,
    report: Option<Lines<'a>>,
    residues: Option<Residues>,
    /// The match of each entry.
    found: Vec<Match>,
    /// The number of lines for each residue.
    due: BTreeMap<Key, usize>,
    /// Lines that wait for the other lines of their residue.
    waiting: BTreeMap<Key, Vec<Line>>,
    lines: usize,
    restored: usize,
    edited: usize,
    left_out: usize,
    terminal: &'a Terminal,
}

pub(crate) fn run(args: &Args, candidates: Candidates, terminal: &Terminal) -> Result<(), Failure> {
    let options = args.options();
    let limits = options.limits.clone();
    let [file] = args.files.as_slice() else {
        return Err(terminal.trouble("only one stream can be restored at a time"));
    };
    let open = |path| Lines::open(path, terminal);
    let beside = Some(residues::of_stream(file)).filter(|path: &PathBuf| path.is_file());
    args.keep(&args.files, beside.as_ref(), terminal)?;
    let residues = args.residue.clone().or(beside);
    let mut residues = residues.map(|path| Residues::open(&path, &limits, terminal)).transpose()?;
    let source = Twice::of(file, terminal)?;
    let found = match &mut residues {
        Some(residues) => assign(residues, &source, args, candidates, &options, terminal)?,
        None => Vec::new(),
    };
    let mut reader = Reader::again(&source, &args.jsonl, candidates, &limits, terminal)?;
    let Some(to) = args.to else {
        return Err(terminal.trouble("say with --to which format to come back to"));
    };
    let mut restorer = Restorer {
        args,
        formats: candidates.set,
        to,
        options,
        name: reader.name.clone(),
        out: open(&args.output)?,
        report: args.report.as_deref().map(open).transpose()?,
        residues,
        due: due(&found),
        found,
        waiting: BTreeMap::new(),
        lines: 0,
        restored: 0,
        edited: 0,
        left_out: 0,
        terminal,
    };
    let mut in_order = true;
    while reader.fill()? {
        while let Some(found) = reader.splitter.next() {
            match found {
                Ok(item) => match read(&item, candidates, &limits) {
                    Ok((line, _)) => restorer.next(line)?,
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

/// Finds the residue of each entry. If all entries have one, residues without an entry are
/// restored by themselves, unless `--delete-missing` is set.
fn assign(
    residues: &mut Residues,
    source: &Twice<'_>,
    args: &Args,
    candidates: Candidates,
    options: &RestoreOptions,
    terminal: &Terminal,
) -> Result<Vec<Match>, Failure> {
    let (marks, unread) = marks(args, candidates, source, &options.limits, terminal)?;
    let found = residues.assign(&marks, candidates.set);
    let all = !unread && found.iter().all(|one| matches!(one, Match::Is { .. }));
    // A line without a residue may belong to one of the residues without a line.
    if all && !options.delete_missing {
        residues.keep_missing(&found);
    }
    Ok(found)
}

/// Returns the number of lines for each residue.
fn due(found: &[Match]) -> BTreeMap<Key, usize> {
    let mut due = BTreeMap::new();
    for one in found {
        if let Match::Is { residue, copy } = *one {
            *due.entry((residue, copy)).or_default() += 1;
        }
    }
    due
}

impl Restorer<'_> {
    fn next(&mut self, line: Line) -> Result<(), Failure> {
        if self.residues.is_none() {
            return self.in_band(line);
        }
        match self.found.get(line.index).copied() {
            Some(Match::Is { residue, copy }) => self.collect((residue, copy), line),
            Some(Match::Unclear) => {
                self.refuse(&line, "it cannot be told which residue belongs to", UNCLEAR);
                Ok(())
            }
            Some(Match::None) | None => {
                self.refuse(&line, "no residue belongs to", RESIDUE.summary);
                Ok(())
            }
        }
    }

    /// Restores the lines of a residue when all of them are there.
    fn collect(&mut self, key: Key, line: Line) -> Result<(), Failure> {
        let waiting = self.waiting.entry(key).or_default();
        waiting.push(line);
        if self.due.get(&key).is_some_and(|due| waiting.len() < *due) {
            return Ok(());
        }
        let lines = self.waiting.remove(&key).unwrap_or_default();
        self.alone(key.0)?;
        self.restore_by(key.0, &lines)
    }

    /// Restores lines with the residue that they carry. The first document of a conversion
    /// carries the residue, and the others its digest.
    fn in_band(&mut self, line: Line) -> Result<(), Failure> {
        const KEY: Key = (0, 0);
        if !names_residue(&line.bytes, &self.options.limits) {
            let before = self.waiting.remove(&KEY).unwrap_or_default();
            self.restore(&before, None)?;
        }
        self.waiting.entry(KEY).or_default().push(line);
        Ok(())
    }

    /// Restores the entries before residue `end` that have no line. Either their conversion
    /// wrote no document, or the line is missing. They are unchanged.
    fn alone(&mut self, end: usize) -> Result<(), Failure> {
        while let Some(at) = self.residues.as_mut().and_then(|all| all.empty_before(end)) {
            self.restore_by(at, &[])?;
        }
        Ok(())
    }

    fn restore_by(&mut self, residue: usize, lines: &[Line]) -> Result<(), Failure> {
        match self.residues.as_mut().map(|residues| residues.take(residue)) {
            Some(Err(report)) => {
                self.show(lines, &report);
                Ok(())
            }
            Some(Ok(residue)) => self.restore(lines, Some(&residue)),
            None => self.restore(lines, None),
        }
    }

    fn restore(&mut self, lines: &[Line], residue: Option<&Residue>) -> Result<(), Failure> {
        let named = residue.and_then(|residue| self.formats.named(&residue.to));
        let Some(format) = lines.first().map(|line| line.format).or(named) else {
            return Ok(());
        };
        match self.restored(lines, residue, format) {
            Ok((restored, line)) => {
                self.lines += lines.len();
                self.restored += 1;
                self.edited += usize::from(restored.edited);
                self.left_out += restored.left_out.iter().filter(|edit| !edit.carried).count();
                self.out.line(&line)?;
                self.tell(lines, &restored, format)
            }
            Err(report) => {
                self.show(lines, &report);
                Ok(())
            }
        }
    }

    fn restored(
        &self,
        lines: &[Line],
        residue: Option<&Residue>,
        format: &'static Format,
    ) -> Result<(Restored, String), Report> {
        let limits = &self.options.limits;
        let documents: Result<Vec<_>, Report> = lines
            .iter()
            .map(|line| Document::parse(&line.bytes, limits).map_err(report_of))
            .collect();
        let documents = documents?;
        let targets: Vec<_> =
            documents.iter().map(|document| Target { name: None, document }).collect();
        let original = residue.map_or(Original::InBand, Original::Residue);
        let restored = toolglot::restore(&targets, original, self.to, format, &self.options)?;
        let text = restored.text.strip_suffix('\n').unwrap_or(&restored.text);
        let line = if text.contains('\n') { one_line(text, limits)? } else { text.to_owned() };
        Ok((restored, line))
    }

    /// Reports the lost edits, and writes the line of the report.
    fn tell(
        &mut self,
        lines: &[Line],
        restored: &Restored,
        format: &'static Format,
    ) -> Result<(), Failure> {
        let names: Vec<_> =
            lines.iter().map(|line| format!("{}:{}", self.name, line.start.line)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        for edit in left_out(restored, &names).into_iter().filter(|edit| !edit.carried) {
            let (file, at) = (printable(edit.file, 512), printable(edit.pointer.as_str(), 256));
            self.terminal.say(&format!("left out: {file} at {at}: {}\n", edit.why));
        }
        let Some(report) = &mut self.report else { return Ok(()) };
        let entry = lines.first().map(|line| line.index);
        let restored = RestoreReport::new(restored, &names, format, self.to);
        report.line(json_line(&EntryReport { entry, restored }).trim_end())
    }

    /// Shows that a document has no residue.
    fn refuse(&self, line: &Line, why: &str, help: &str) {
        let ids: Vec<_> = line.ids.iter().take(3).map(|id| toolglot::core::quoted(id)).collect();
        let message = format!("{why} {}", ids.join(", "));
        let refused = RESIDUE.at_pointer(Pointer::root(), message).help(help);
        show_at(&self.name, &line.bytes, line.start, &report_of(refused), self.terminal);
    }

    /// Shows why lines cannot be restored, at the first of them.
    fn show(&self, lines: &[Line], report: &Report) {
        match lines.first() {
            Some(line) => show_at(&self.name, &line.bytes, line.start, report, self.terminal),
            None => self.terminal.show(report, None),
        }
    }

    fn end(mut self, count: usize, in_order: bool) -> Result<(), Failure> {
        for lines in std::mem::take(&mut self.waiting).into_values() {
            self.restore(&lines, None)?;
        }
        self.alone(self.residues.as_ref().map_or(0, Residues::count))?;
        self.out.close()?;
        self.report.map_or(Ok(()), Lines::close)?;
        let failed = count - self.lines;
        if !self.args.detail.quiet {
            let shown = printable(&self.name, 512);
            let (total, to) = (entries(count), self.to.name);
            let (restored, edited) = (self.restored, self.edited);
            self.terminal.say(&format!(
                "{shown}: → {to}, {total}: {restored} restored ({edited} edited), {failed} failed\n"
            ));
            let left = self.residues.as_ref().map_or(0, Residues::left);
            if left > 0 {
                let why = if self.options.delete_missing { "removed" } else { "not restored" };
                self.terminal.say(&format!("{why}, without a document: {}\n", entries(left)));
            }
            if self.residues.as_ref().is_some_and(|residues| residues.around) {
                let text = "The last line of the residue has what was around the list.\n";
                self.terminal.say(text);
            }
        }
        let broken = self.residues.is_some_and(|residues| residues.broken);
        let whole = failed == 0 && self.left_out == 0;
        if whole && in_order && !broken { Ok(()) } else { Err(Failure::Invalid) }
    }
}
