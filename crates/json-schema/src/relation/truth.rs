//! Three-valued truth.

/// A verdict.
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

    /// Turns `No` into `Unknown` if a constraint that we cannot read may change the
    /// verdict.
    pub(super) fn unknown_if(self, blind: bool) -> Self {
        if blind && self == Self::No { Self::Unknown } else { self }
    }
}
