//! Collects the words of an index while it is built.

use std::collections::BTreeMap;

/// An entry that contains a word, and the weight of the word in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Posting {
    pub(super) entry: u32,
    pub(super) weight: u8,
}

/// The words of an index while it is built, with their postings.
#[derive(Default)]
pub(super) struct TermCollector {
    pub(super) ids: BTreeMap<Box<str>, u32>,
    words: Vec<Box<str>>,
    pub(super) lists: Vec<Vec<Posting>>,
    /// A cache of recent lookups, indexed by a hash of the word. Most words are common, and
    /// a `BTreeMap`, which no input can slow down, is not the fastest map.
    recent: Vec<u32>,
}

/// The number of slots in the cache.
const CACHE_SLOTS: usize = 1 << 15;

impl TermCollector {
    pub(super) fn id(&mut self, word: &str) -> u32 {
        self.recent.resize(CACHE_SLOTS, u32::MAX);
        let print = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |print, byte| {
            (print ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let place = usize::try_from(print >> 32).unwrap_or(0) % CACHE_SLOTS;
        let lately = self.recent.get(place).copied().unwrap_or(u32::MAX);
        if self.words.get(lately as usize).is_some_and(|known| **known == *word) {
            return lately;
        }
        let id = if let Some(id) = self.ids.get(word) {
            *id
        } else {
            let id = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
            self.ids.insert(word.into(), id);
            self.words.push(word.into());
            self.lists.push(Vec::new());
            id
        };
        if let Some(slot) = self.recent.get_mut(place) {
            *slot = id;
        }
        id
    }

    pub(super) fn add_posting(&mut self, word: u32, posting: Posting) {
        if let Some(list) = self.lists.get_mut(word as usize) {
            list.push(posting);
        }
    }
}
