//! What refuses a conversion unless somebody accepts it.

use serde::{Deserialize, Serialize};

/// What can be accepted by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Accept {
    /// That a tool that is switched off becomes callable.
    Disabled,
    /// That nobody is asked before a call that needs approval.
    Approval,
    /// In strict mode, that a call goes through the bridge.
    Bridge,
    /// That a tool gets another version, where the target cannot say the one that it has.
    Version,
}

impl Accept {
    /// All that can be accepted.
    pub const ALL: [Self; 4] = [Self::Disabled, Self::Approval, Self::Bridge, Self::Version];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::Approval => "approval",
            Self::Bridge => "bridge",
            Self::Version => "version",
        }
    }
}
