//! Which residue belongs to which document of a stream.

use std::collections::BTreeMap;

use toolglot::Residue;
use toolglot::core::sha256_hex;
use toolglot::json::{Document, compact};

/// Digests of what tells the residue of a document.
pub(super) struct Marks {
    /// Of the text that was written.
    text: u128,
    /// Of the ids of its tools.
    ids: Vec<u128>,
    /// Of all that a residue says.
    all: u128,
}

impl Marks {
    /// Of a document with these ids.
    pub(super) fn of(document: &Document<'_>, ids: &[String]) -> Self {
        let digest = format!("sha256:{}", sha256_hex(compact(document.root()).as_bytes()));
        Self { text: print(&digest), ids: ids.iter().map(|id| print(id)).collect(), all: 0 }
    }

    pub(super) fn of_residue(residue: &Residue) -> Self {
        Self {
            text: print(&residue.target.digest),
            ids: residue.tools.iter().map(|tool| print(&tool.id)).collect(),
            all: print(&residue.to_json()),
        }
    }
}

fn print(name: &str) -> u128 {
    let digest = sha256_hex(name.as_bytes());
    digest.get(..32).and_then(|digits| u128::from_str_radix(digits, 16).ok()).unwrap_or_default()
}

/// What is known of the residue of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    /// The residue with that number.
    Is(usize),
    /// There is none.
    None,
    /// It may be one of several, or that of another document.
    Unclear,
}

/// The residue of each document, in order. What cannot be read has no marks.
///
/// A document that says what was written has the residue that was written with it. One
/// that was edited has that of its tools, if both are the only ones left with such a
/// tool. One whose tools have other ids now has the one residue that is left between
/// those of its neighbours.
pub(super) fn matches(residues: &[&Marks], documents: &[Option<Marks>]) -> Vec<Match> {
    let mut matching = Matching {
        residues,
        documents,
        found: vec![Match::None; documents.len()],
        free: vec![true; residues.len()],
    };
    matching.by_text();
    matching.by_tools();
    matching.by_neighbours();
    matching.found
}

struct Matching<'a> {
    residues: &'a [&'a Marks],
    documents: &'a [Option<Marks>],
    found: Vec<Match>,
    /// Which residues have no document yet.
    free: Vec<bool>,
}

impl<'a> Matching<'a> {
    fn set(&mut self, document: usize, found: Match) {
        if let Some(place) = self.found.get_mut(document) {
            *place = found;
        }
        if let Match::Is(residue) = found
            && let Some(free) = self.free.get_mut(residue)
        {
            *free = false;
        }
    }

    /// The documents that nothing is known of.
    fn left(&self) -> impl Iterator<Item = (usize, &'a Marks)> {
        let all = self.documents.iter().zip(&self.found).enumerate();
        all.filter(|(_, (_, found))| **found == Match::None)
            .filter_map(|(at, (document, _))| Some((at, document.as_ref()?)))
    }

    /// The residues that have no document.
    fn free(&self) -> impl Iterator<Item = (usize, &'a Marks)> {
        let all = self.residues.iter().zip(&self.free).enumerate();
        all.filter(|(_, (_, free))| **free).map(|(at, (residue, _))| (at, *residue))
    }

    fn by_text(&mut self) {
        let written = grouped(self.free().map(|(at, of)| (of.text, at)));
        for (text, same) in grouped(self.left().map(|(at, of)| (of.text, at))) {
            let Some(written) = written.get(&text) else { continue };
            let all = |at: &usize| self.residues.get(*at).map(|of| of.all);
            let alike = written.iter().all(|at| all(at) == written.first().and_then(all));
            // Sources that differ became the same: their order tells, if all are there.
            let clear = alike || written.len() <= same.len();
            for (place, document) in same.into_iter().enumerate() {
                // A copy says what was written, too.
                let residue = written.get(place).or(written.first().filter(|_| alike));
                let found = residue.filter(|_| clear).map_or(Match::Unclear, |at| Match::Is(*at));
                self.set(document, found);
            }
        }
    }

    fn by_tools(&mut self) {
        let tools = |(at, of): (usize, &'a Marks)| of.ids.iter().map(move |id| (*id, at));
        let documents = grouped(self.left().flat_map(tools));
        let residues = grouped(self.free().flat_map(tools));
        // The first that has one of the tools, and whether it is the only one.
        let sharing = |groups: &Groups, of: &Marks| {
            let mut all = of.ids.iter().filter_map(|id| groups.get(id)).flatten();
            let first = *all.next()?;
            Some((first, all.all(|other| *other == first)))
        };
        let found = self.left().filter_map(|(document, of)| {
            let (residue, only) = sharing(&residues, of)?;
            let theirs = self.residues.get(residue).and_then(|of| sharing(&documents, of));
            let both = only && theirs.is_some_and(|(_, only)| only);
            Some((document, if both { Match::Is(residue) } else { Match::Unclear }))
        });
        for (document, found) in found.collect::<Vec<_>>() {
            self.set(document, found);
        }
    }

    fn by_neighbours(&mut self) {
        let readable = self.documents.iter().zip(&self.found).enumerate();
        let readable = readable.filter(|(_, (document, _))| document.is_some());
        let order: Vec<_> = readable.map(|(at, (_, found))| (at, *found)).collect();
        for (place, (document, known)) in order.iter().enumerate() {
            let before = place.checked_sub(1).and_then(|before| order.get(before));
            let first = match before.map(|(_, found)| *found) {
                Some(Match::Is(before)) => before + 1,
                None => 0,
                Some(_) => continue,
            };
            let end = match order.get(place + 1).map(|(_, found)| *found) {
                Some(Match::Is(after)) => after,
                None => self.residues.len(),
                Some(_) => continue,
            };
            let is_free = self.free.get(first) == Some(&true);
            if *known == Match::None && is_free && first + 1 == end {
                self.set(*document, Match::Is(first));
            }
        }
    }
}

/// Numbers by what they have in common, in order.
type Groups = BTreeMap<u128, Vec<usize>>;

fn grouped(pairs: impl Iterator<Item = (u128, usize)>) -> Groups {
    let mut groups = Groups::new();
    pairs.for_each(|(mark, at)| groups.entry(mark).or_default().push(at));
    groups
}
