//! `toolglot restore --jsonl`

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;
use toolglot::convert::{ResidueMatch, restore};
use toolglot::core::printable;
use toolglot::core::rules::RESIDUE;
use toolglot::json::Document;
use toolglot::{Format, Formats, Pointer, Report, Residue, RestoreOptions, RestoredSource, Target};

use super::convert::one_line;
use super::lines::{Line, names_residue, read, read_keys};
use super::reader::{Reader, Rereadable, count_entries, show, show_at, show_broken};
use super::residues::Residues;
use crate::files::formats::Candidates;
use crate::files::output::LineWriter;
use crate::files::residues;
use crate::terminal::console::{Failure, Terminal, single_report};
use crate::terminal::problem::json_line;
use crate::terminal::report::{RestoreReport, lost_edits};
use crate::verbs::restore::{carried_residue, check_formats};
use crate::verbs::restore_args::Args;

#[derive(Serialize)]
struct EntryReport<'a> {
    /// The number of the first entry. `None` if there was only the residue.
    entry: Option<usize>,
    #[serde(flatten)]
    restored: RestoreReport<'a>,
}

/// The help for an entry with several possible residues.
const UNCLEAR_HELP: &str = "other entries say or said the same, or have a tool of that id: restore this \
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
    out: LineWriter<'a>,
    report: Option<LineWriter<'a>>,
    residues: Option<Residues>,
    /// The match of each entry.
    matches: Vec<ResidueMatch>,
    /// The number of lines for each residue.
    expected_lines: BTreeMap<Key, usize>,
    /// Lines that wait for the other lines of their residue.
    waiting: BTreeMap<Key, Vec<Line>>,
    lines: usize,
    restored: usize,
    edited: usize,
    lost_edits: usize,
    terminal: &'a Terminal,
}

pub(crate) fn run(args: &Args, candidates: Candidates, terminal: &Terminal) -> Result<(), Failure> {
    let options = args.options();
    let limits = options.limits.clone();
    let [file] = args.files.as_slice() else {
        return Err(terminal.usage_error("only one stream can be restored at a time"));
    };
    let open = |path| LineWriter::open(path, terminal);
    let beside = Some(residues::stream_path(file)).filter(|path: &PathBuf| path.is_file());
    args.check_overwrite(&args.files, beside.as_ref(), terminal)?;
    let residues = args.residue.clone().or(beside);
    let mut residues = residues.map(|path| Residues::open(&path, &limits, terminal)).transpose()?;
    let source = Rereadable::open(file, terminal)?;
    let found = match &mut residues {
        Some(residues) => assign(residues, &source, args, candidates, &options, terminal)?,
        None => Vec::new(),
    };
    let mut reader = Reader::reopen(&source, &args.jsonl, candidates, &limits, terminal)?;
    let Some(to) = args.to else {
        return Err(terminal.usage_error("say with --to which format to come back to"));
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
        expected_lines: count_lines(&found),
        matches: found,
        waiting: BTreeMap::new(),
        lines: 0,
        restored: 0,
        edited: 0,
        lost_edits: 0,
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
        if restorer.out.reader_gone {
            return Ok(());
        }
    }
    restorer.finish(reader.splitter.count(), in_order)
}

/// Finds the residue of each entry. If all entries have one, residues without an entry are
/// restored by themselves, unless `--delete-missing` is set.
fn assign(
    residues: &mut Residues,
    source: &Rereadable<'_>,
    args: &Args,
    candidates: Candidates,
    options: &RestoreOptions,
    terminal: &Terminal,
) -> Result<Vec<ResidueMatch>, Failure> {
    let (keys, unread) = read_keys(args, candidates, source, &options.limits, terminal)?;
    let found = residues.match_documents(&keys, candidates.set);
    let all = !unread && found.iter().all(|one| matches!(one, ResidueMatch::Residue { .. }));
    // A line without a residue may belong to one of the residues without a line.
    if all && !options.delete_missing {
        residues.queue_missing(&found);
    }
    Ok(found)
}

/// Returns the number of lines for each residue.
fn count_lines(found: &[ResidueMatch]) -> BTreeMap<Key, usize> {
    let mut due = BTreeMap::new();
    for one in found {
        if let ResidueMatch::Residue { residue, copy } = *one {
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
        match self.matches.get(line.index).copied() {
            Some(ResidueMatch::Residue { residue, copy }) => self.collect((residue, copy), line),
            Some(ResidueMatch::Unclear) => {
                self.refuse(&line, "it cannot be told which residue belongs to", UNCLEAR_HELP);
                Ok(())
            }
            _ => {
                self.refuse(&line, "no residue belongs to", RESIDUE.summary);
                Ok(())
            }
        }
    }

    /// Restores the lines of a residue when all of them are there.
    fn collect(&mut self, key: Key, line: Line) -> Result<(), Failure> {
        let waiting = self.waiting.entry(key).or_default();
        waiting.push(line);
        if self.expected_lines.get(&key).is_some_and(|due| waiting.len() < *due) {
            return Ok(());
        }
        let lines = self.waiting.remove(&key).unwrap_or_default();
        self.restore_without_lines(key.0)?;
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
    fn restore_without_lines(&mut self, end: usize) -> Result<(), Failure> {
        while let Some(at) = self.residues.as_mut().and_then(|all| all.next_without_document(end)) {
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
        let named = residue.and_then(|residue| self.formats.by_name(&residue.to));
        let Some(format) = lines.first().map(|line| line.format).or(named) else {
            return Ok(());
        };
        match self.try_restore(lines, residue, format) {
            Ok((restored, line)) => {
                self.lines += lines.len();
                self.restored += 1;
                self.edited += usize::from(restored.edited);
                self.lost_edits += restored.lost_edits.iter().filter(|edit| !edit.kept).count();
                self.out.line(&line)?;
                self.write_report(lines, &restored, format)
            }
            Err(report) => {
                self.show(lines, &report);
                Ok(())
            }
        }
    }

    fn try_restore(
        &self,
        lines: &[Line],
        residue: Option<&Residue>,
        format: &'static Format,
    ) -> Result<(RestoredSource, String), Report> {
        let limits = &self.options.limits;
        let documents: Result<Vec<_>, Report> = lines
            .iter()
            .map(|line| Document::parse(&line.bytes, limits).map_err(single_report))
            .collect();
        let documents = documents?;
        let targets: Vec<_> =
            documents.iter().map(|document| Target { name: None, document }).collect();
        let carried;
        let residue = if let Some(residue) = residue {
            residue
        } else {
            carried = carried_residue(&documents, format)?;
            &carried
        };
        check_formats(residue, self.to, format)?;
        let restored = restore(&targets, residue, self.formats, &self.options)?;
        let text = restored.text.strip_suffix('\n').unwrap_or(&restored.text);
        let line = if text.contains('\n') { one_line(text, limits)? } else { text.to_owned() };
        Ok((restored, line))
    }

    /// Reports the lost edits, and writes the line of the report.
    fn write_report(
        &mut self,
        lines: &[Line],
        restored: &RestoredSource,
        format: &'static Format,
    ) -> Result<(), Failure> {
        let names: Vec<_> =
            lines.iter().map(|line| format!("{}:{}", self.name, line.start.line)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        for edit in lost_edits(restored, &names).into_iter().filter(|edit| !edit.kept) {
            let (file, at) = (printable(edit.file, 512), printable(edit.pointer.as_str(), 256));
            self.terminal.status(&format!("left out: {file} at {at}: {}\n", edit.why));
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
        show_at(&self.name, &line.bytes, line.start, &single_report(refused), self.terminal);
    }

    /// Shows why lines cannot be restored, at the first of them.
    fn show(&self, lines: &[Line], report: &Report) {
        match lines.first() {
            Some(line) => show_at(&self.name, &line.bytes, line.start, report, self.terminal),
            None => self.terminal.show(report, None),
        }
    }

    fn finish(mut self, count: usize, in_order: bool) -> Result<(), Failure> {
        for lines in std::mem::take(&mut self.waiting).into_values() {
            self.restore(&lines, None)?;
        }
        self.restore_without_lines(self.residues.as_ref().map_or(0, Residues::count))?;
        self.out.close()?;
        self.report.map_or(Ok(()), LineWriter::close)?;
        let failed = count - self.lines;
        if !self.args.detail.quiet {
            let shown = printable(&self.name, 512);
            let (total, to) = (count_entries(count), self.to.name);
            let (restored, edited) = (self.restored, self.edited);
            self.terminal.status(&format!(
                "{shown}: → {to}, {total}: {restored} restored ({edited} edited), {failed} failed\n"
            ));
            let left = self.residues.as_ref().map_or(0, Residues::count_unused);
            if left > 0 {
                // An entry without a document may be that of a line that failed.
                let removed = self.options.delete_missing && failed == 0;
                let why = if removed { "removed" } else { "not restored" };
                self.terminal
                    .status(&format!("{why}, without a document: {}\n", count_entries(left)));
            }
            if self.residues.as_ref().is_some_and(|residues| residues.has_envelope) {
                let text = "The last line of the residue has what was around the list.\n";
                self.terminal.status(text);
            }
        }
        let broken = self.residues.is_some_and(|residues| residues.has_errors);
        let whole = failed == 0 && self.lost_edits == 0;
        if whole && in_order && !broken { Ok(()) } else { Err(Failure::Invalid) }
    }
}
