//! The residues of a stream, found by what they belong to.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use toolglot::core::convert::rules::RESIDUE;
use toolglot::core::sha256_hex;
use toolglot::json::{Document, compact};
use toolglot::stream::{Shape, Split};
use toolglot::{Limits, Pointer, Report, Residue};

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
    /// A digest of all that it says.
    said: u128,
    used: bool,
}

/// Digests of what a document says as it is written, and of the ids of its tools.
pub(super) struct Marks {
    text: u128,
    ids: Vec<u128>,
}

impl Marks {
    pub(super) fn of(document: &Document<'_>, ids: &[String]) -> Self {
        let digest = format!("sha256:{}", sha256_hex(compact(document.root()).as_bytes()));
        Self { text: print(&digest), ids: ids.iter().map(|id| print(id)).collect() }
    }
}

/// What is known of the residue of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    /// The residue with that number.
    Is(usize),
    /// There is none.
    None,
    /// It is one of several, or that of another document.
    Unclear,
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
                        let ids = residue.tools.iter().map(|tool| print(&tool.id)).collect();
                        residues.lines.push(Place {
                            offset: item.place.offset,
                            length: item.bytes.len(),
                            of: Marks { text: print(&residue.target.digest), ids },
                            said: print(&residue.to_json()),
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
    ///
    /// A document that says what was written has the residue that was written with it.
    /// One that was edited has that of its tools, if both are the only ones left with
    /// such a tool. One whose tools have other ids now has the one residue that is left
    /// between those of its neighbours.
    pub(super) fn assign(&self, documents: &[Option<Marks>]) -> Vec<Match> {
        let mut found = vec![Match::None; documents.len()];
        let mut free = vec![true; self.lines.len()];
        let residues = || self.lines.iter().enumerate().map(|(at, line)| (at, &line.of));
        let marked =
            || documents.iter().enumerate().filter_map(|(at, of)| Some((at, of.as_ref()?)));

        let written = grouped(residues().map(|(at, of)| (of.text, at)));
        for (text, same) in grouped(marked().map(|(at, of)| (of.text, at))) {
            let Some(written) = written.get(&text) else { continue };
            let said = |at: &usize| self.lines.get(*at).map(|line| line.said);
            let alike = written.iter().all(|at| said(at) == written.first().and_then(said));
            if written.len() > same.len() && !alike {
                // Sources that differ became the same, and some of it is gone.
                set(&mut found, &same, Match::Unclear);
                continue;
            }
            for (document, residue) in same.iter().zip(written) {
                set(&mut found, &[*document], Match::Is(*residue));
                set(&mut free, &[*residue], false);
            }
        }

        let is_left = |at: &usize| found.get(*at) == Some(&Match::None);
        let is_free = |at: &usize| free.get(*at) == Some(&true);
        let by_tool = |marks: &mut dyn Iterator<Item = (usize, &Marks)>| {
            grouped(marks.flat_map(|(at, of)| of.ids.iter().map(move |id| (*id, at))))
        };
        let edited = by_tool(&mut marked().filter(|(at, _)| is_left(at)));
        let left = by_tool(&mut residues().filter(|(at, _)| is_free(at)));
        let of_tools = |groups: &BTreeMap<u128, Vec<usize>>, of: &Marks| -> BTreeSet<usize> {
            of.ids.iter().filter_map(|id| groups.get(id)).flatten().copied().collect()
        };
        let mut by_id = Vec::new();
        for (document, of) in marked().filter(|(at, _)| is_left(at)) {
            let theirs = of_tools(&left, of);
            let Some(residue) = theirs.first().copied() else { continue };
            let line = self.lines.get(residue);
            let rivals = line.map_or(0, |line| of_tools(&edited, &line.of).len());
            let only = theirs.len() == 1 && rivals == 1;
            by_id.push((document, if only { Match::Is(residue) } else { Match::Unclear }));
        }
        for (document, what) in by_id {
            set(&mut found, &[document], what);
            if let Match::Is(residue) = what {
                set(&mut free, &[residue], false);
            }
        }

        let order: Vec<usize> = marked().map(|(at, _)| at).collect();
        let known = |at: Option<&usize>| at.and_then(|at| found.get(*at)).copied();
        let mut between = Vec::new();
        for (place, document) in order.iter().enumerate() {
            let before = known(place.checked_sub(1).and_then(|before| order.get(before)));
            let after = known(order.get(place + 1));
            let first = match before {
                Some(Match::Is(before)) => before + 1,
                None => 0,
                Some(_) => continue,
            };
            let end = match after {
                Some(Match::Is(after)) => after,
                None => self.lines.len(),
                Some(_) => continue,
            };
            let left = free.get(first) == Some(&true) && first + 1 == end;
            if left && known(Some(document)) == Some(Match::None) {
                between.push((*document, first));
            }
        }
        for (document, residue) in between {
            set(&mut found, &[document], Match::Is(residue));
        }
        found
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

/// Numbers by what they have in common, in order.
fn grouped(pairs: impl Iterator<Item = (u128, usize)>) -> BTreeMap<u128, Vec<usize>> {
    let mut groups: BTreeMap<u128, Vec<usize>> = BTreeMap::new();
    pairs.for_each(|(mark, at)| groups.entry(mark).or_default().push(at));
    groups
}

fn set<T: Copy>(all: &mut [T], places: &[usize], value: T) {
    for at in places {
        if let Some(place) = all.get_mut(*at) {
            *place = value;
        }
    }
}

fn print(name: &str) -> u128 {
    let digest = sha256_hex(name.as_bytes());
    digest.get(..32).and_then(|digits| u128::from_str_radix(digits, 16).ok()).unwrap_or_default()
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
