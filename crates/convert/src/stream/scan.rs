//! Scans brackets and strings: as much of JSON as finding the end of a value requires.

/// The state of a scan inside a value.
///
/// Brackets are counted without regard to their kind; their content is judged later. A line
/// break ends a string, because a JSON string cannot contain one. So an unclosed string
/// costs its line, and not the rest of the stream.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scan {
    /// The number of open brackets.
    pub(super) depth: usize,
    /// True inside a string.
    pub(super) in_string: bool,
    /// True after a backslash in a string.
    after_escape: bool,
}

impl Scan {
    /// Returns true if all brackets and strings are closed.
    pub(super) const fn is_outside(&self) -> bool {
        self.depth == 0 && !self.in_string
    }

    /// Scans one byte.
    #[inline]
    pub(super) fn step(&mut self, byte: u8) {
        if self.in_string {
            let ends = byte == b'\n' || byte == b'"' && !self.after_escape;
            self.in_string = !ends;
            self.after_escape = byte == b'\\' && !self.after_escape;
            return;
        }
        match byte {
            b'"' => (self.in_string, self.after_escape) = (true, false),
            b'{' | b'[' => self.depth = self.depth.saturating_add(1),
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    /// Returns the position after bytes that neither change the state nor separate values.
    #[inline]
    pub(super) fn skip(&self, bytes: &[u8], pos: usize) -> usize {
        if self.after_escape {
            return pos;
        }
        let rest = bytes.get(pos..).unwrap_or_default();
        let stop = if self.in_string {
            rest.iter().position(|b| matches!(b, b'"' | b'\\' | b'\n'))
        } else {
            rest.iter().position(|b| matches!(b, b'"' | b'{' | b'}' | b'[' | b']' | b','))
        };
        pos + stop.unwrap_or(rest.len())
    }
}

/// Returns true if a byte is white space in JSON.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Removes white space from the end.
pub(super) fn trim_end(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| !is_space(*byte)).map_or(0, |last| last + 1);
    bytes.get(..end).unwrap_or(bytes)
}

/// The byte order mark, which some editors write before a text.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The presence of a byte order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrderMark {
    Yes,
    No,
    /// More bytes are needed.
    Unknown,
}

/// Checks if bytes begin with a byte order mark.
pub(super) fn find_byte_order_mark(bytes: &[u8], finished: bool) -> ByteOrderMark {
    if bytes.starts_with(BYTE_ORDER_MARK) {
        ByteOrderMark::Yes
    } else if !finished && BYTE_ORDER_MARK.starts_with(bytes) {
        ByteOrderMark::Unknown
    } else {
        ByteOrderMark::No
    }
}
