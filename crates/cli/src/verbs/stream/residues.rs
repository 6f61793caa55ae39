//! The residues of a stream, matched with their documents.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use toolglot::convert::{DocumentKey, ResidueIndex, ResidueMatch};
use toolglot::core::rules::RESIDUE;
use toolglot::json::{Document, Node};
use toolglot::stream::{Shape, SplitOptions};
use toolglot::{Formats, Limits, Pointer, Report, Residue};

use super::reader::{Reader, show, show_broken};
use crate::files::input::{display_path, is_standard};
use crate::terminal::console::{Failure, Terminal, single_report};

/// The maximum number of bytes in a line besides its residue.
const LINE_OVERHEAD: usize = 1 << 10;

/// A file of residues, one on each line. The residues stay in the file. Memory holds only
/// the place of each line, and digests of its documents.
pub(super) struct Residues {
    file: File,
    lines: Vec<LineSpan>,
    /// The documents that the residues record.
    index: ResidueIndex,
    /// The residues of entries that are restored without a document, in order.
    without_document: VecDeque<usize>,
    /// True if a line contains the text around a list.
    pub(super) has_envelope: bool,
    /// True if a line could not be read.
    pub(super) has_errors: bool,
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
    Envelope,
}

impl Residues {
    /// Reads a file of residues. Lines that cannot be read are reported and skipped.
    pub(super) fn open(path: &Path, limits: &Limits, terminal: &Terminal) -> Result<Self, Failure> {
        let trouble =
            |error| terminal.usage_error(&format!("cannot read {}: {error}", display_path(path)));
        if is_standard(path) {
            return Err(terminal.usage_error("the residues of a stream must be in a file"));
        }
        let file = File::open(path).map_err(trouble)?;
        let split = SplitOptions {
            shape: Some(Shape::Lines),
            // There is a line for each entry. The conversion has limited their number.
            entries: usize::MAX,
            limits: Limits { document_bytes: max_line_bytes(limits), ..limits.clone() },
            ..SplitOptions::default()
        };
        let mut reader = Reader::open_split(path, split, terminal)?;
        let mut residues = Self {
            file,
            lines: Vec::new(),
            index: ResidueIndex::default(),
            without_document: VecDeque::new(),
            has_envelope: false,
            has_errors: false,
            limits: limits.clone(),
        };
        while reader.fill()? {
            while let Some(found) = reader.splitter.next() {
                match found.map(|item| (item, read(item.bytes, limits))) {
                    Ok((item, Ok(ResidueLine::Residue(residue)))) => {
                        if residue.documents.is_empty() {
                            residues.without_document.push_back(residues.lines.len());
                        }
                        residues.index.add(&residue);
                        residues.lines.push(LineSpan {
                            offset: item.place.offset,
                            length: item.bytes.len(),
                            used: false,
                        });
                    }
                    Ok((_, Ok(ResidueLine::Failed))) => {}
                    Ok((_, Ok(ResidueLine::Envelope))) => residues.has_envelope = true,
                    Ok((item, Err(report))) => {
                        residues.has_errors = true;
                        show(&reader.name, &item, &report, terminal);
                    }
                    Err(broken) => {
                        residues.has_errors = true;
                        show_broken(&reader.name, &broken, terminal);
                    }
                }
            }
        }
        Ok(residues)
    }

    /// Finds the residue of each document, in order. A document that cannot be read has no
    /// key.
    pub(super) fn match_documents(
        &mut self,
        keys: &[Option<DocumentKey>],
        formats: Formats<'static>,
    ) -> Vec<ResidueMatch> {
        let (index, limits) = (std::mem::take(&mut self.index), self.limits.clone());
        index.match_documents(keys, formats, &limits, |residue| self.read_again(residue).ok())
    }

    /// Queues all residues without a document, to be restored. Requires that every document
    /// was matched.
    pub(super) fn queue_missing(&mut self, found: &[ResidueMatch]) {
        let mut given = vec![false; self.lines.len()];
        for one in found {
            if let ResidueMatch::Residue { residue, .. } = one
                && let Some(given) = given.get_mut(*residue)
            {
                *given = true;
            }
        }
        let missing = given.iter().enumerate().filter(|(_, given)| !**given);
        self.without_document = missing.map(|(at, _)| at).collect();
    }

    /// Returns the next residue before `end` whose entry is restored without a document.
    /// Returns each once.
    pub(super) fn next_without_document(&mut self, end: usize) -> Option<usize> {
        let next = self.without_document.front().copied().filter(|at| *at < end)?;
        self.without_document.pop_front();
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
        let gone = |what: &str| single_report(RESIDUE.at_pointer(Pointer::root(), what));
        let line = self.lines.get(at).ok_or_else(|| gone("there is no such residue"))?;
        let mut bytes = vec![0; line.length];
        let offset = SeekFrom::Start(line.offset);
        let again = self.file.seek(offset).and_then(|_| self.file.read_exact(&mut bytes));
        again.map_err(|error| gone(&format!("the residue cannot be read again: {error}")))?;
        match read(&bytes, &self.limits)? {
            ResidueLine::Residue(residue) => Ok(*residue),
            ResidueLine::Failed | ResidueLine::Envelope => {
                Err(gone("the file of residues has changed"))
            }
        }
    }

    /// Returns the number of unused residues.
    pub(super) fn count_unused(&self) -> usize {
        self.lines.iter().filter(|line| !line.used).count()
    }
}

/// The maximum length of a line: a residue contains the source and more. [`Residue::parse`]
/// limits it further.
const fn max_line_bytes(limits: &Limits) -> usize {
    limits.document_bytes.saturating_mul(16).saturating_add(LINE_OVERHEAD)
}

fn read(bytes: &[u8], limits: &Limits) -> Result<ResidueLine, Report> {
    let roomy = Limits {
        document_bytes: max_line_bytes(limits),
        string_bytes: max_line_bytes(limits),
        nodes: limits.nodes.saturating_mul(4).saturating_add(8),
        depth: limits.depth.saturating_add(17),
        ..limits.clone()
    };
    let document = Document::parse(bytes, &roomy).map_err(single_report)?;
    let root = document.root();
    // An object, or a string if the source has several lines.
    let residue = root.get("residue");
    let text = residue.and_then(Node::text);
    let value = residue.filter(|residue| residue.is_object()).map(Node::raw);
    if let Some(residue) = text.as_deref().or(value) {
        let residue = Residue::parse(residue.as_bytes(), limits).map_err(single_report)?;
        return Ok(ResidueLine::Residue(Box::new(residue)));
    }
    if root.get("failed").is_some() {
        return Ok(ResidueLine::Failed);
    }
    if root.get("envelope").is_some() {
        return Ok(ResidueLine::Envelope);
    }
    let message = "this is no line that `toolglot convert --jsonl --residue` wrote";
    Err(single_report(RESIDUE.at_pointer(Pointer::root(), message)))
}
