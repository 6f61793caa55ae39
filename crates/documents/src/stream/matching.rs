//! Which residue belongs to which document of a stream.

use std::collections::BTreeMap;

use toolglot::Residue;
use toolglot::core::sha256_hex;
use toolglot::json::Document;

/// Digests of what tells the residue of a document.
pub(super) struct Marks {
    /// Of what it says.
    text: u128,
    /// Of the ids of its tools.
    ids: Vec<u128>,
}

impl Marks {
    /// Of a document with these ids.
    pub(super) fn of(document: &Document<'_>, ids: &[String]) -> Self {
        Self {
            text: number_of(&Residue::digest_of(document)),
            ids: ids.iter().map(|id| print(id)).collect(),
        }
    }
}

/// A document that a residue names.
pub(super) struct Slot {
    /// Which of the residues.
    pub(super) residue: usize,
    /// A digest of what it said.
    text: u128,
    /// A digest of all that the residue says.
    all: u128,
    /// Digests of the ids of its tools, once they are known.
    ids: Vec<u128>,
}

impl Slot {
    /// The documents of a residue, in the order of their names.
    pub(super) fn all(residue: &Residue, number: usize) -> impl Iterator<Item = Self> {
        let all = print(&residue.to_json());
        residue.documents.values().map(move |digest| Self {
            residue: number,
            text: number_of(digest),
            all,
            ids: Vec::new(),
        })
    }
}

/// The first 128 bits of a digest.
pub(super) fn print(text: &str) -> u128 {
    number_of(&sha256_hex(text.as_bytes()))
}

fn number_of(digest: &str) -> u128 {
    digest.get(..32).and_then(|digits| u128::from_str_radix(digits, 16).ok()).unwrap_or_default()
}

/// What is known of the residue of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    /// The residue with that number, and how many others say the same before it: a copy
    /// is restored by itself.
    Is { residue: usize, copy: usize },
    /// There is none.
    None,
    /// It may be one of several, or that of another document.
    Unclear,
}

/// The residue of each document, in order. What cannot be read has no marks. `ids` tells
/// the ids of a residue's documents, in the order of their names.
///
/// A document that says what was written has the residue that was written with it. One
/// that was edited has that of its tools, if both are the only ones left with such a
/// tool. One whose tools have other ids now may have the one residue that is left between
/// those of its neighbours; restoring tells whether it still says most of what was
/// written.
pub(super) fn matches(
    mut slots: Vec<Slot>,
    documents: &[Option<Marks>],
    mut ids: impl FnMut(usize) -> Vec<Vec<u128>>,
) -> Vec<Match> {
    let mut matching = Matching {
        slots: &slots,
        documents,
        found: vec![Match::None; documents.len()],
        free: vec![true; slots.len()],
    };
    matching.by_text();
    let Matching { found, free, .. } = matching;
    let open = documents.iter().zip(&found).any(|(d, f)| d.is_some() && *f == Match::None);
    if open {
        let first_free = free.iter().enumerate().filter(|(_, free)| **free);
        let residues: Vec<usize> =
            first_free.filter_map(|(at, _)| Some(slots.get(at)?.residue)).collect();
        let mut known = None;
        for residue in residues {
            if known != Some(residue) {
                known = Some(residue);
                let first = slots.partition_point(|slot| slot.residue < residue);
                let own = slots.iter_mut().skip(first);
                own.zip(ids(residue)).for_each(|(slot, ids)| slot.ids = ids);
            }
        }
    }
    let mut matching = Matching { slots: &slots, documents, found, free };
    matching.by_tools();
    matching.by_neighbours();
    matching.found
}

struct Matching<'a> {
    slots: &'a [Slot],
    documents: &'a [Option<Marks>],
    found: Vec<Match>,
    /// Which slots have no document yet.
    free: Vec<bool>,
}

impl<'a> Matching<'a> {
    /// Gives a document what is known of it: a slot, and which copy it is.
    fn set(&mut self, document: usize, slot: Option<usize>, copy: usize) {
        let found = slot.and_then(|slot| self.slots.get(slot));
        let found = found.map_or(Match::Unclear, |slot| Match::Is { residue: slot.residue, copy });
        if let Some(place) = self.found.get_mut(document) {
            *place = found;
        }
        if let Some(free) = slot.and_then(|slot| self.free.get_mut(slot)) {
            *free = false;
        }
    }

    /// The documents that nothing is known of.
    fn left(&self) -> impl Iterator<Item = (usize, &'a Marks)> {
        let all = self.documents.iter().zip(&self.found).enumerate();
        all.filter(|(_, (_, found))| **found == Match::None)
            .filter_map(|(at, (document, _))| Some((at, document.as_ref()?)))
    }

    /// The slots that have no document.
    fn free(&self) -> impl Iterator<Item = (usize, &'a Slot)> {
        let all = self.slots.iter().zip(&self.free).enumerate();
        all.filter(|(_, (_, free))| **free).map(|(at, (slot, _))| (at, slot))
    }

    fn by_text(&mut self) {
        let written = grouped(self.free().map(|(at, of)| (of.text, at)));
        for (text, same) in grouped(self.left().map(|(at, of)| (of.text, at))) {
            let Some(written) = written.get(&text) else { continue };
            let all = |at: &usize| self.slots.get(*at).map(|of| of.all);
            let alike = written.iter().all(|at| all(at) == written.first().and_then(all));
            // Sources that differ became the same: their order tells, if all are there.
            let clear = alike || written.len() <= same.len();
            for (place, document) in same.into_iter().enumerate() {
                // A copy says what was written, too.
                let slot = written.get(place).or(written.first().filter(|_| alike));
                let copy = if place < written.len() { 0 } else { place - written.len() + 1 };
                self.set(document, slot.filter(|_| clear).copied(), copy);
            }
        }
    }

    fn by_tools(&mut self) {
        let documents =
            grouped(self.left().flat_map(|(at, of)| of.ids.iter().map(move |id| (*id, at))));
        let slots =
            grouped(self.free().flat_map(|(at, of)| of.ids.iter().map(move |id| (*id, at))));
        // The first that has one of the tools, and whether it is the only one.
        let sharing = |groups: &Groups, ids: &[u128]| {
            let mut all = ids.iter().filter_map(|id| groups.get(id)).flatten();
            let first = *all.next()?;
            Some((first, all.all(|other| *other == first)))
        };
        let found = self.left().filter_map(|(document, of)| {
            let (slot, only) = sharing(&slots, &of.ids)?;
            let theirs = self.slots.get(slot).and_then(|of| sharing(&documents, &of.ids));
            let both = only && theirs.is_some_and(|(_, only)| only);
            Some((document, both.then_some(slot)))
        });
        for (document, slot) in found.collect::<Vec<_>>() {
            self.set(document, slot, 0);
        }
    }

    /// Only a residue of one document is guessed: whether the guess is right shows when
    /// it is restored.
    fn by_neighbours(&mut self) {
        let readable = self.documents.iter().zip(&self.found).enumerate();
        let readable = readable.filter(|(_, (document, _))| document.is_some());
        let order: Vec<_> = readable.map(|(at, (_, found))| (at, *found)).collect();
        let count = self.slots.last().map_or(0, |slot| slot.residue + 1);
        for (place, (document, known)) in order.iter().enumerate() {
            let before = place.checked_sub(1).and_then(|before| order.get(before));
            let first = match before.map(|(_, found)| *found) {
                Some(Match::Is { residue, .. }) => residue + 1,
                None => 0,
                Some(_) => continue,
            };
            let end = match order.get(place + 1).map(|(_, found)| *found) {
                Some(Match::Is { residue, .. }) => residue,
                None => count,
                Some(_) => continue,
            };
            let slot = self.slots.partition_point(|slot| slot.residue < first);
            let of = |slot: usize| self.slots.get(slot).map(|slot| slot.residue);
            let is_alone = of(slot) == Some(first) && of(slot + 1) != Some(first);
            let is_free = self.free.get(slot) == Some(&true);
            if *known == Match::None && is_alone && is_free && first + 1 == end {
                self.set(*document, Some(slot), 0);
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
