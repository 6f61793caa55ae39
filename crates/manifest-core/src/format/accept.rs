//! Losses for which a conversion is refused unless they are accepted by name.

use serde::{Deserialize, Serialize};

/// A loss that can be accepted by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AcceptedLoss {
    /// A tool that is switched off becomes callable.
    Disabled,
    /// Calls that need approval are made without asking.
    Approval,
    /// In strict mode, a call goes through the bridge.
    Bridge,
    /// A tool gets another version, because the target cannot express its own.
    Version,
}

impl AcceptedLoss {
    /// All losses that can be accepted.
    pub const ALL: [Self; 4] = [Self::Disabled, Self::Approval, Self::Bridge, Self::Version];

    /// Returns the name by which the loss is accepted.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::Approval => "approval",
            Self::Bridge => "bridge",
            Self::Version => "version",
        }
    }
}
