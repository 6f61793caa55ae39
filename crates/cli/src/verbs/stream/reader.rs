//! Reads streams, and shows their errors.

use std::io::{self, Read};
use std::path::Path;

use toolglot::core::SourceText;
use toolglot::json::{Document, Position};
use toolglot::stream::{Item, SplitOptions, Splitter, StreamError};
use toolglot::{Format, Limits, Report};

use crate::files::formats::Candidates;
use crate::files::input;
use crate::files::jsonl::Jsonl;
use crate::terminal::console::{Failure, Terminal, single_report};

/// Returns the options for splitting a stream. The list can be in the catalog member of any
/// possible format.
fn split(path: &Path, jsonl: &Jsonl, candidates: Candidates, limits: &Limits) -> SplitOptions {
    let members = candidates.iter().filter_map(|format| Some(format.catalog?.member)).collect();
    let shape = jsonl.shape(path);
    SplitOptions { shape, members, entries: jsonl.entries, limits: limits.clone() }
}

/// The maximum number of bytes buffered from an input that can be read only once.
const MAX_BUFFERED: u64 = 1 << 28;

/// A stream that can be read twice: a file, or the buffered bytes of another input.
pub(super) struct Rereadable<'p> {
    path: &'p Path,
    buffer: Option<Vec<u8>>,
}

impl<'p> Rereadable<'p> {
    pub(super) fn open(path: &'p Path, terminal: &Terminal) -> Result<Self, Failure> {
        let is_file = !input::is_standard(path)
            && std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
        if is_file {
            return Ok(Self { path, buffer: None });
        }
        let mut bytes = Vec::new();
        let read = input::open(path, terminal)?.take(MAX_BUFFERED + 1).read_to_end(&mut bytes);
        let name = input::display_path(path);
        read.map_err(|error| terminal.usage_error(&format!("cannot read {name}: {error}")))?;
        if u64::try_from(bytes.len()).is_ok_and(|length| length > MAX_BUFFERED) {
            let message = format!("{name} is too long to be held; write it to a file first");
            return Err(terminal.usage_error(&message));
        }
        Ok(Self { path, buffer: Some(bytes) })
    }
}

/// The number of bytes that are read at once.
const BLOCK: usize = 64 << 10;

/// A stream that is being read.
pub(super) struct Reader<'t> {
    /// The name as it was given.
    pub(super) name: String,
    pub(super) splitter: Splitter,
    source: Box<dyn Read + 't>,
    block: Vec<u8>,
    at_end: bool,
    terminal: &'t Terminal,
}

impl<'t> Reader<'t> {
    /// Opens a stream of documents.
    pub(super) fn open(
        path: &Path,
        jsonl: &Jsonl,
        candidates: Candidates,
        limits: &Limits,
        terminal: &'t Terminal,
    ) -> Result<Self, Failure> {
        let split = split(path, jsonl, candidates, limits);
        Self::open_split(path, split, terminal)
    }

    /// Opens a stream of converted documents, which can be read again.
    pub(super) fn reopen(
        source: &'t Rereadable<'t>,
        jsonl: &Jsonl,
        candidates: Candidates,
        limits: &Limits,
        terminal: &'t Terminal,
    ) -> Result<Self, Failure> {
        // Conversions write documents as lines, without a list around them.
        let split =
            SplitOptions { members: Vec::new(), ..split(source.path, jsonl, candidates, limits) };
        match &source.buffer {
            Some(bytes) => Ok(Self::new(source.path, Box::new(&**bytes), split, terminal)),
            None => Self::open_split(source.path, split, terminal),
        }
    }

    pub(super) fn open_split(
        path: &Path,
        split: SplitOptions,
        terminal: &'t Terminal,
    ) -> Result<Self, Failure> {
        Ok(Self::new(path, input::open(path, terminal)?, split, terminal))
    }

    fn new(
        path: &Path,
        source: Box<dyn Read + 't>,
        split: SplitOptions,
        terminal: &'t Terminal,
    ) -> Self {
        Self {
            name: input::name(path),
            splitter: Splitter::new(split),
            source,
            block: vec![0; BLOCK],
            at_end: false,
            terminal,
        }
    }

    /// Reads more of the stream. Returns false if it had already ended, so that the
    /// splitter has no more entries.
    pub(super) fn fill(&mut self) -> Result<bool, Failure> {
        if self.at_end {
            return Ok(false);
        }
        let count = loop {
            match self.source.read(&mut self.block) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let name = toolglot::core::printable(&self.name, 512);
                    return Err(self.terminal.usage_error(&format!("cannot read {name}: {error}")));
                }
                Ok(count) => break count,
            }
        };
        self.splitter.push(self.block.get(..count).unwrap_or_default());
        if count == 0 {
            self.at_end = true;
            self.splitter.finish();
        }
        Ok(true)
    }
}

/// Returns the format of an entry: the named one, that of the list that contains it, or the
/// detected one.
pub(super) fn format_of(
    item: &Item<'_>,
    candidates: Candidates,
    limits: &Limits,
) -> Result<(&'static Format, Option<String>), Report> {
    let member = |format: &&'static Format| {
        format.catalog.is_some_and(|catalog| Some(catalog.member) == item.member)
    };
    let Candidates { set, explicit: named } = candidates;
    if let Some(format) = named.or_else(|| set.into_iter().copied().find(member)) {
        return Ok((format, None));
    }
    let document = Document::parse(item.bytes, limits).map_err(|mut diagnostic| {
        diagnostic.set_pointer(item.pointer().join(&diagnostic.pointer));
        single_report(diagnostic)
    })?;
    let (format, detected) = candidates.detect(&document)?;
    Ok((format, detected.version))
}

/// Shows the errors of an entry at their places in the stream.
pub(super) fn show(name: &str, item: &Item<'_>, report: &Report, terminal: &Terminal) {
    show_at(name, item.bytes, item.place.position(), report, terminal);
}

pub(super) fn show_at(
    name: &str,
    bytes: &[u8],
    start: Position,
    report: &Report,
    terminal: &Terminal,
) {
    let mut report = report.clone();
    for diagnostic in &mut report.diagnostics {
        // Errors of the whole entry are shown at its first line.
        let whole = toolglot::json::Span { start: 0, end: usize::from(!bytes.is_empty()) };
        diagnostic.set_span_if_none(whole);
    }
    terminal.show_from(&report, Some(&SourceText { name, bytes }), start);
}

/// Shows an error of the stream.
pub(super) fn show_broken(name: &str, broken: &StreamError, terminal: &Terminal) {
    let name = format!("{name}:{}:{}", broken.place.line, broken.place.column);
    // The bytes are gone, so there is a place but no text to show.
    let source = SourceText { name: &name, bytes: b"" };
    terminal.show(&single_report(broken.diagnostic.clone()), Some(&source));
}

/// Returns a number of entries as text.
pub(super) fn count_entries(number: usize) -> String {
    match number {
        0 => "no entries".to_owned(),
        1 => "1 entry".to_owned(),
        many => format!("{many} entries"),
    }
}
