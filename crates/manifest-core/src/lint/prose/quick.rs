//! A quick check of a string that misses nothing.
//!
//! Nearly every text is clean, and every validation checks all of them. So strings are
//! checked as they are written, without decoding escapes. Only a string with a suspicious
//! character or word is decoded and checked in full.
//!
//! Words are searched with the algorithm of Wu and Manber: the last two letters of a window
//! give the minimum distance to the next word, and most pairs of letters are in no word.

use super::characters::is_plain;

/// Each sign of an instruction contains one of these words, in any case. The only exception
/// is a long empty stretch.
const WORDS: [&[u8]; 29] = [
    b"ignore",
    b"disregard",
    b"forget",
    b"override",
    b"important",
    b"system",
    b"secret",
    b"hidden",
    b"instruction",
    b"<!--",
    b"tell",
    b"mention",
    b"inform",
    b"notify",
    b"alert",
    b"reveal",
    b"/.ssh",
    b"/.aws",
    b"/.gnupg",
    b"/.netrc",
    b"/.cursor",
    b"/.kube",
    b"/.docker",
    b"id_rsa",
    b"id_ed25519",
    b"id_ecdsa",
    b"/etc/passwd",
    b"/etc/shadow",
    b"color",
];

/// The length of the shortest word in bytes.
const WINDOW: usize = 4;

/// The distance that a window can move, by its last two letters.
static SKIPS: [u8; PAIR_INDICES] = skips();

/// The words with these two letters at the end of the window, one bit each.
static ENDS: [u32; PAIR_INDICES] = ends();

/// The number of indices for two letters.
const PAIR_INDICES: usize = 1 << 12;

/// Returns the index of two letters, which is the same in upper and lower case. Different
/// pairs may share an index, because every match is verified.
const fn pair_index(pair: [u8; 2]) -> usize {
    const fn folded(byte: u8) -> usize {
        (byte & 0x1f | (byte & 0x40) >> 1) as usize
    }
    folded(pair[0]) << 6 | folded(pair[1])
}

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler")]
#[allow(clippy::cast_possible_truncation, reason = "the window is short")]
const fn skips() -> [u8; PAIR_INDICES] {
    let mut skips = [WINDOW as u8 - 1; PAIR_INDICES];
    let mut word = 0;
    while word < WORDS.len() {
        let mut at = 0;
        while at + 1 < WINDOW {
            let place = pair_index([WORDS[word][at], WORDS[word][at + 1]]);
            let skip = (WINDOW - 2 - at) as u8;
            if skip < skips[place] {
                skips[place] = skip;
            }
            at += 1;
        }
        word += 1;
    }
    skips
}

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn ends() -> [u32; PAIR_INDICES] {
    let mut ends = [0; PAIR_INDICES];
    let mut word = 0;
    while word < WORDS.len() {
        ends[pair_index([WORDS[word][WINDOW - 2], WORDS[word][WINDOW - 1]])] |= 1 << word;
        word += 1;
    }
    ends
}

/// Returns true if a string may contain an instruction. Its JSON escapes must not encode
/// letters; [`may_have_suspicious_character`] finds such escapes.
pub(super) fn may_instruct(written: &[u8]) -> bool {
    has_word(written) || has_empty_stretch(written)
}

fn has_word(written: &[u8]) -> bool {
    let mut at = 0;
    while let Some(rest) = written.get(at..)
        && let Some([.., first, second]) = rest.first_chunk::<WINDOW>()
    {
        let place = pair_index([*first, *second]);
        let skip = SKIPS.get(place).copied().unwrap_or(0);
        if skip == 0 {
            let ends = ENDS.get(place).copied().unwrap_or(0);
            for (number, word) in WORDS.iter().enumerate() {
                if ends >> number & 1 == 1
                    && rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
                {
                    return true;
                }
            }
        }
        at += usize::from(skip.max(1));
    }
    false
}

/// Returns true if one of the chunks of 32 bytes begins with four empty bytes. A stretch of
/// forty lines or two hundred spaces contains such a chunk.
fn has_empty_stretch(written: &[u8]) -> bool {
    written.chunks(32).any(|chunk| match chunk.first_chunk::<4>() {
        Some(start) => start.iter().all(|byte| matches!(byte, b' ' | b'\\' | b'n' | b'r' | b't')),
        None => false,
    })
}

/// Returns true if a string may contain characters that deserve a remark.
pub(super) fn may_have_suspicious_character(written: &str) -> bool {
    let bytes = written.as_bytes();
    if !bytes.is_ascii() && !written.chars().all(|c| c.is_ascii() || is_plain(c)) {
        return true;
    }
    let mut bytes = bytes.iter();
    while let Some(byte) = bytes.next() {
        // Escapes of line breaks, tabs, quotes and slashes are harmless.
        if *byte == 0x7f
            || *byte == b'\\' && !matches!(bytes.next(), Some(b'n' | b't' | b'"' | b'/'))
        {
            return true;
        }
    }
    false
}
