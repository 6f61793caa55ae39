//! A lookup of members by name without a search, because documents have their members in
//! any order.

/// A hash table from names to row numbers that is built at compile time.
#[derive(Debug)]
pub(super) struct Index([u8; SLOTS]);

/// Twice the most members of an object, so that there is always a free slot.
const SLOTS: usize = 64;

const FREE: u8 = u8::MAX;

impl Index {
    pub(super) const EMPTY: Self = Self([FREE; SLOTS]);

    /// Adds a name that is not in the table yet.
    pub(super) const fn with(mut self, name: &str, number: u8) -> Self {
        let mut at = slot(name.as_bytes());
        while let Some((_, [slot, ..])) = self.0.split_at_mut_checked(at) {
            if *slot == FREE {
                *slot = number;
                break;
            }
            at = (at + 1) % SLOTS;
        }
        self
    }

    /// Returns the number of a name. `is` checks whether the row of a number has that name.
    #[inline]
    pub(super) fn find(&self, name: &[u8], is: impl Fn(usize) -> bool) -> Option<usize> {
        let mut at = slot(name);
        loop {
            let number = self.0.get(at).copied().filter(|number| *number != FREE)?;
            if is(usize::from(number)) {
                return Some(usize::from(number));
            }
            at = (at + 1) % SLOTS;
        }
    }
}

/// Returns the first slot for a name. The factors keep the names of our formats apart.
#[inline]
const fn slot(name: &[u8]) -> usize {
    let (first, last) = match name {
        [first, .., last] => (*first, *last),
        _ => (0, 0),
    };
    (8 * first as usize + 16 * last as usize + 3 * name.len()) % SLOTS
}
