//! How much JSON is parsed: nobody should read the same text again and again.

use std::cell::Cell;

thread_local! {
    static PARSED: Cell<usize> = const { Cell::new(0) };
}

/// The bytes of JSON text that this thread has read so far.
pub fn parsed_bytes() -> usize {
    PARSED.get()
}

pub(crate) fn count_parsed(text: &str) {
    PARSED.set(PARSED.get().wrapping_add(text.len()));
}
