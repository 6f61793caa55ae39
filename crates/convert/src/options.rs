//! What to convert, and what is accepted on the way.

use std::collections::BTreeSet;

use manifest_core::Limits;
use manifest_core::format::{Accept, Defaults};
use serde::{Deserialize, Serialize};

/// Tools that can be left out by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Choice {
    /// Those that are switched off.
    Disabled,
    /// Those that a person must approve.
    Approval,
}

/// How to convert.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Refuse to assume what the source does not say, and to go through the bridge.
    pub strict: bool,
    /// The ids of the tools to convert; all, where none is given.
    pub tools: Vec<String>,
    /// The kinds of tools to leave out.
    pub without: BTreeSet<Choice>,
    /// What is accepted that would refuse the conversion.
    pub accept: BTreeSet<Accept>,
    /// The version of the target's format; the newest, where none is given.
    pub version: Option<String>,
    /// Carry the residue inside the target, in the input schema of a tool. It reaches
    /// the model there.
    pub in_band: bool,
    /// What to assume.
    pub defaults: Defaults,
    /// What it may cost.
    pub limits: Limits,
}

impl Options {
    /// Options that refuse nothing: whoever brings the source along has accepted it.
    pub(crate) fn everything() -> Self {
        Self { accept: Accept::ALL.into(), ..Self::default() }
    }
}
