//! Where secrets can be at all: long runs of the characters that tokens are made of.
//!
//! Nearly every document is clean, so what counts is the price of finding that out.
//! Two facts make it small. A secret has twenty characters in a row of those that
//! tokens are made of; and to see that a text has no such run, it is enough to find
//! something else at least every twenty bytes, searching from the back of each possible
//! run. Short strings, which most are, need not be looked at.
//!
//! The search works on strings as they are written. An escape such as `\u0041` and
//! characters beyond ASCII may hide a letter or stand between two of them, so their
//! bytes count as part of a run.

use std::ops::Range;

use crate::ByteSet;

/// Characters in a row that a secret has at least.
pub const RUN: usize = 20;

/// Bytes of letters that are taken for words without a closer look.
pub(super) const WORDS: usize = 64;

/// The bytes that can be in a run: alphanumeric ones, `+`, `-`, `_`, the backslash of
/// an escape, and all beyond ASCII.
static IN_RUN: ByteSet = ByteSet::of(&[
    b'0'..=b'9',
    b'A'..=b'Z',
    b'a'..=b'z',
    b'+'..=b'+',
    b'-'..=b'-',
    b'_'..=b'_',
    b'\\'..=b'\\',
    128..=255,
]);

/// The runs of a text, each as long as can be.
pub(super) struct Runs<'t> {
    text: &'t [u8],
    /// No run that begins before this byte is left, and none goes on here.
    at: usize,
}

impl<'t> Runs<'t> {
    pub(super) const fn of(text: &'t [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// Whether a run may hold a part of a secret.
    pub(super) fn any_suspect(mut self) -> bool {
        let text = self.text;
        self.any(|run| !text.get(run).is_some_and(is_harmless))
    }
}

impl Iterator for Runs<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            let rest = dense(self.text.get(self.at..)?)?;
            let start = self.text.len() - rest.len();
            let window: &[u8; RUN] = rest.first_chunk()?;
            if let Some(last) = window.iter().rposition(|byte| !IN_RUN.has(*byte)) {
                self.at = start + last + 1;
                continue;
            }
            self.at = start + IN_RUN.run(rest);
            return Some(start..self.at);
        }
    }
}

/// The rest of a text from where it goes on for [`RUN`] bytes without a space, a quote
/// or another byte below `+`. Most texts do not.
///
/// No such stretch begins before the last separator of the bytes that it would have, so
/// a part of the text is all that is looked at, eight bytes together.
pub(super) fn dense(mut rest: &[u8]) -> Option<&[u8]> {
    loop {
        let window: &[u8; RUN] = rest.first_chunk()?;
        let (head, tail) = window.split_last_chunk::<8>()?;
        let skip = if let Some(last) = last_separator(*tail) {
            head.len() + last + 1
        } else {
            let (head, tail) = head.split_last_chunk::<8>()?;
            let first = || head.iter().rposition(|byte| *byte < b'+');
            match last_separator(*tail).map(|last| head.len() + last).or_else(first) {
                Some(last) => last + 1,
                None => return Some(rest),
            }
        };
        rest = rest.get(skip..)?;
    }
}

/// The last of eight bytes that is a separator.
#[inline]
fn last_separator(bytes: [u8; 8]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 255;
    let bytes = u64::from_le_bytes(bytes);
    // The highest bit of each byte tells: set where the byte is `+` or above.
    let others = ((bytes & (ONES * 0x7f)) + ONES * (0x80 - u64::from(b'+'))) | bytes;
    (!others & (ONES * 0x80)).checked_ilog2().map(|bit| bit as usize / 8)
}

/// Whether a run is a digest or made of words, so that no secret has its random part
/// there.
pub(super) fn is_harmless(run: &[u8]) -> bool {
    let hexadecimal = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b'-';
    let digest = run.iter().all(hexadecimal) && !is_twilio_account(run) && !has_mailgun_key(run);
    digest || (run.len() <= WORDS && is_wordy(run))
}

/// Whether a run has a key that is all hexadecimal digits: 32, 8 and 8 of them, with hyphens
/// between. No digest and no UUID ends like that.
fn has_mailgun_key(run: &[u8]) -> bool {
    let mut parts = run.rsplit(|byte| *byte == b'-').map(<[u8]>::len);
    (parts.next(), parts.next()) == (Some(8), Some(8)) && parts.next() >= Some(32)
}

/// The id of an account that is all hexadecimal digits: a token may come after it.
fn is_twilio_account(run: &[u8]) -> bool {
    run.len() == 34 && run.starts_with(b"AC")
}

/// Whether a run is words as people write them: `camelCase`, `snake_case` and so on,
/// with no digits in them. Keys of one vendor are all capitals, and may look like that.
fn is_wordy(run: &[u8]) -> bool {
    let word = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'+' | b'-' | b'_');
    let is_key = |part: &[u8]| part == b"AKIA" || part == b"ASIA";
    run.iter().all(word) && changes(run) * 4 <= run.len() && !run.windows(4).any(is_key)
}

/// How often the class of characters changes: in words rarely, in noise often.
pub(super) fn changes(run: &[u8]) -> usize {
    let class = |b: u8| (b.is_ascii_digit(), b.is_ascii_uppercase(), b.is_ascii_lowercase());
    run.iter().zip(run.iter().skip(1)).filter(|(a, b)| class(**a) != class(**b)).count()
}
