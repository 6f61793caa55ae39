//! The bytes that a splitter holds, and where they stand in the stream.

use super::item::Location;
use super::scan::is_space;

/// Bytes that were pushed. Some are done with, some of the others have been seen.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    /// The first byte that is not done with.
    used: usize,
    /// The first byte that has not been seen.
    seen: usize,
    /// Where the first byte that is not done with stands.
    pub(super) place: Location,
    /// Bytes that were looked at or moved, for the tests.
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

    /// Adds bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        // Moving what is left costs no more than it took to use up what is gone.
        if self.used * 2 >= self.bytes.len() {
            self.looked_at(self.bytes.len() - self.used);
            self.bytes.drain(..self.used);
            self.seen -= self.used;
            self.used = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// The bytes that are not done with and have been seen.
    pub(super) fn held(&self) -> &[u8] {
        self.bytes.get(self.used..self.seen).unwrap_or_default()
    }

    /// The bytes that have not been seen.
    pub(super) fn rest(&self) -> &[u8] {
        self.bytes.get(self.seen..).unwrap_or_default()
    }

    /// All bytes that are not done with.
    pub(super) fn all(&self) -> &[u8] {
        self.bytes.get(self.used..).unwrap_or_default()
    }

    /// Has seen that many bytes more.
    pub(super) fn see(&mut self, count: usize) {
        self.looked_at(count);
        self.seen = self.seen.saturating_add(count).min(self.bytes.len());
    }

    /// Has seen nothing that is not done with.
    pub(super) const fn see_again(&mut self) {
        self.seen = self.used;
    }

    /// Is done with the bytes that have been seen.
    pub(super) fn use_up(&mut self) {
        self.place = self.place.after(self.held());
        self.looked_at(self.seen - self.used);
        self.used = self.seen;
    }

    /// The next byte that is not white space. What is before it is used up.
    pub(super) fn solid(&mut self) -> Option<u8> {
        let spaces = self.rest().iter().take_while(|byte| is_space(**byte)).count();
        self.see(spaces);
        self.use_up();
        self.rest().first().copied()
    }

    /// Counts bytes that were looked at or moved, for the tests.
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
