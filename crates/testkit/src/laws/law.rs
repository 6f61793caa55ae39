//! The laws by name.

/// A law of conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Law {
    /// [`check_valid`](super::check_valid), of the generated document.
    ValidSource,
    /// [`tree_fidelity`](super::tree_fidelity).
    TreeFidelity,
    /// [`round_trip`](super::round_trip).
    RoundTrip,
    /// [`path_independence`](super::path_independence).
    PathIndependence,
    /// [`complete_ledger`](super::complete_ledger).
    CompleteLedger,
    /// [`true_ledger`](super::true_ledger).
    TrueLedger,
    /// [`valid_output`](super::valid_output).
    ValidOutput,
    /// [`determinism`](super::determinism).
    Determinism,
    /// [`edit_survives`](super::edit_survives), of a target that was only laid out differently.
    AnotherLayout,
    /// [`edit_survives`](super::edit_survives), of an edited target.
    EditSurvives,
    /// [`edit_reaches_third_format`](super::edit_reaches_third_format).
    EditGoesOn,
}

impl Law {
    /// Every law, in the order in which [`check_laws`](crate::check_laws) checks them.
    pub const ALL: &'static [Self] = &[
        Self::ValidSource,
        Self::TreeFidelity,
        Self::RoundTrip,
        Self::PathIndependence,
        Self::CompleteLedger,
        Self::TrueLedger,
        Self::ValidOutput,
        Self::Determinism,
        Self::AnotherLayout,
        Self::EditSurvives,
        Self::EditGoesOn,
    ];

    /// Returns the name that failures use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ValidSource => "valid source",
            Self::TreeFidelity => "tree fidelity",
            Self::RoundTrip => "round trip",
            Self::PathIndependence => "path independence",
            Self::CompleteLedger => "complete ledger",
            Self::TrueLedger => "true ledger",
            Self::ValidOutput => "valid output",
            Self::Determinism => "determinism",
            Self::AnotherLayout => "another layout",
            Self::EditSurvives => "edit survives",
            Self::EditGoesOn => "edit goes on",
        }
    }

    /// Returns the law in one sentence.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::ValidSource => "The generator makes valid documents.",
            Self::TreeFidelity => {
                "A format writes every value that it reads, at the same place and in the same \
                 spelling."
            }
            Self::RoundTrip => "Converting and restoring returns the source, byte for byte.",
            Self::PathIndependence => {
                "Converting through another format, with the residue, is converting directly."
            }
            Self::CompleteLedger => {
                "The ledger lists every value of source and target once, and native values are \
                 what it calls native."
            }
            Self::TrueLedger => {
                "A changed value of the source changes the target where the ledger names it, and \
                 nowhere else."
            }
            Self::ValidOutput => {
                "A valid document converts to valid ones, and strict mode refuses exactly what \
                 is assumed or bridged."
            }
            Self::Determinism => "Converting twice gives the same bytes.",
            Self::AnotherLayout => "A target in another layout restores the source unchanged.",
            Self::EditSurvives => {
                "An edit of a target reaches the source, or is reported as lost, and nothing else \
                 changes."
            }
            Self::EditGoesOn => {
                "An edit of a target reaches a third format as if the source had been edited."
            }
        }
    }
}
