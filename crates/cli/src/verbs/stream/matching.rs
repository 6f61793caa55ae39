//! Matches the documents of a stream with their residues.

use std::collections::BTreeMap;

use toolglot::Residue;
use toolglot::core::sha256_hex;
use toolglot::json::Document;

/// Digests that identify the residue of a document.
pub(super) struct DocumentKey {
    /// The digest of its content.
    text: u128,
    /// The digests of its tool ids.
    ids: Vec<u128>,
}

impl DocumentKey {
    pub(super) fn new(document: &Document<'_>, ids: &[String]) -> Self {
        Self {
            text: parse_digest(&Residue::digest_of(document)),
            ids: ids.iter().map(|id| digest128(id)).collect(),
        }
    }
}

/// A document that a residue names.
pub(super) struct Slot {
    /// The index of the residue.
    pub(super) residue: usize,
    /// The digest of the document as it was written.
    text: u128,
    /// The digest of the whole residue.
    residue_digest: u128,
    /// The digests of the tool ids. Empty until a match needs them.
    ids: Vec<u128>,
}

impl Slot {
    /// Returns the documents of a residue, in the order of their names.
    pub(super) fn of_residue(residue: &Residue, number: usize) -> impl Iterator<Item = Self> {
        let all = digest128(&residue.to_json());
        residue.documents.values().map(move |digest| Self {
            residue: number,
            text: parse_digest(digest),
            residue_digest: all,
            ids: Vec::new(),
        })
    }
}

/// Returns the first 128 bits of a text's digest.
pub(super) fn digest128(text: &str) -> u128 {
    parse_digest(&sha256_hex(text.as_bytes()))
}

fn parse_digest(digest: &str) -> u128 {
    digest.get(..32).and_then(|digits| u128::from_str_radix(digits, 16).ok()).unwrap_or_default()
}

/// The result of matching a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    /// The index of the residue. If a document is given more often than it was written,
    /// `copy` numbers the additional ones from 1, and each copy is restored by itself.
    Residue { residue: usize, copy: usize },
    /// No residue belongs to the document.
    None,
    /// Several residues are possible, or another document may have the same one.
    Unclear,
}

/// Finds the residue of each document, in order. A document that cannot be read has no key.
/// `ids` returns the digests of the tool ids in a residue's documents, in the order of
/// their names.
///
/// An unchanged document has the residue that was written with it. An edited one has the
/// residue that shares a tool with it, if no other unmatched document or residue does. If
/// its tools were renamed, it may have the only residue between those of its neighbours.
/// Restoring fails if it does not contain most of the written values.
pub(super) fn matches(
    mut slots: Vec<Slot>,
    documents: &[Option<DocumentKey>],
    mut ids: impl FnMut(usize) -> Vec<Vec<u128>>,
) -> Vec<Match> {
    let mut matching = Matching {
        slots: &slots,
        documents,
        matches: vec![Match::None; documents.len()],
        free: vec![true; slots.len()],
    };
    matching.match_by_text();
    let Matching { matches: found, free, .. } = matching;
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
    let mut matching = Matching { slots: &slots, documents, matches: found, free };
    matching.match_by_tools();
    matching.match_by_neighbours();
    matching.matches
}

struct Matching<'a> {
    slots: &'a [Slot],
    documents: &'a [Option<DocumentKey>],
    matches: Vec<Match>,
    /// True for each slot without a document.
    free: Vec<bool>,
}

impl<'a> Matching<'a> {
    /// Sets the match of a document: a slot and the number of the copy, or unclear.
    fn set(&mut self, document: usize, slot: Option<usize>, copy: usize) {
        let found = slot.and_then(|slot| self.slots.get(slot));
        let found =
            found.map_or(Match::Unclear, |slot| Match::Residue { residue: slot.residue, copy });
        if let Some(place) = self.matches.get_mut(document) {
            *place = found;
        }
        if let Some(free) = slot.and_then(|slot| self.free.get_mut(slot)) {
            *free = false;
        }
    }

    /// Returns the documents without a match.
    fn unmatched(&self) -> impl Iterator<Item = (usize, &'a DocumentKey)> {
        let all = self.documents.iter().zip(&self.matches).enumerate();
        all.filter(|(_, (_, found))| **found == Match::None)
            .filter_map(|(at, (document, _))| Some((at, document.as_ref()?)))
    }

    /// Returns the slots without a document.
    fn free_slots(&self) -> impl Iterator<Item = (usize, &'a Slot)> {
        let all = self.slots.iter().zip(&self.free).enumerate();
        all.filter(|(_, (_, free))| **free).map(|(at, (slot, _))| (at, slot))
    }

    fn match_by_text(&mut self) {
        let written = group(self.free_slots().map(|(at, of)| (of.text, at)));
        for (text, same) in group(self.unmatched().map(|(at, of)| (of.text, at))) {
            let Some(written) = written.get(&text) else { continue };
            let all = |at: &usize| self.slots.get(*at).map(|of| of.residue_digest);
            let alike = written.iter().all(|at| all(at) == written.first().and_then(all));
            // Different sources became equal documents. Their order decides, if none is
            // missing.
            let clear = alike || written.len() <= same.len();
            for (place, document) in same.into_iter().enumerate() {
                // A copy of a document has the same content.
                let slot = written.get(place).or(written.first().filter(|_| alike));
                let copy = if place < written.len() { 0 } else { place - written.len() + 1 };
                self.set(document, slot.filter(|_| clear).copied(), copy);
            }
        }
    }

    fn match_by_tools(&mut self) {
        let documents =
            group(self.unmatched().flat_map(|(at, of)| of.ids.iter().map(move |id| (*id, at))));
        let slots =
            group(self.free_slots().flat_map(|(at, of)| of.ids.iter().map(move |id| (*id, at))));
        // Returns the first that shares a tool, and true if it is the only one.
        let sharing = |groups: &Groups, ids: &[u128]| {
            let mut all = ids.iter().filter_map(|id| groups.get(id)).flatten();
            let first = *all.next()?;
            Some((first, all.all(|other| *other == first)))
        };
        let found = self.unmatched().filter_map(|(document, of)| {
            let (slot, only) = sharing(&slots, &of.ids)?;
            let theirs = self.slots.get(slot).and_then(|of| sharing(&documents, &of.ids));
            let both = only && theirs.is_some_and(|(_, only)| only);
            Some((document, both.then_some(slot)))
        });
        for (document, slot) in found.collect::<Vec<_>>() {
            self.set(document, slot, 0);
        }
    }

    /// Guesses a residue only if it names a single document and is the only one between
    /// those of the neighbours. Restoring checks the guess.
    fn match_by_neighbours(&mut self) {
        let readable = self.documents.iter().zip(&self.matches).enumerate();
        let readable = readable.filter(|(_, (document, _))| document.is_some());
        let order: Vec<_> = readable.map(|(at, (_, found))| (at, *found)).collect();
        let count = self.slots.last().map_or(0, |slot| slot.residue + 1);
        for (place, (document, known)) in order.iter().enumerate() {
            let before = place.checked_sub(1).and_then(|before| order.get(before));
            let first = match before.map(|(_, found)| *found) {
                Some(Match::Residue { residue, .. }) => residue + 1,
                None => 0,
                Some(_) => continue,
            };
            let end = match order.get(place + 1).map(|(_, found)| *found) {
                Some(Match::Residue { residue, .. }) => residue,
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

/// Indexes in order, grouped by digest.
type Groups = BTreeMap<u128, Vec<usize>>;

fn group(pairs: impl Iterator<Item = (u128, usize)>) -> Groups {
    let mut groups = Groups::new();
    pairs.for_each(|(mark, at)| groups.entry(mark).or_default().push(at));
    groups
}
