//! Sets of bytes, for looking at short texts a byte at a time.

/// A set of bytes. Whether one is in it is a look into a table.
///
/// ```
/// use diagnostic::ByteSet;
///
/// static WORD: ByteSet = ByteSet::of(&[b'a'..=b'z', b'0'..=b'9', b'_'..=b'_']);
/// assert!(WORD.has_all(b"get_time"));
/// assert_eq!(WORD.run(b"get.time"), 3);
/// ```
#[derive(Clone, Debug)]
pub struct ByteSet([bool; 256]);

impl ByteSet {
    /// The bytes in these ranges.
    pub const fn of(ranges: &[std::ops::RangeInclusive<u8>]) -> Self {
        let mut table = [false; 256];
        let mut rest = ranges;
        while let [range, others @ ..] = rest {
            let mut byte = *range.start() as usize;
            while byte <= *range.end() as usize {
                #[allow(clippy::indexing_slicing)] // below 256, and only while compiling
                {
                    table[byte] = true;
                }
                byte += 1;
            }
            rest = others;
        }
        Self(table)
    }

    /// Whether a byte is in the set.
    #[inline]
    pub fn has(&self, byte: u8) -> bool {
        self.0.get(usize::from(byte)).copied().unwrap_or_default()
    }

    /// Whether all bytes of a text are.
    #[inline]
    pub fn has_all(&self, text: &[u8]) -> bool {
        text.iter().all(|byte| self.has(*byte))
    }

    /// How many bytes of a text are, before the first that is not.
    #[inline]
    pub fn run(&self, text: &[u8]) -> usize {
        text.iter().position(|byte| !self.has(*byte)).unwrap_or(text.len())
    }
}
