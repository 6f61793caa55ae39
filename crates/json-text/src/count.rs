//! Counts parsed bytes, so that tests can detect repeated parsing of the same text.

use std::cell::Cell;

thread_local! {
    static PARSED: Cell<usize> = const { Cell::new(0) };
}

/// Returns the number of bytes of JSON text that this thread has parsed so far.
pub fn parsed_bytes() -> usize {
    PARSED.get()
}

pub(crate) fn count_parsed(text: &str) {
    PARSED.set(PARSED.get().wrapping_add(text.len()));
}
