//! The bytes that a splitter holds, and their place in the stream.

use super::item::Location;
use super::scan::is_space;

/// Pushed bytes. The first of them are consumed; some of the others have been scanned.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    /// The first byte that is not consumed.
    consumed_len: usize,
    /// The first byte that is not scanned.
    scanned_len: usize,
    /// The place of the first byte that is not consumed.
    pub(super) place: Location,
    /// Bytes that were scanned or moved, for the tests.
    #[cfg(test)]
    pub(super) work: usize,
}

impl Buffer {
    pub(super) const fn new() -> Self {
        Self {
            bytes: Vec::new(),
            consumed_len: 0,
            scanned_len: 0,
            place: Location::START,
            #[cfg(test)]
            work: 0,
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        // Moving the rest costs no more than consuming the bytes before it.
        if self.consumed_len * 2 >= self.bytes.len() {
            self.count_work(self.bytes.len() - self.consumed_len);
            self.bytes.drain(..self.consumed_len);
            self.scanned_len -= self.consumed_len;
            self.consumed_len = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the scanned bytes that are not consumed.
    pub(super) fn scanned(&self) -> &[u8] {
        self.bytes.get(self.consumed_len..self.scanned_len).unwrap_or_default()
    }

    /// Returns the bytes that are not scanned.
    pub(super) fn rest(&self) -> &[u8] {
        self.bytes.get(self.scanned_len..).unwrap_or_default()
    }

    /// Returns all bytes that are not consumed.
    pub(super) fn all(&self) -> &[u8] {
        self.bytes.get(self.consumed_len..).unwrap_or_default()
    }

    /// Marks `count` more bytes as scanned.
    pub(super) fn advance(&mut self, count: usize) {
        self.count_work(count);
        self.scanned_len = self.scanned_len.saturating_add(count).min(self.bytes.len());
    }

    /// Marks all bytes that are not consumed as not scanned.
    pub(super) const fn rewind(&mut self) {
        self.scanned_len = self.consumed_len;
    }

    /// Consumes the scanned bytes.
    pub(super) fn consume(&mut self) {
        self.place = self.place.after(self.scanned());
        self.count_work(self.scanned_len - self.consumed_len);
        self.consumed_len = self.scanned_len;
    }

    /// Consumes the scanned bytes and the white space after them. Returns the next byte.
    pub(super) fn skip_space(&mut self) -> Option<u8> {
        let spaces = self.rest().iter().take_while(|byte| is_space(**byte)).count();
        self.advance(spaces);
        self.consume();
        self.rest().first().copied()
    }

    /// Counts bytes that were scanned or moved, for the tests.
    #[cfg_attr(not(test), allow(clippy::unused_self, clippy::needless_pass_by_ref_mut))]
    const fn count_work(&mut self, bytes: usize) {
        #[cfg(test)]
        {
            self.work += bytes;
        }
        let _ = bytes;
    }

    #[cfg(test)]
    pub(super) const fn capacity(&self) -> usize {
        self.bytes.capacity()
    }
}
