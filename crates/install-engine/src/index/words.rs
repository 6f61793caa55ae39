//! The words of indexes.

use install_manifest::words;

words! {
    /// How a publisher is known.
    PublisherKind {
        /// As the owner of a repository on GitHub.
        Github = "github",
        /// As the owner of a host.
        Https = "https",
        /// As an account of the AT protocol.
        Atproto = "atproto",
    }
}

words! {
    /// What a publisher says about a manifest.
    Status {
        /// Use it.
        Active = "active",
        /// Use another one.
        Deprecated = "deprecated",
        /// It does not work.
        Broken = "broken",
        /// It must not be used.
        Quarantined = "quarantined",
    }
}

words! {
    /// What a registry says about a manifest.
    RegistryStatus {
        /// To learn from.
        Example = "example",
        /// Use it.
        Stable = "stable",
        /// Not quite ready.
        Preview = "preview",
        /// Use another one.
        Deprecated = "deprecated",
    }
}

impl Status {
    /// What a registry makes of it. What is broken or quarantined is not listed.
    pub const fn in_registry(self) -> Option<RegistryStatus> {
        match self {
            Self::Active => Some(RegistryStatus::Stable),
            Self::Deprecated => Some(RegistryStatus::Deprecated),
            Self::Broken | Self::Quarantined => None,
        }
    }
}
