//! A look at a string that is quick, and overlooks nothing.
//!
//! Nearly every text is clean, and every validation looks at all of them. So strings are
//! looked at as they are written, without reading their escapes, and only those that have
//! a character or a word in them that a remark needs are read.
//!
//! Words are searched for as Wu and Manber do: two letters at the end of a window tell how
//! far the next word is away at least, and most pairs are in no word at all.

use super::characters::is_plain;

/// Each order to a model has one of these in it, in capitals or not; only what a long empty
/// stretch hides has none.
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

/// Bytes of the shortest word.
const WINDOW: usize = 4;

/// How far a window may move on whose last two letters are these.
static SKIPS: [u8; PLACES] = skips();

/// The words that have these two letters at the end of the window, a bit for each.
static ENDS: [u32; PLACES] = ends();

/// How many places there are for two letters.
const PLACES: usize = 1 << 12;

/// Letters of either case are one, and digits are others. Different pairs may share a place,
/// which is no harm.
const fn place(pair: [u8; 2]) -> usize {
    const fn folded(byte: u8) -> usize {
        (byte & 0x1f | (byte & 0x40) >> 1) as usize
    }
    folded(pair[0]) << 6 | folded(pair[1])
}

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler")]
#[allow(clippy::cast_possible_truncation, reason = "the window is short")]
const fn skips() -> [u8; PLACES] {
    let mut skips = [WINDOW as u8 - 1; PLACES];
    let mut word = 0;
    while word < WORDS.len() {
        let mut at = 0;
        while at + 1 < WINDOW {
            let place = place([WORDS[word][at], WORDS[word][at + 1]]);
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
const fn ends() -> [u32; PLACES] {
    let mut ends = [0; PLACES];
    let mut word = 0;
    while word < WORDS.len() {
        ends[place([WORDS[word][WINDOW - 2], WORDS[word][WINDOW - 1]])] |= 1 << word;
        word += 1;
    }
    ends
}

/// Whether a string may have an order in it. It may have the escapes of JSON, but none of
/// a letter.
pub(super) fn may_order(written: &[u8]) -> bool {
    has_word(written) || has_stretch(written)
}

fn has_word(written: &[u8]) -> bool {
    let mut at = 0;
    while let Some(rest) = written.get(at..)
        && let Some([.., first, second]) = rest.first_chunk::<WINDOW>()
    {
        let place = place([*first, *second]);
        let skip = SKIPS.get(place).copied().unwrap_or(0);
        if skip == 0 {
            let ends = ENDS.get(place).copied().unwrap_or(0);
            let ended = WORDS.iter().enumerate().filter(|(word, _)| ends >> word & 1 == 1);
            let is =
                |word: &[u8]| rest.get(..word.len()).is_some_and(|r| r.eq_ignore_ascii_case(word));
            if ended.map(|(_, word)| *word).any(is) {
                return true;
            }
        }
        at += usize::from(skip.max(1));
    }
    false
}

/// Whether four bytes of nothing stand somewhere in a raster: a stretch of forty lines or
/// two hundred spaces cannot miss it.
fn has_stretch(written: &[u8]) -> bool {
    let empty = |byte: &u8| matches!(byte, b' ' | b'\\' | b'n' | b'r' | b't');
    written.chunks(32).any(|chunk| chunk.iter().take(4).all(empty) && chunk.len() >= 4)
}

/// Whether a string may have characters that deserve a remark.
pub(super) fn may_hide(written: &str) -> bool {
    let bytes = written.as_bytes();
    if !bytes.is_ascii() && !written.chars().all(|c| c.is_ascii() || is_plain(c)) {
        return true;
    }
    let mut bytes = bytes.iter();
    while let Some(byte) = bytes.next() {
        // Line breaks, tabs, quotes and slashes are what they seem.
        let odd = |next: Option<&u8>| !matches!(next, Some(b'n' | b't' | b'"' | b'/'));
        if *byte == 0x7f || *byte == b'\\' && odd(bytes.next()) {
            return true;
        }
    }
    false
}
