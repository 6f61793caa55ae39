//! Scores of entries for a query.

/// The bonus for a name that equals the query.
const EXACT_NAME_BONUS: u32 = 1 << 24;

/// The scores of entries for a query. Only entries that match cost time.
pub(super) struct Scores {
    /// The score of each entry, summed over all words.
    sums: Vec<u32>,
    /// The part of the score that comes from the current word.
    of_word: Vec<u32>,
    /// The number of the last word that matched, and how many words matched.
    word_counts: Vec<(u8, u8)>,
    /// The entries that match at least one word.
    pub(super) matches: Vec<u32>,
}

impl Scores {
    pub(super) fn new(count: usize) -> Self {
        Self {
            sums: vec![0; count],
            of_word: vec![0; count],
            word_counts: vec![(0, 0); count],
            matches: Vec::new(),
        }
    }

    pub(super) fn score(&self, entry: u32) -> u32 {
        self.sums.get(entry as usize).copied().unwrap_or(0)
    }

    pub(super) fn words(&self, entry: u32) -> u8 {
        self.word_counts.get(entry as usize).map_or(0, |(_, words)| *words)
    }

    /// Adds a match of a word. If the word matches in several ways, only the best one
    /// counts.
    pub(super) fn add_match(&mut self, entry: u32, word: u8, worth: u32) {
        let at = entry as usize;
        let (Some(mark), Some(best), Some(sum)) =
            (self.word_counts.get_mut(at), self.of_word.get_mut(at), self.sums.get_mut(at))
        else {
            return;
        };
        if mark.0 != word {
            if mark.1 == 0 {
                self.matches.push(entry);
            }
            *mark = (word, mark.1.saturating_add(1));
            *best = 0;
        }
        if worth > *best {
            *sum = sum.saturating_add(worth - *best);
            *best = worth;
        }
    }

    /// Adds an entry whose name equals the query.
    pub(super) fn add_exact_name(&mut self, entry: u32) {
        if self.words(entry) == 0 {
            self.add_match(entry, u8::MAX, 0);
        }
        if let Some(sum) = self.sums.get_mut(entry as usize) {
            *sum = sum.saturating_add(EXACT_NAME_BONUS);
        }
    }
}
