//! The options of a conversion.

use std::collections::BTreeSet;

use manifest_core::Limits;
use manifest_core::format::{AcceptedLoss, Defaults};
use serde::{Deserialize, Serialize};

/// A kind of tools that a conversion can leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ToolFilter {
    /// Disabled tools.
    Disabled,
    /// Tools that declare that a person must approve each call.
    Approval,
}

/// The options of a conversion.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Refuses assumed values and the bridge.
    pub strict: bool,
    /// The ids of the tools to convert. Empty for all.
    pub tools: Vec<String>,
    /// The kinds of tools to leave out.
    pub without: BTreeSet<ToolFilter>,
    /// The losses that are accepted by name, instead of refusing the conversion.
    pub accept: BTreeSet<AcceptedLoss>,
    /// The version of the target format. `None` for the newest.
    pub version: Option<String>,
    /// Puts the residue into the target, in the input schema of a tool. Models see it
    /// there.
    pub in_band: bool,
    /// Values for members that the target requires and the source lacks.
    pub defaults: Defaults,
    /// The limits of the conversion.
    pub limits: Limits,
}

impl Options {
    /// Returns options that accept everything: the conversion that is restored was
    /// accepted.
    pub(crate) fn accept_all() -> Self {
        Self { accept: AcceptedLoss::ALL.into(), ..Self::default() }
    }
}
