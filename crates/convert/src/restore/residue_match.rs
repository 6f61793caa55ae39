//! Matches the documents of a stream with their residues.
//!
//! The digest of a document that a residue records, and the ids of the tools that were written,
//! identify its residue. Nothing else does: a document that several residues may belong to gets
//! none of them.
//! [`match_documents`](super::matching::match_documents) then matches the documents of one
//! residue, and fails if they are not related to it.

use std::collections::BTreeMap;

use json_text::Document;
use manifest_core::descriptor::ToolDescriptor;
use manifest_core::{Formats, Limits, sha256_hex};

use crate::convert::convert_without_inputs;
use crate::output::digest;
use crate::residue::Residue;

/// What identifies the residue of a document: digests of its content, and of its tools' ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentKey {
    digest: u128,
    tools: Vec<u128>,
}

impl DocumentKey {
    /// Returns the key of a document with these tools.
    pub fn new(document: &Document<'_>, tools: &[ToolDescriptor<'_>]) -> Self {
        let tools = tools.iter().map(|tool| digest128(&tool.id)).collect();
        Self { digest: parse_digest(&digest(document)), tools }
    }
}

/// Returns the first 128 bits of a text's digest.
fn digest128(text: &str) -> u128 {
    parse_digest(&sha256_hex(text.as_bytes()))
}

fn parse_digest(digest: &str) -> u128 {
    digest.get(..32).and_then(|digits| u128::from_str_radix(digits, 16).ok()).unwrap_or_default()
}

/// The residue of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResidueMatch {
    /// A residue, by its number.
    Residue {
        /// The number of the residue.
        residue: usize,
        /// If a document is given more often than it was written, numbers the additional ones
        /// from 1. Each copy is restored by itself.
        copy: usize,
    },
    /// No residue belongs to the document.
    None,
    /// Several residues are possible, or another document may have the same one.
    Unclear,
}

/// The documents that residues record. Memory holds digests, not the residues.
#[derive(Clone, Debug, Default)]
pub struct ResidueIndex {
    records: Vec<RecordedDocument>,
    /// The number of residues.
    residues: usize,
}

/// A document that a residue records.
#[derive(Clone, Debug)]
struct RecordedDocument {
    /// The number of the residue.
    residue: usize,
    /// The digest of the whole residue.
    residue_digest: u128,
    /// The digest of the name of its file.
    name: u128,
    /// The digests of the ids are empty until a document without a match needs them.
    key: DocumentKey,
}

impl ResidueIndex {
    /// Adds a residue, under the number of residues added before.
    pub fn add(&mut self, residue: &Residue) {
        let residue_digest = digest128(&residue.to_json());
        for (name, digest) in &residue.documents {
            let key = DocumentKey { digest: parse_digest(digest), tools: Vec::new() };
            let (residue, name) = (self.residues, digest128(name));
            self.records.push(RecordedDocument { residue, residue_digest, name, key });
        }
        self.residues += 1;
    }

    /// Finds the residue of each document, in order. A document that cannot be read has no key,
    /// and no residue.
    ///
    /// An unchanged document has the residue that records its digest. An edited one has the
    /// residue that wrote a tool of one of its ids, if no other unmatched document or residue
    /// has one. `read` returns the residue of a number again, to find those ids.
    pub fn match_documents(
        mut self,
        documents: &[Option<DocumentKey>],
        formats: Formats<'_>,
        limits: &Limits,
        mut read: impl FnMut(usize) -> Option<Residue>,
    ) -> Vec<ResidueMatch> {
        let matching = self.matching(documents).match_by_digest(documents);
        let (matches, is_free) = (matching.matches, matching.is_free);
        let is_open = |(key, found): (&Option<DocumentKey>, &ResidueMatch)| {
            key.is_some() && *found == ResidueMatch::None
        };
        if documents.iter().zip(&matches).any(is_open) {
            self.find_tools(&is_free, formats, limits, &mut read);
        }
        let matching = ResidueMatching { records: &self.records, matches, is_free };
        matching.match_by_tools(documents).matches
    }

    fn matching(&self, documents: &[Option<DocumentKey>]) -> ResidueMatching<'_> {
        ResidueMatching {
            records: &self.records,
            matches: vec![ResidueMatch::None; documents.len()],
            is_free: vec![true; self.records.len()],
        }
    }

    /// Finds the ids of the tools in the recorded documents that have no match.
    fn find_tools(
        &mut self,
        is_free: &[bool],
        formats: Formats<'_>,
        limits: &Limits,
        read: &mut impl FnMut(usize) -> Option<Residue>,
    ) {
        let mut known: Option<(usize, BTreeMap<u128, Vec<u128>>)> = None;
        for (record, is_free) in self.records.iter_mut().zip(is_free) {
            if !is_free {
                continue;
            }
            if known.as_ref().is_none_or(|(residue, _)| *residue != record.residue) {
                let residue = read(record.residue);
                let tools = residue.and_then(|residue| written_tools(&residue, formats, limits));
                known = Some((record.residue, tools.unwrap_or_default()));
            }
            if let Some((_, tools)) = &mut known {
                record.key.tools = tools.remove(&record.name).unwrap_or_default();
            }
        }
    }
}

/// Returns digests of the tool ids in the documents of a residue, by digests of their file names.
/// The source is converted again to get the ids.
fn written_tools(
    residue: &Residue,
    formats: Formats<'_>,
    limits: &Limits,
) -> Option<BTreeMap<u128, Vec<u128>>> {
    let [from, to] = residue.formats(formats).ok()?;
    let text = residue.source_text();
    let source = Document::parse(text.as_bytes(), limits).ok()?;
    let options = residue.options.to_options(limits);
    let conversion = convert_without_inputs(&source, from, to, &options).ok()?;
    let mut written: BTreeMap<u128, Vec<u128>> = BTreeMap::new();
    for tool in &conversion.tools {
        if let Some(document) = conversion.documents.get(tool.document) {
            let name = digest128(&document.name);
            written.entry(name).or_default().push(digest128(&tool.target));
        }
    }
    Some(written)
}

/// Numbers in order, grouped by digest.
type Groups = BTreeMap<u128, Vec<usize>>;

/// Returns the first number that shares a digest, and true if it is the only one.
fn sharing(groups: &Groups, digests: &[u128]) -> Option<(usize, bool)> {
    let mut all = digests.iter().filter_map(|digest| groups.get(digest)).flatten();
    let first = *all.next()?;
    Some((first, all.all(|other| *other == first)))
}

struct ResidueMatching<'r> {
    records: &'r [RecordedDocument],
    matches: Vec<ResidueMatch>,
    /// True for each record without a document.
    is_free: Vec<bool>,
}

impl ResidueMatching<'_> {
    fn match_by_digest(mut self, documents: &[Option<DocumentKey>]) -> Self {
        let recorded = self.group_records(|key| vec![key.digest]);
        for (digest, equal) in self.group_documents(documents, |key| vec![key.digest]) {
            let Some(recorded) = recorded.get(&digest) else { continue };
            let mut residues = recorded.iter().filter_map(|record| self.records.get(*record));
            let first = residues.next().map(|record| record.residue_digest);
            let is_one = residues.all(|record| Some(record.residue_digest) == first);
            // Different sources may become equal documents. If none of these is missing, it
            // does not matter which is which.
            let is_clear = is_one || recorded.len() <= equal.len();
            for (place, document) in equal.into_iter().enumerate() {
                let record = match recorded.get(place) {
                    Some(record) if is_clear => Some((*record, 0)),
                    None if is_one => {
                        let copy = place + 1 - recorded.len();
                        recorded.first().map(|record| (*record, copy))
                    }
                    _ => None,
                };
                self.set(document, record);
            }
        }
        self
    }

    fn match_by_tools(mut self, documents: &[Option<DocumentKey>]) -> Self {
        let recorded = self.group_records(|key| key.tools.clone());
        let given = self.group_documents(documents, |key| key.tools.clone());
        let mut found = Vec::new();
        for (number, (key, known)) in documents.iter().zip(&self.matches).enumerate() {
            if let Some(key) = key
                && *known == ResidueMatch::None
                && let Some((record, is_only)) = sharing(&recorded, &key.tools)
            {
                let of_record = self.records.get(record);
                let back = of_record.and_then(|record| sharing(&given, &record.key.tools));
                let is_clear = is_only && back.is_some_and(|(_, is_only)| is_only);
                found.push((number, is_clear.then_some((record, 0))));
            }
        }
        for (document, record) in found {
            self.set(document, record);
        }
        self
    }

    /// Sets the match of a document: a record and the number of the copy, or unclear.
    fn set(&mut self, document: usize, record: Option<(usize, usize)>) {
        let Some(found) = self.matches.get_mut(document) else { return };
        *found = ResidueMatch::Unclear;
        let Some((record, copy)) = record else { return };
        if let Some(recorded) = self.records.get(record)
            && let Some(is_free) = self.is_free.get_mut(record)
        {
            *found = ResidueMatch::Residue { residue: recorded.residue, copy };
            *is_free = false;
        }
    }

    /// Groups the records without a document by parts of their keys.
    fn group_records(&self, parts: fn(&DocumentKey) -> Vec<u128>) -> Groups {
        let mut groups: Groups = BTreeMap::new();
        for (number, record) in self.records.iter().enumerate() {
            if self.is_free.get(number) == Some(&true) {
                for part in parts(&record.key) {
                    groups.entry(part).or_default().push(number);
                }
            }
        }
        groups
    }

    /// Groups the documents without a match by parts of their keys.
    fn group_documents(
        &self,
        documents: &[Option<DocumentKey>],
        parts: fn(&DocumentKey) -> Vec<u128>,
    ) -> Groups {
        let mut groups: Groups = BTreeMap::new();
        for (number, (key, found)) in documents.iter().zip(&self.matches).enumerate() {
            if let Some(key) = key
                && *found == ResidueMatch::None
            {
                for part in parts(key) {
                    groups.entry(part).or_default().push(number);
                }
            }
        }
        groups
    }
}
