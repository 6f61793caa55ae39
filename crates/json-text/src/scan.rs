//! The inner loops of the parser, over runs of bytes.

use super::{decode, rules};
use diagnostic::Rule;

/// Returns the position after any white space.
#[inline]
pub(super) fn skip_space(bytes: &[u8], pos: usize) -> usize {
    match bytes.get(pos) {
        Some(b'!'..) => pos,
        _ => skip_space_run(bytes, pos),
    }
}

fn skip_space_run(bytes: &[u8], mut pos: usize) -> usize {
    // A line break is usually followed by indentation only.
    if bytes.get(pos) == Some(&b'\n') {
        pos = skip_spaces(bytes, pos + 1);
    }
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(pos) {
        pos += 1;
    }
    pos
}

/// Skips up to 16 spaces, eight at a time.
#[inline]
fn skip_spaces(bytes: &[u8], pos: usize) -> usize {
    const SPACES: u64 = 0x2020_2020_2020_2020;
    for pos in [pos, pos + 8] {
        let Some(chunk) = bytes.get(pos..).and_then(<[u8]>::first_chunk) else {
            return pos;
        };
        let other = u64::from_le_bytes(*chunk) ^ SPACES;
        if other != 0 {
            return pos + first_byte_index(other);
        }
    }
    pos + 16
}

/// Returns the position after a number, or as an error the position of a missing digit.
pub(super) fn number_end(bytes: &[u8], start: usize) -> Result<usize, usize> {
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

/// Returns the position of the first quote, backslash or control character, or the end.
#[inline]
pub(super) fn plain_end(bytes: &[u8], pos: usize) -> usize {
    // Most names and many texts end within the first eight bytes.
    if let Some(chunk) = bytes.get(pos..).and_then(<[u8]>::first_chunk) {
        let found = stop_bits(u64::from_le_bytes(*chunk));
        if found != 0 {
            return pos + first_byte_index(found);
        }
    }
    long_plain_end(bytes, pos)
}

/// Like [`plain_end`], sixteen bytes at a time.
fn long_plain_end(bytes: &[u8], mut pos: usize) -> usize {
    while let Some(chunk) = bytes.get(pos..).and_then(<[u8]>::first_chunk::<16>) {
        let [low, high] = halves(u128::from_le_bytes(*chunk)).map(stop_bits);
        if low | high != 0 {
            return pos + if low == 0 { 8 + first_byte_index(high) } else { first_byte_index(low) };
        }
        pos += 16;
    }
    while bytes.get(pos).is_some_and(|&b| b >= 0x20 && b != b'"' && b != b'\\') {
        pos += 1;
    }
    pos
}

#[inline]
#[allow(clippy::cast_possible_truncation)] // intended: it splits the word
const fn halves(word: u128) -> [u64; 2] {
    [word as u64, (word >> 64) as u64]
}

/// Sets the high bit of each byte that is a quote, a backslash or a control character. Only
/// the lowest set bit is reliable.
#[inline]
const fn stop_bits(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // Flipping one bit moves the quote right after the control characters.
    let low = (word ^ (ONES * 2)).wrapping_sub(ONES * 0x21);
    let backslash = (word ^ (ONES * b'\\' as u64)).wrapping_sub(ONES);
    (low | backslash) & !word & HIGH
}

/// Returns the index of the byte that contains the lowest set bit.
#[inline]
const fn first_byte_index(bits: u64) -> usize {
    (bits.trailing_zeros() / 8) as usize
}

pub(super) struct BadEscape {
    pub(super) rule: &'static Rule,
    pub(super) end: usize,
    pub(super) message: &'static str,
}

/// Returns the position after the escape at `start`, which may be a surrogate pair.
pub(super) fn escape_end(bytes: &[u8], start: usize) -> Result<usize, BadEscape> {
    let syntax = |message| BadEscape { rule: &rules::SYNTAX, end: start + 2, message };
    match bytes.get(start + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(start + 2),
        Some(b'u') => {
            let unit = |at: usize| bytes.get(at + 2..).and_then(decode::parse_hex4);
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
