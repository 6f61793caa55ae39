//! Brackets and strings: as much of JSON as it takes to see where a value ends.

/// Where in a value the scan is.
///
/// Brackets are counted, not told apart: what they enclose is judged later. A line
/// break ends a string, because no string of JSON has one inside: an unclosed string
/// costs its line, not the rest of the stream.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scan {
    /// Brackets that are open.
    pub(super) depth: usize,
    /// Inside a string.
    pub(super) string: bool,
    /// After a backslash in a string.
    escape: bool,
}

impl Scan {
    /// Whether everything that was opened is closed.
    pub(super) const fn is_outside(&self) -> bool {
        self.depth == 0 && !self.string
    }

    /// Takes one byte.
    #[inline]
    pub(super) fn step(&mut self, byte: u8) {
        if self.string {
            let ends = byte == b'\n' || byte == b'"' && !self.escape;
            self.string = !ends;
            self.escape = byte == b'\\' && !self.escape;
            return;
        }
        match byte {
            b'"' => (self.string, self.escape) = (true, false),
            b'{' | b'[' => self.depth = self.depth.saturating_add(1),
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    /// The position after bytes that change nothing and separate nothing.
    #[inline]
    pub(super) fn skip(&self, bytes: &[u8], pos: usize) -> usize {
        if self.escape {
            return pos;
        }
        let rest = bytes.get(pos..).unwrap_or_default();
        let stop = if self.string {
            rest.iter().position(|b| matches!(b, b'"' | b'\\' | b'\n'))
        } else {
            rest.iter().position(|b| matches!(b, b'"' | b'{' | b'}' | b'[' | b']' | b','))
        };
        pos + stop.unwrap_or(rest.len())
    }
}

/// Whether a byte is white space to JSON.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Bytes without white space at the end.
pub(super) fn trim_end(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| !is_space(*byte)).map_or(0, |last| last + 1);
    bytes.get(..end).unwrap_or(bytes)
}

/// What some editors put before a text.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What is at the beginning of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// A byte order mark.
    Yes,
    /// None.
    No,
    /// More bytes will tell.
    Unknown,
}

/// Whether bytes begin with a byte order mark.
pub(super) fn mark(bytes: &[u8], finished: bool) -> Mark {
    if bytes.starts_with(BYTE_ORDER_MARK) {
        Mark::Yes
    } else if !finished && BYTE_ORDER_MARK.starts_with(bytes) {
        Mark::Unknown
    } else {
        Mark::No
    }
}
