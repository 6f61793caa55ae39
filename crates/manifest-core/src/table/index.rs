//! Names and their numbers, found without a search: documents have their members in any
//! order.

/// A hash table that is filled when a static is made.
#[derive(Debug)]
pub(super) struct Index([u8; SLOTS]);

/// Twice as many as an object has members: there is always a free one.
const SLOTS: usize = 64;

/// What stands in a free slot.
const FREE: u8 = u8::MAX;

impl Index {
    pub(super) const EMPTY: Self = Self([FREE; SLOTS]);

    /// The same, with a name that it did not have.
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

    /// The number of a name. `is` tells whether a number is the one that is looked for.
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

/// Where a name stands, or what stands in its place. The factors keep the names of the
/// formats apart.
#[inline]
const fn slot(name: &[u8]) -> usize {
    let (first, last) = match name {
        [first, .., last] => (*first, *last),
        _ => (0, 0),
    };
    (8 * first as usize + 16 * last as usize + 3 * name.len()) % SLOTS
}
