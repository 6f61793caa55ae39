//! The closed sets of words in a descriptor.

use serde::{Deserialize, Serialize};

/// What sort of resource a tool is.
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

/// What a result is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OutputFormat {
    /// JSON.
    Json,
    /// Text.
    Text,
    /// Bytes.
    Binary,
    /// One JSON value a line.
    NdjsonStream,
    /// Nothing.
    None,
}

/// What errors look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ErrorEnvelope {
    /// `{"error": {"code", "message", "details"}}`
    Standard,
    /// The tool's own.
    Raw,
}

/// What a tool changes, mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SideEffects {
    /// Nothing: pure computation.
    None,
    /// Nothing, but it reads the user's data.
    Read,
    /// State, recoverably.
    Write,
    /// State, beyond recovery.
    Destructive,
}

/// What a tool may do with the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Network {
    /// Nothing.
    Deny,
    /// Reach the listed hosts.
    Allowlist,
}

/// What a tool may do with files, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Filesystem {
    /// Nothing.
    None,
    /// Read.
    Read,
    /// Read and write.
    Write,
}

/// How far a tool is trusted, least first.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Trust {
    /// Not at all.
    #[default]
    Untrusted,
    /// By others.
    Community,
    /// By policy.
    Verified,
    /// It is one's own.
    Local,
}

/// How a tool is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Channel {
    /// By program.
    Programmatic,
    /// Through a virtual desktop or private network.
    #[serde(alias = "vdi_vpn")]
    VdiVpn,
}

/// The words of an enum, in its order.
macro_rules! words {
    ($name:ident { $($variant:ident = $word:literal),+ }) => {
        impl $name {
            /// All of them, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word that formats use.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }

            /// What a word stands for.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.word() == word)
            }
        }
    };
}

words!(OutputFormat { Json = "json", Text = "text", Binary = "binary", NdjsonStream = "ndjson-stream", None = "none" });
words!(ErrorEnvelope { Standard = "standard", Raw = "raw" });
words!(SideEffects { None = "none", Read = "read", Write = "write", Destructive = "destructive" });
words!(Network { Deny = "deny", Allowlist = "allowlist" });
words!(Filesystem { None = "none", Read = "read", Write = "write" });
words!(Trust { Untrusted = "untrusted", Community = "community", Verified = "verified", Local = "local" });
words!(Channel { Programmatic = "programmatic", VdiVpn = "vdi_vpn" });
