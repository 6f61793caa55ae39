//! Finds words with one or two typing errors.
//!
//! The words are sorted, so words with a common beginning are neighbours. The distances for
//! a common beginning are computed once. If a beginning already differs too much, all words
//! that have it are skipped.

/// Calls `found` for each of `count` sorted words whose distance from `word` is at least 1
/// and at most `most`. A letter that is added, left out, replaced, or swapped with its
/// neighbour is a distance of 1.
pub(super) fn find_similar<'t>(
    count: usize,
    word_at: impl Fn(usize) -> &'t str,
    word: &str,
    most: u8,
    mut found: impl FnMut(usize, u8),
) {
    if most == 0 {
        return;
    }
    let wanted: Vec<char> = word.chars().collect();
    // Row `n` has the distances for the first `n` letters of the current word.
    let mut rows: Vec<Vec<u8>> = vec![(0..=u8::MAX).take(wanted.len() + 1).collect()];
    let mut letters: Vec<char> = Vec::new();
    let mut at = 0;
    while at < count {
        let candidate = word_at(at);
        let common = candidate.chars().zip(&letters).take_while(|(a, b)| a == *b).count();
        letters.truncate(common);
        rows.truncate(common + 1);
        let mut next = at + 1;
        let mut end: usize = candidate.chars().take(common).map(char::len_utf8).sum();
        let mut is_near = true;
        for letter in candidate.chars().skip(common) {
            let row = next_row(&rows, &letters, letter, &wanted);
            letters.push(letter);
            rows.push(row);
            end += letter.len_utf8();
            if is_hopeless(&rows, most) {
                let beginning = candidate.get(..end).unwrap_or(candidate);
                next = partition_point(at, count, |other| word_at(other).starts_with(beginning));
                is_near = false;
                break;
            }
        }
        if is_near
            && let Some(row) = rows.last()
            && let Some(distance) = row.last()
            && (1..=most).contains(distance)
        {
            found(at, *distance);
        }
        at = next;
    }
}

/// Returns the row of distances for one more letter.
fn next_row(rows: &[Vec<u8>], letters: &[char], letter: char, wanted: &[char]) -> Vec<u8> {
    let above = rows.last();
    let two_above = rows.len().checked_sub(2).and_then(|index| rows.get(index));
    let mut row: Vec<u8> = Vec::with_capacity(wanted.len() + 1);
    row.push(distance_at(above, 0).saturating_add(1));
    let mut before: Option<char> = None;
    for (column, c) in (1..).zip(wanted) {
        let same = u8::from(*c != letter);
        let left = row.last().copied().unwrap_or(u8::MAX).saturating_add(1);
        let up = distance_at(above, column).saturating_add(1);
        let replaced = distance_at(above, column - 1).saturating_add(same);
        let mut best = left.min(up).min(replaced);
        if before == Some(letter) && letters.last() == Some(c) {
            best = best.min(distance_at(two_above, column - 2).saturating_add(1));
        }
        row.push(best);
        before = Some(*c);
    }
    row
}

fn distance_at(row: Option<&Vec<u8>>, column: usize) -> u8 {
    row.and_then(|row| row.get(column)).copied().unwrap_or(u8::MAX)
}

/// Returns true if no word with this beginning can be near enough. The row before the last
/// counts too, because a swap of two letters continues from it.
fn is_hopeless(rows: &[Vec<u8>], most: u8) -> bool {
    let (last, before) = match rows {
        [.., before, last] => (least(last), least(before)),
        [last] => (least(last), u8::MAX),
        [] => return false,
    };
    last > most && before.saturating_add(1) > most
}

fn least(row: &[u8]) -> u8 {
    row.iter().min().copied().unwrap_or(u8::MAX)
}

/// Returns the first index from `start` for which `holds` is false. It must be true for all
/// indices before.
pub(super) fn partition_point(start: usize, end: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (start, end);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the optimal string alignment distance with a full matrix.
    fn distance(a: &str, b: &str) -> usize {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        let mut d = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                d[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let cost = usize::from(a[i - 1] != b[j - 1]);
                    let mut best =
                        (d[i - 1][j] + 1).min(d[i][j - 1] + 1).min(d[i - 1][j - 1] + cost);
                    if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                        best = best.min(d[i - 2][j - 2] + 1);
                    }
                    best
                };
            }
        }
        d[a.len()][b.len()]
    }

    #[test]
    fn the_same_as_comparing_every_word() {
        // All words of up to five letters of a small alphabet, and some with other letters.
        let mut words: Vec<String> = vec!["é".into(), "éa".into(), "ab\u{1f600}".into()];
        for length in 0..6_u32 {
            for number in 0..3_usize.pow(length) {
                let letter = |at: u32| char::from(b"abc"[number / 3_usize.pow(at) % 3]);
                words.push((0..length).map(letter).collect());
            }
        }
        words.sort_unstable();
        for asked in ["abc", "cab", "aabbc", "bcabc", "é", "aé", "", "acbacb", "zzzz"] {
            for most in 0..3 {
                let mut found = Vec::new();
                find_similar(
                    words.len(),
                    |at| &words[at],
                    asked,
                    most,
                    |at, d| found.push((at, d)),
                );
                let expected: Vec<_> = words
                    .iter()
                    .enumerate()
                    .map(|(at, word)| (at, u8::try_from(distance(word, asked)).unwrap()))
                    .filter(|(_, d)| (1..=most).contains(d))
                    .collect();
                assert_eq!(found, expected, "{asked} {most}");
            }
        }
    }
}
