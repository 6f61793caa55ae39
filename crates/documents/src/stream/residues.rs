//! The residues of a stream, matched with their documents.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use toolglot::core::rules::RESIDUE;
use toolglot::json::{Document, Node};
use toolglot::stream::{Shape, Split};
use toolglot::{Formats, Limits, Options, Pointer, Report, Residue};

use super::matching::{Marks, Match, Slot, matches, print};
use super::reader::{Reader, show, show_broken};
use console::input::{is_standard, shown};
use console::terminal::{Failure, Terminal, report_of};

/// The maximum number of bytes in a line besides its residue.
const BESIDE: usize = 1 << 10;

/// A file of residues, one on each line. The residues stay in the file. Memory holds only
/// the place of each line, and digests of its documents.
pub(super) struct Residues {
    file: File,
    lines: Vec<LineSpan>,
    /// The documents of all residues, in order.
    slots: Vec<Slot>,
    /// The residues of entries that are restored without a document, in order.
    empty: VecDeque<usize>,
    /// True if a line contains the text around a list.
    pub(super) around: bool,
    /// True if a line could not be read.
    pub(super) broken: bool,
    limits: Limits,
}

/// The place of a line in the file.
struct LineSpan {
    offset: u64,
    length: usize,
    used: bool,
}

/// The content of a line.
enum ResidueLine {
    Residue(Box<Residue>),
    /// The entry could not be converted.
    Failed,
    /// The text around the list.
    Around,
}

impl Residues {
    /// Reads a file of residues. Lines that cannot be read are reported and skipped.
    pub(super) fn open(path: &Path, limits: &Limits, terminal: &Terminal) -> Result<Self, Failure> {
        let trouble = |error| terminal.trouble(&format!("cannot read {}: {error}", shown(path)));
        if is_standard(path) {
            return Err(terminal.trouble("the residues of a stream must be in a file"));
        }
        let file = File::open(path).map_err(trouble)?;
        let split = Split {
            shape: Some(Shape::Lines),
            // There is a line for each entry. The conversion has limited their number.
            entries: usize::MAX,
            limits: Limits { document_bytes: room(limits), ..limits.clone() },
            ..Split::default()
        };
        let mut reader = Reader::with(path, split, terminal)?;
        let mut residues = Self {
            file,
            lines: Vec::new(),
            slots: Vec::new(),
            empty: VecDeque::new(),
            around: false,
            broken: false,
            limits: limits.clone(),
        };
        while reader.fill()? {
            while let Some(found) = reader.splitter.next() {
                match found.map(|item| (item, read(item.bytes, limits))) {
                    Ok((item, Ok(ResidueLine::Residue(residue)))) => {
                        if residue.documents.is_empty() {
                            residues.empty.push_back(residues.lines.len());
                        }
                        residues.slots.extend(Slot::all(&residue, residues.lines.len()));
                        residues.lines.push(LineSpan {
                            offset: item.place.offset,
                            length: item.bytes.len(),
                            used: false,
                        });
                    }
                    Ok((_, Ok(ResidueLine::Failed))) => {}
                    Ok((_, Ok(ResidueLine::Around))) => residues.around = true,
                    Ok((item, Err(report))) => {
                        residues.broken = true;
                        show(&reader.name, &item, &report, terminal);
                    }
                    Err(broken) => {
                        residues.broken = true;
                        show_broken(&reader.name, &broken, terminal);
                    }
                }
            }
        }
        Ok(residues)
    }

    /// Finds the residue of each document, in order. A document that cannot be read has no
    /// key.
    pub(super) fn assign(
        &mut self,
        documents: &[Option<Marks>],
        formats: Formats<'static>,
    ) -> Vec<Match> {
        let slots = std::mem::take(&mut self.slots);
        matches(slots, documents, |residue| {
            let residue = self.read_again(residue).ok();
            residue.and_then(|residue| ids(&residue, formats, &self.limits)).unwrap_or_default()
        })
    }

    /// Queues all residues without a document, to be restored. Requires that every document
    /// was matched.
    pub(super) fn keep_missing(&mut self, found: &[Match]) {
        let mut given = vec![false; self.lines.len()];
        for one in found {
            if let Match::Is { residue, .. } = one
                && let Some(given) = given.get_mut(*residue)
            {
                *given = true;
            }
        }
        let missing = given.iter().enumerate().filter(|(_, given)| !**given);
        self.empty = missing.map(|(at, _)| at).collect();
    }

    /// Returns the next residue before `end` whose entry is restored without a document.
    /// Returns each once.
    pub(super) fn empty_before(&mut self, end: usize) -> Option<usize> {
        let next = self.empty.front().copied().filter(|at| *at < end)?;
        self.empty.pop_front();
        Some(next)
    }

    /// Returns the number of residues.
    pub(super) const fn count(&self) -> usize {
        self.lines.len()
    }

    /// Reads a residue, and marks it as used.
    pub(super) fn take(&mut self, at: usize) -> Result<Residue, Report> {
        if let Some(line) = self.lines.get_mut(at) {
            line.used = true;
        }
        self.read_again(at)
    }

    fn read_again(&mut self, at: usize) -> Result<Residue, Report> {
        let gone = |what: &str| report_of(RESIDUE.at_pointer(Pointer::root(), what));
        let line = self.lines.get(at).ok_or_else(|| gone("there is no such residue"))?;
        let mut bytes = vec![0; line.length];
        let offset = SeekFrom::Start(line.offset);
        let again = self.file.seek(offset).and_then(|_| self.file.read_exact(&mut bytes));
        again.map_err(|error| gone(&format!("the residue cannot be read again: {error}")))?;
        match read(&bytes, &self.limits)? {
            ResidueLine::Residue(residue) => Ok(*residue),
            ResidueLine::Failed | ResidueLine::Around => {
                Err(gone("the file of residues has changed"))
            }
        }
    }

    /// Returns the number of unused residues.
    pub(super) fn left(&self) -> usize {
        self.lines.iter().filter(|line| !line.used).count()
    }
}

/// Returns digests of the tool ids in the documents of a residue, in the order of their
/// names. The source is converted again to get the ids.
fn ids(residue: &Residue, formats: Formats<'static>, limits: &Limits) -> Option<Vec<Vec<u128>>> {
    let (from, to) = (formats.named(&residue.from)?, formats.named(&residue.to)?);
    let text = residue.source_text();
    let source = Document::parse(text.as_bytes(), limits).ok()?;
    let chosen = &residue.options;
    let options = Options {
        tools: chosen.tools.clone(),
        without: chosen.without.iter().copied().collect(),
        accept: chosen.accept.iter().copied().collect(),
        version: chosen.version.clone(),
        defaults: chosen.defaults.clone().unwrap_or_default(),
        limits: limits.clone(),
        ..Options::default()
    };
    let conversion = toolglot::convert(&source, from, to, &options).ok()?;
    let mut named: BTreeMap<&str, Vec<u128>> = BTreeMap::new();
    for tool in &conversion.tools {
        if let Some(document) = conversion.documents.get(tool.document) {
            named.entry(&document.name).or_default().push(print(&tool.target));
        }
    }
    let ids = residue.documents.keys().map(|name| named.remove(name.as_str()).unwrap_or_default());
    Some(ids.collect())
}

/// The maximum length of a line: a residue contains the source and more. [`Residue::parse`]
/// limits it further.
const fn room(limits: &Limits) -> usize {
    limits.document_bytes.saturating_mul(16).saturating_add(BESIDE)
}

fn read(bytes: &[u8], limits: &Limits) -> Result<ResidueLine, Report> {
    let roomy = Limits {
        document_bytes: room(limits),
        string_bytes: room(limits),
        nodes: limits.nodes.saturating_mul(4).saturating_add(8),
        depth: limits.depth.saturating_add(17),
        ..limits.clone()
    };
    let document = Document::parse(bytes, &roomy).map_err(report_of)?;
    let root = document.root();
    // An object, or a string if the source has several lines.
    let residue = root.get("residue");
    let text = residue.and_then(Node::text);
    let value = residue.filter(|residue| residue.is_object()).map(Node::raw);
    if let Some(residue) = text.as_deref().or(value) {
        let residue = Residue::parse(residue.as_bytes(), limits).map_err(report_of)?;
        return Ok(ResidueLine::Residue(Box::new(residue)));
    }
    if root.get("failed").is_some() {
        return Ok(ResidueLine::Failed);
    }
    if root.get("envelope").is_some() {
        return Ok(ResidueLine::Around);
    }
    let message = "this is no line that `toolglot convert --jsonl --residue` wrote";
    Err(report_of(RESIDUE.at_pointer(Pointer::root(), message)))
}
