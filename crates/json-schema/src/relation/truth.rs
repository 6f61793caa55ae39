//! Whether something holds.

/// Whether something holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    Yes,
    No,
    Unknown,
}

impl Truth {
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::Unknown,
        }
    }

    /// Not a no, where something that we cannot read stands in the way.
    pub(super) fn unless(self, blind: bool) -> Self {
        if blind && self == Self::No { Self::Unknown } else { self }
    }
}
