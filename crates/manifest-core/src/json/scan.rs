//! Runs of bytes: the inner loops of the parser.

use super::{decode, rules};
use crate::Rule;

/// The position after white space.
#[inline]
pub(super) fn skip_space(bytes: &[u8], pos: usize) -> usize {
    match bytes.get(pos) {
        Some(b'!'..) => pos,
        _ => skip_run(bytes, pos),
    }
}

/// The position after white space, when there may be some.
fn skip_run(bytes: &[u8], mut pos: usize) -> usize {
    loop {
        match bytes.get(pos) {
            // After a line break comes indentation.
            Some(b'\n') => pos = skip_spaces(bytes, pos + 1),
            Some(b' ' | b'\r' | b'\t') => pos += 1,
            _ => return pos,
        }
    }
}

/// The position after spaces, eight at a time.
#[inline]
fn skip_spaces(bytes: &[u8], mut pos: usize) -> usize {
    const SPACES: u64 = 0x2020_2020_2020_2020;
    while let Some(chunk) = bytes.get(pos..).and_then(<[u8]>::first_chunk) {
        let other = u64::from_le_bytes(*chunk) ^ SPACES;
        if other != 0 {
            return pos + (other.trailing_zeros() / 8) as usize;
        }
        pos += 8;
    }
    pos
}

/// The position after a number, or where a digit is missing.
pub(super) fn number(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let digits = |from: usize| {
        let mut pos = from;
        while let Some(b'0'..=b'9') = bytes.get(pos) {
            pos += 1;
        }
        if pos == from { Err(from) } else { Ok(pos) }
    };
    let whole = start + usize::from(bytes.get(start) == Some(&b'-'));
    let mut pos = if bytes.get(whole) == Some(&b'0') { whole + 1 } else { digits(whole)? };
    if bytes.get(pos) == Some(&b'.') {
        pos = digits(pos + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(pos) {
        let signed = matches!(bytes.get(pos + 1), Some(b'+' | b'-'));
        pos = digits(pos + 1 + usize::from(signed))?;
    }
    Ok(pos)
}

/// The position of the first quote, backslash or control character.
#[inline]
pub(super) fn plain_run(bytes: &[u8], mut pos: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // The lowest byte that stops is found exactly; the ones above it may not be.
    let below = |word: u64, n: u64| word.wrapping_sub(ONES * n) & !word;

    while let Some(chunk) = bytes.get(pos..).and_then(<[u8]>::first_chunk) {
        let word = u64::from_le_bytes(*chunk);
        // With one bit flipped, the quote comes right after the control characters.
        let flipped = word ^ (ONES * 2);
        let backslash = word ^ (ONES * u64::from(b'\\'));
        let stops = (below(flipped, 0x21) | below(backslash, 1)) & HIGH;
        if stops != 0 {
            return pos + (stops.trailing_zeros() / 8) as usize;
        }
        pos += 8;
    }
    while bytes.get(pos).is_some_and(|&b| b >= 0x20 && b != b'"' && b != b'\\') {
        pos += 1;
    }
    pos
}

/// What is wrong with an escape.
pub(super) struct BadEscape {
    pub(super) rule: &'static Rule,
    pub(super) end: usize,
    pub(super) message: &'static str,
}

/// The position after the escape at `start`, which may be a surrogate pair.
pub(super) fn escape(bytes: &[u8], start: usize) -> Result<usize, BadEscape> {
    let syntax = |message| BadEscape { rule: &rules::SYNTAX, end: start + 2, message };
    match bytes.get(start + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(start + 2),
        Some(b'u') => {
            let unit = |at: usize| decode::hex4(bytes.get(at + 2..).unwrap_or_default());
            let hex = "\\u must be followed by four hexadecimal digits";
            let high = unit(start).ok_or_else(|| syntax(hex))?;
            let next = start + 6;
            if !(0xD800..0xE000).contains(&high) {
                return Ok(next);
            }
            let paired = bytes.get(next..next + 2) == Some(b"\\u".as_slice());
            match unit(next).filter(|_| paired) {
                Some(0xDC00..0xE000) if high < 0xDC00 => Ok(next + 6),
                _ => Err(BadEscape {
                    rule: &rules::SURROGATE,
                    end: next,
                    message: "this escape is half of a surrogate pair",
                }),
            }
        }
        _ => Err(syntax("not an escape sequence of JSON")),
    }
}
