//! The residues of a stream, found by what they belong to.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use toolglot::core::convert::rules::RESIDUE;
use toolglot::json::Document;
use toolglot::stream::{Shape, Split};
use toolglot::{Limits, Pointer, Report, Residue};

use super::matching::{Marks, Match, matches};
use super::{Reader, show, show_broken};
use crate::input::{is_standard, shown};
use crate::terminal::{Failure, Terminal, report_of};

/// Bytes of a line beside its residue.
const BESIDE: usize = 1 << 10;

/// The lines of a file that hold residues. They stay in the file; what is remembered
/// of each is where it is, and digests of what it belongs to.
pub(super) struct Residues {
    file: File,
    lines: Vec<Place>,
    /// Whether there was a line for what is around a list.
    pub(super) around: bool,
    /// Whether a line could not be read.
    pub(super) broken: bool,
    limits: Limits,
}

/// A line, and what it belongs to.
struct Place {
    offset: u64,
    length: usize,
    of: Marks,
    used: bool,
}

/// What a line says.
enum Line {
    Residue(Box<Residue>),
    /// The entry could not be converted.
    Failed,
    /// What is around the list.
    Around,
}

impl Residues {
    /// Reads a file of residues. What cannot be read is said, and passed over.
    pub(super) fn open(path: &Path, limits: &Limits, terminal: &Terminal) -> Result<Self, Failure> {
        let trouble = |error| terminal.trouble(&format!("cannot read {}: {error}", shown(path)));
        if is_standard(path) {
            return Err(terminal.trouble("the residues of a stream must be in a file"));
        }
        let file = File::open(path).map_err(trouble)?;
        let split = Split {
            shape: Some(Shape::Lines),
            // There are as many as there were entries.
            entries: usize::MAX,
            limits: Limits { document_bytes: room(limits), ..limits.clone() },
            ..Split::default()
        };
        let mut reader = Reader::with(path, split, terminal)?;
        let mut residues =
            Self { file, lines: Vec::new(), around: false, broken: false, limits: limits.clone() };
        while reader.fill()? {
            while let Some(found) = reader.splitter.next() {
                match found.map(|item| (item, read(item.bytes, limits))) {
                    Ok((item, Ok(Line::Residue(residue)))) => {
                        residues.lines.push(Place {
                            offset: item.place.offset,
                            length: item.bytes.len(),
                            of: Marks::of_residue(&residue),
                            used: false,
                        });
                    }
                    Ok((_, Ok(Line::Failed))) => {}
                    Ok((_, Ok(Line::Around))) => residues.around = true,
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

    /// Which residue belongs to which of some documents, in order. What cannot be read
    /// has no marks.
    pub(super) fn assign(&self, documents: &[Option<Marks>]) -> Vec<Match> {
        let residues: Vec<_> = self.lines.iter().map(|line| &line.of).collect();
        matches(&residues, documents)
    }

    /// Takes a residue.
    pub(super) fn take(&mut self, at: usize) -> Result<Residue, Report> {
        let gone = |what: &str| report_of(RESIDUE.at_pointer(Pointer::root(), what));
        let line = self.lines.get_mut(at).ok_or_else(|| gone("there is no such residue"))?;
        line.used = true;
        let mut bytes = vec![0; line.length];
        let offset = SeekFrom::Start(line.offset);
        let again = self.file.seek(offset).and_then(|_| self.file.read_exact(&mut bytes));
        again.map_err(|error| gone(&format!("the residue cannot be read again: {error}")))?;
        match read(&bytes, &self.limits)? {
            Line::Residue(residue) => Ok(*residue),
            Line::Failed | Line::Around => Err(gone("the file of residues has changed")),
        }
    }

    /// How many have found no document.
    pub(super) fn left(&self) -> usize {
        self.lines.iter().filter(|line| !line.used).count()
    }
}

/// A residue holds the source and more; parsing it checks how much more.
const fn room(limits: &Limits) -> usize {
    limits.document_bytes.saturating_mul(16).saturating_add(BESIDE)
}

fn read(bytes: &[u8], limits: &Limits) -> Result<Line, Report> {
    let roomy = Limits {
        document_bytes: room(limits),
        string_bytes: room(limits),
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
