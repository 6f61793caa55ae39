//! The bytes that a splitter holds, and their place in the stream.

use super::item::Location;
use super::scan::is_space;

/// Pushed bytes. The first of them are consumed; some of the others have been scanned.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    /// The first byte that is not consumed.
    used: usize,
    /// The first byte that is not scanned.
    seen: usize,
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
            used: 0,
            seen: 0,
            place: Location::START,
            #[cfg(test)]
            work: 0,
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        // Moving the rest costs no more than consuming the bytes before it.
        if self.used * 2 >= self.bytes.len() {
            self.looked_at(self.bytes.len() - self.used);
            self.bytes.drain(..self.used);
            self.seen -= self.used;
            self.used = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the scanned bytes that are not consumed.
    pub(super) fn held(&self) -> &[u8] {
        self.bytes.get(self.used..self.seen).unwrap_or_default()
    }

    /// Returns the bytes that are not scanned.
    pub(super) fn rest(&self) -> &[u8] {
        self.bytes.get(self.seen..).unwrap_or_default()
    }

    /// Returns all bytes that are not consumed.
    pub(super) fn all(&self) -> &[u8] {
        self.bytes.get(self.used..).unwrap_or_default()
    }

    /// Marks `count` more bytes as scanned.
    pub(super) fn see(&mut self, count: usize) {
        self.looked_at(count);
        self.seen = self.seen.saturating_add(count).min(self.bytes.len());
    }

    /// Marks all bytes that are not consumed as not scanned.
    pub(super) const fn see_again(&mut self) {
        self.seen = self.used;
    }

    /// Consumes the scanned bytes.
    pub(super) fn use_up(&mut self) {
        self.place = self.place.after(self.held());
        self.looked_at(self.seen - self.used);
        self.used = self.seen;
    }

    /// Consumes the scanned bytes and the white space after them. Returns the next byte.
    pub(super) fn solid(&mut self) -> Option<u8> {
        let spaces = self.rest().iter().take_while(|byte| is_space(**byte)).count();
        self.see(spaces);
        self.use_up();
        self.rest().first().copied()
    }

    /// Counts bytes that were scanned or moved, for the tests.
    #[cfg_attr(not(test), allow(clippy::unused_self, clippy::needless_pass_by_ref_mut))]
    const fn looked_at(&mut self, bytes: usize) {
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
