//! Full-text search over tools: an index in memory.
//!
//! A word of a query matches the same word, words that begin with it and, if there are
//! none, words with one or two typing errors. A match in a name counts more than one in a
//! description, and a rare word more than a common one. The order of results is
//! deterministic, so that pages do not overlap.
//!
//! ```
//! use toolglot_jumith::search::{SearchEntry, Index, Query};
//!
//! let index = Index::build([
//!     SearchEntry { name: "email.send", summary: "Send transactional email", ..SearchEntry::default() },
//!     SearchEntry { name: "sms.send", summary: "Send a text message", ..SearchEntry::default() },
//! ]);
//! let found = |q| index.search(&Query { q, limit: 10, ..Query::default() });
//! assert_eq!(found("send").total, 2);
//! assert_eq!(found("emial").entries, [0], "a slip");
//! assert_eq!(found("mess").entries, [1], "the beginning of a word");
//! ```

mod fuzzy;
mod scores;
mod terms;
mod words;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use manifest_core::json::Span;
use manifest_core::some_or_bug;

use scores::Scores;
use terms::{Posting, TermCollector};
use words::{fold, words};

/// The searchable texts of a tool.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchEntry<'e> {
    /// The name for people.
    pub name: &'e str,
    /// One sentence.
    pub summary: &'e str,
    /// The longer text.
    pub description: &'e str,
    /// The tags.
    pub tags: &'e [&'e str],
}

/// A query.
#[derive(Clone, Copy, Debug, Default)]
pub struct Query<'q> {
    /// The words. If empty, all entries that have one of the tags match.
    pub q: &'q str,
    /// Tags. An entry must have one of them; case is ignored.
    pub tags: &'q [&'q str],
    /// The number of entries to skip.
    pub offset: usize,
    /// The maximum number of entries to return.
    pub limit: usize,
}

/// A page of search results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchPage {
    /// The entries of this page, best first, by their position in the input of the index.
    pub entries: Vec<usize>,
    /// The number of matching entries on all pages.
    pub total: usize,
}

/// An index of entries.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// All words, sorted and concatenated.
    text: String,
    terms: Vec<Term>,
    /// The postings of all words, in the order of the words.
    postings: Vec<Posting>,
    /// The entries of each folded name.
    names: BTreeMap<String, Vec<u32>>,
    /// The entries of each folded tag.
    tags: BTreeMap<String, Vec<u32>>,
    count: usize,
}

/// The ends of a word's text and postings. Both begin at the ends of the word before.
#[derive(Clone, Copy, Debug)]
struct Term {
    text_end: u32,
    postings_end: u32,
}

/// The weights of a word by the field that contains it.
const NAME: u8 = 24;
const TAG: u8 = 12;
const SUMMARY: u8 = 8;
const DESCRIPTION: u8 = 2;

/// The maximum number of words of a query. Further words are ignored.
const MAX_QUERY_WORDS: usize = 16;

impl Index {
    /// Builds an index. Equally good entries are found in the order given here.
    pub fn build<'e>(entries: impl IntoIterator<Item = SearchEntry<'e>>) -> Self {
        let mut index = Self::default();
        let mut known = TermCollector::default();
        let mut found: Vec<(u32, u8)> = Vec::new();
        // More entries than fit 32 bits do not fit memory either.
        for (number, entry) in (0_u32..).zip(entries) {
            index.count += 1;
            index.names.entry(fold(entry.name.trim())).or_default().push(number);
            words(entry.name, true, |word| found.push((known.id(word), NAME)));
            words(entry.summary, false, |word| found.push((known.id(word), SUMMARY)));
            words(entry.description, false, |word| found.push((known.id(word), DESCRIPTION)));
            for tag in entry.tags {
                words(tag, true, |word| found.push((known.id(word), TAG)));
                let list = index.tags.entry(fold(tag.trim())).or_default();
                if list.last() != Some(&number) {
                    list.push(number);
                }
            }
            // The best field gives the weight; each further occurrence adds 1.
            found.sort_unstable_by_key(|(word, weight)| (*word, Reverse(*weight)));
            let mut words = found.drain(..).peekable();
            while let Some((word, mut weight)) = words.next() {
                while words.next_if(|(next, _)| *next == word).is_some() {
                    weight = weight.saturating_add(1).min(NAME + 8);
                }
                known.add_posting(word, Posting { entry: number, weight });
            }
        }
        index.postings.reserve_exact(known.lists.iter().map(Vec::len).sum());
        for (word, id) in &known.ids {
            index.text.push_str(word);
            if let Some(list) = known.lists.get(*id as usize) {
                index.postings.extend(list);
            }
            index.terms.push(Term {
                text_end: u32::try_from(index.text.len()).unwrap_or(u32::MAX),
                postings_end: u32::try_from(index.postings.len()).unwrap_or(u32::MAX),
            });
        }
        index
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns true if the index has no entries.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Iterates over the folded tags with their numbers of entries.
    pub fn tags(&self) -> impl Iterator<Item = (&str, usize)> {
        self.tags.iter().map(|(tag, list)| (tag.as_str(), list.len()))
    }

    /// Searches the index.
    pub fn search(&self, query: &Query<'_>) -> SearchPage {
        let allowed = self.entries_with_tags(query.tags);
        let mut hits: Vec<(Reverse<u32>, u32)> = Vec::new();
        if query.q.trim().is_empty() {
            // Without words, all entries match, in order.
            for (entry, is_allowed) in (0..).zip(&allowed) {
                if *is_allowed {
                    hits.push((Reverse(0), entry));
                }
            }
        } else {
            let mut scores = self.scores(query.q);
            scores.matches.retain(|entry| allowed.get(*entry as usize) == Some(&true));
            // Only the entries that match the most words are kept.
            let most = scores.matches.iter().map(|entry| scores.words(*entry)).max().unwrap_or(0);
            for entry in &scores.matches {
                if scores.words(*entry) == most {
                    hits.push((Reverse(scores.score(*entry)), *entry));
                }
            }
        }
        let total = hits.len();
        let end = query.offset.saturating_add(query.limit).min(total);
        if end < total && end > 0 {
            hits.select_nth_unstable(end - 1);
        }
        hits.truncate(end);
        hits.sort_unstable();
        let page = hits.into_iter().skip(query.offset).map(|(_, entry)| entry as usize);
        SearchPage { entries: page.collect(), total }
    }

    /// Marks the entries that have one of the tags, or all entries if there are no tags.
    fn entries_with_tags(&self, tags: &[&str]) -> Vec<bool> {
        let mut allowed = vec![tags.is_empty(); self.count];
        for tag in tags {
            let Some(entries) = self.tags.get(&fold(tag.trim())) else { continue };
            for entry in entries {
                if let Some(slot) = allowed.get_mut(*entry as usize) {
                    *slot = true;
                }
            }
        }
        allowed
    }

    /// Scores the entries for a query.
    fn scores(&self, q: &str) -> Scores {
        let mut asked: Vec<String> = Vec::new();
        words(q, false, |word| {
            if asked.len() < MAX_QUERY_WORDS && !asked.iter().any(|known| known == word) {
                asked.push(word.to_owned());
            }
        });
        let mut scores = Scores::new(self.count);
        for (number, word) in (1_u8..).zip(&asked) {
            let terms = self.matching_terms(word);
            let holders: usize = terms.iter().map(|(term, _)| self.postings_of(*term).len()).sum();
            let rarity = 1 + (self.count.max(1) / holders.max(1)).checked_ilog2().unwrap_or(0);
            for (term, quality) in terms {
                for posting in self.postings_of(term) {
                    let worth = u32::from(posting.weight) * quality * rarity;
                    scores.add_match(posting.entry, number, worth);
                }
            }
        }
        if let Some(entries) = self.names.get(&fold(q.trim())) {
            for entry in entries {
                scores.add_exact_name(*entry);
            }
        }
        scores
    }

    /// Returns the terms that match a word of a query, each with its quality: the word
    /// itself and words that begin with it or, if there are none, words with few typing
    /// errors.
    fn matching_terms(&self, word: &str) -> Vec<(usize, u32)> {
        let start = self.partition_point(|term| term < word);
        let end = self.partition_point(|term| term < word || term.starts_with(word));
        let length = word.chars().count();
        let mut terms: Vec<(usize, u32)> = Vec::new();
        for term in start..end {
            let quality = match self.word(term).chars().count() - length {
                0 => 16,
                more @ 1..=5 => 10 - more,
                _ => 4,
            };
            terms.push((term, u32::try_from(quality).unwrap_or(4)));
        }
        let slips = match length {
            0..=3 => 0,
            4..=7 => 1,
            _ => 2,
        };
        if terms.is_empty() {
            let word_at = |term| self.word(term);
            fuzzy::find_similar(self.terms.len(), word_at, word, slips, |term, slips| {
                terms.push((term, if slips == 1 { 5 } else { 3 }));
            });
        }
        terms
    }

    /// Returns the first term for which `holds` is false. It must be true for all terms
    /// before.
    fn partition_point(&self, holds: impl Fn(&str) -> bool) -> usize {
        fuzzy::partition_point(0, self.terms.len(), |term| holds(self.word(term)))
    }

    fn word(&self, term: usize) -> &str {
        let [start, end] = self.bounds(term, |term| term.text_end);
        Span { start, end }.slice(&self.text)
    }

    fn postings_of(&self, term: usize) -> &[Posting] {
        let [start, end] = self.bounds(term, |term| term.postings_end);
        some_or_bug(self.postings.get(start..end))
    }

    /// Returns the end of the term before, and the end of a term.
    fn bounds(&self, term: usize, end: fn(&Term) -> u32) -> [usize; 2] {
        let start = match term.checked_sub(1) {
            Some(before) => self.terms.get(before).map_or(0, end),
            None => 0,
        };
        [start, self.terms.get(term).map_or(start, end)].map(|end| end as usize)
    }
}
