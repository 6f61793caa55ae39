//! The enumerations of indexes.

use crate::string_enum;

string_enum! {
    /// The kind of a publisher's identity.
    PublisherKind {
        /// The owner of a repository on GitHub.
        Github = "github",
        /// The owner of a host.
        Https = "https",
        /// An account of the AT protocol.
        Atproto = "atproto",
    }
}

string_enum! {
    /// The status of a manifest, as its publisher declares it.
    Status {
        /// Ready to use.
        Active = "active",
        /// Replaced by another tool.
        Deprecated = "deprecated",
        /// Not working.
        Broken = "broken",
        /// Not allowed to be used.
        Quarantined = "quarantined",
    }
}

string_enum! {
    /// The status of a manifest, as a registry declares it.
    RegistryStatus {
        /// An example to learn from.
        Example = "example",
        /// Ready to use.
        Stable = "stable",
        /// Not finished yet.
        Preview = "preview",
        /// Replaced by another tool.
        Deprecated = "deprecated",
    }
}
