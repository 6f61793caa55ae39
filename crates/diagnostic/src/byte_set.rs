//! Sets of bytes, for scanning short texts byte by byte.

/// A set of bytes. Membership is a table lookup.
///
/// ```
/// use toolglot_diagnostic::ByteSet;
///
/// static WORD: ByteSet = ByteSet::of(&[b'a'..=b'z', b'0'..=b'9', b'_'..=b'_']);
/// assert!(WORD.contains_all(b"get_time"));
/// assert_eq!(WORD.prefix_len(b"get.time"), 3);
/// ```
#[derive(Clone, Debug)]
pub struct ByteSet([bool; 256]);

impl ByteSet {
    /// Creates a set of the bytes in these ranges.
    pub const fn of(ranges: &[std::ops::RangeInclusive<u8>]) -> Self {
        let mut table = [false; 256];
        let mut rest = ranges;
        while let [range, others @ ..] = rest {
            let mut byte = *range.start() as usize;
            while byte <= *range.end() as usize {
                #[allow(clippy::indexing_slicing)] // below 256, and only at compile time
                {
                    table[byte] = true;
                }
                byte += 1;
            }
            rest = others;
        }
        Self(table)
    }

    /// Returns true if a byte is in the set.
    #[inline]
    pub fn contains(&self, byte: u8) -> bool {
        self.0.get(usize::from(byte)).copied().unwrap_or(false)
    }

    /// Returns true if all bytes of a text are in the set.
    #[inline]
    pub fn contains_all(&self, text: &[u8]) -> bool {
        text.iter().all(|byte| self.contains(*byte))
    }

    /// Returns the number of leading bytes of a text that are in the set.
    #[inline]
    pub fn prefix_len(&self, text: &[u8]) -> usize {
        text.iter().position(|byte| !self.contains(*byte)).unwrap_or(text.len())
    }
}
