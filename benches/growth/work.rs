//! What calls take.

use std::cell::RefCell;
use std::collections::BTreeMap;

unsafe extern "C" {
    /// The work that this thread has done.
    safe fn toolglot_work() -> u64;
}

/// One call at three sizes: work, and bytes in and out.
#[derive(Clone, Copy, Default)]
pub(crate) struct Row {
    pub(crate) work: [u64; 3],
    pub(crate) bytes: [u64; 3],
}

/// What was counted, by place and way.
#[derive(Default)]
pub(crate) struct Counts(RefCell<BTreeMap<[String; 2], Row>>);

impl Counts {
    /// Counts a call. It gives the bytes that come out, or none where it refuses.
    pub(crate) fn count(
        &self,
        place: &str,
        way: &str,
        size: usize,
        input: usize,
        run: impl FnOnce() -> Option<usize>,
    ) {
        let before = toolglot_work();
        let output = std::hint::black_box(run());
        let work = toolglot_work() - before;
        let way = if output.is_some() { way.to_owned() } else { format!("{way} (failed)") };
        let mut rows = self.0.borrow_mut();
        let row = rows.entry([place.to_owned(), way]).or_default();
        row.work[size] = work;
        row.bytes[size] = (input + output.unwrap_or_default()) as u64;
    }

    pub(crate) fn into_rows(self) -> BTreeMap<[String; 2], Row> {
        self.0.into_inner()
    }
}
