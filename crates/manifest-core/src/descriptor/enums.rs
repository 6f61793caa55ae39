//! The enums of a descriptor.

use serde::{Deserialize, Serialize};

/// The kind of resource that a tool is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A tool.
    Tool,
    /// An MCP server.
    McpServer,
    /// A pack of skills.
    SkillPack,
    /// A peer agent.
    A2aPeer,
    /// A workflow.
    Workflow,
}

/// Declares enums with the words that formats use for their variants.
macro_rules! word_enums {
    ($(
        $(#[$about:meta])*
        pub enum $name:ident { $($(#[$variant_about:meta])* $variant:ident = $word:literal,)+ }
    )+) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
        #[serde(rename_all = "kebab-case")]
        pub enum $name {
            $($(#[$variant_about])* $variant),+
        }

        impl $name {
            /// All variants, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the word that formats use.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }

            /// Returns the variant for a word, or `None` if the word is unknown.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.word() == word)
            }
        }
    )+};
}

word_enums! {
    /// The format of a result.
    pub enum OutputFormat {
        /// JSON.
        Json = "json",
        /// Text.
        Text = "text",
        /// Bytes.
        Binary = "binary",
        /// One JSON value per line.
        NdjsonStream = "ndjson-stream",
        /// No result.
        None = "none",
    }

    /// The form of errors.
    pub enum ErrorEnvelope {
        /// `{"error": {"code", "message", "details"}}`
        Standard = "standard",
        /// The tool's own form.
        Raw = "raw",
    }

    /// The side effects of a tool, mildest first.
    pub enum SideEffects {
        /// No effects: pure computation.
        None = "none",
        /// No effects, but reads the user's data.
        Read = "read",
        /// Recoverable changes of state.
        Write = "write",
        /// Irrecoverable changes of state.
        Destructive = "destructive",
    }

    /// The network access of a tool.
    pub enum Network {
        /// No access.
        Deny = "deny",
        /// Access to the listed hosts.
        Allowlist = "allowlist",
    }

    /// The file access of a tool, least first.
    pub enum Filesystem {
        /// No access.
        None = "none",
        /// Read access.
        Read = "read",
        /// Read and write access.
        Write = "write",
    }

    /// The level of trust in a tool, least first.
    #[derive(Default)]
    pub enum Trust {
        /// Not trusted.
        #[default]
        Untrusted = "untrusted",
        /// Trusted by the community.
        Community = "community",
        /// Verified by a policy.
        Verified = "verified",
        /// The user's own.
        Local = "local",
    }

    /// The way that a tool is driven.
    pub enum Channel {
        /// By a program.
        Programmatic = "programmatic",
        /// Through a virtual desktop or private network.
        #[serde(alias = "vdi_vpn")]
        VdiVpn = "vdi_vpn",
    }
}
