//! Finds long runs of token characters. Every secret contains one, except settings and
//! passwords in URLs.
//!
//! Nearly every document is clean, so the cost of checking a clean one matters. Two facts
//! keep it low. First, a run has at least twenty token characters. Second, a text has no
//! run if every window of twenty bytes contains another byte, and searching a window from
//! its end skips the most bytes. Shorter strings, the majority, are not searched at all.
//!
//! The search works on strings as written in JSON. An escape such as `\u0041` and
//! characters beyond ASCII may hide a letter or separate two of them, so their bytes count
//! as part of a run.

use std::ops::Range;

use crate::ByteSet;

/// The minimum length of a run of token characters.
pub const MIN_RUN: usize = 20;

/// The maximum length of a run that may pass as words.
pub(super) const MAX_WORDY_RUN: usize = 64;

/// The bytes of a run: letters, digits, `+`, `-`, `_`, the backslash of an escape, and all
/// bytes beyond ASCII.
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

/// Iterates over the maximal runs of a text.
pub(super) struct Runs<'t> {
    text: &'t [u8],
    /// The search continues here. No run crosses this offset.
    offset: usize,
}

impl<'t> Runs<'t> {
    pub(super) const fn of(text: &'t [u8]) -> Self {
        Self { text, offset: 0 }
    }

    /// Returns true if a run may contain a part of a secret.
    pub(super) fn any_suspect(mut self) -> bool {
        let text = self.text;
        self.any(|run| !text.get(run).is_some_and(is_harmless))
    }
}

impl Iterator for Runs<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            let rest = find_dense(self.text.get(self.offset..)?)?;
            let start = self.text.len() - rest.len();
            let window: &[u8; MIN_RUN] = rest.first_chunk()?;
            if let Some(last) = window.iter().rposition(|byte| !IN_RUN.contains(*byte)) {
                self.offset = start + last + 1;
                continue;
            }
            self.offset = start + IN_RUN.prefix_len(rest);
            return Some(start..self.offset);
        }
    }
}

/// Returns the rest of a text from the first stretch of [`MIN_RUN`] bytes without a space, a
/// quote or another byte below `+`. Returns `None` if there is no such stretch, as in most
/// texts.
///
/// A stretch cannot begin before the last separator in its window, so only a part of the
/// text is read, eight bytes at a time.
pub(super) fn find_dense(mut rest: &[u8]) -> Option<&[u8]> {
    loop {
        let window: &[u8; MIN_RUN] = rest.first_chunk()?;
        let (head, tail) = window.split_last_chunk::<8>()?;
        let skip = if let Some(last) = last_separator(*tail) {
            head.len() + last + 1
        } else {
            let (head, tail) = head.split_last_chunk::<8>()?;
            if let Some(last) = last_separator(*tail) {
                head.len() + last + 1
            } else if let Some(last) = head.iter().rposition(|byte| *byte < b'+') {
                last + 1
            } else {
                return Some(rest);
            }
        };
        rest = rest.get(skip..)?;
    }
}

/// Returns the index of the last separator in eight bytes.
#[inline]
fn last_separator(bytes: [u8; 8]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 255;
    let bytes = u64::from_le_bytes(bytes);
    // Sets the high bit of each byte that is `+` or above.
    let others = ((bytes & (ONES * 0x7f)) + ONES * (0x80 - u64::from(b'+'))) | bytes;
    (!others & (ONES * 0x80)).checked_ilog2().map(|bit| bit as usize / 8)
}

/// Returns true if a run is a digest or consists of words, so that it contains no random
/// part of a secret.
pub(super) fn is_harmless(run: &[u8]) -> bool {
    let is_hexadecimal = run.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-');
    let is_digest = is_hexadecimal && !is_twilio_account(run) && !has_mailgun_key(run);
    is_digest || (run.len() <= MAX_WORDY_RUN && is_wordy(run))
}

/// Returns true if a run ends with a key of hexadecimal digits: 32, 8 and 8 of them,
/// separated by hyphens. No digest and no UUID ends like that.
fn has_mailgun_key(run: &[u8]) -> bool {
    let mut parts = run.rsplit(|byte| *byte == b'-').map(<[u8]>::len);
    (parts.next(), parts.next()) == (Some(8), Some(8)) && parts.next() >= Some(32)
}

/// Returns true for an account id of hexadecimal digits, which may precede a token.
fn is_twilio_account(run: &[u8]) -> bool {
    run.len() == 34 && run.starts_with(b"AC")
}

/// Returns true if a run consists of words such as `camelCase` and `snake_case`, without
/// digits. AWS access keys are all capitals and may look like words, so their prefixes are
/// excluded.
fn is_wordy(run: &[u8]) -> bool {
    run.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'+' | b'-' | b'_'))
        && count_class_changes(run) * 4 <= run.len()
        && !run.windows(4).any(|part| part == b"AKIA" || part == b"ASIA")
}

/// Counts changes of the character class: few in words, many in random text.
pub(super) fn count_class_changes(run: &[u8]) -> usize {
    let class = |b: u8| (b.is_ascii_digit(), b.is_ascii_uppercase(), b.is_ascii_lowercase());
    run.iter().zip(run.iter().skip(1)).filter(|(a, b)| class(**a) != class(**b)).count()
}
