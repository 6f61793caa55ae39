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

/// The format of a result.
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
    /// One JSON value per line.
    NdjsonStream,
    /// No result.
    None,
}

/// The form of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ErrorEnvelope {
    /// `{"error": {"code", "message", "details"}}`
    Standard,
    /// The tool's own form.
    Raw,
}

/// The side effects of a tool, mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SideEffects {
    /// No effects: pure computation.
    None,
    /// No effects, but reads the user's data.
    Read,
    /// Recoverable changes of state.
    Write,
    /// Irrecoverable changes of state.
    Destructive,
}

/// The network access of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Network {
    /// No access.
    Deny,
    /// Access to the listed hosts.
    Allowlist,
}

/// The file access of a tool, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Filesystem {
    /// No access.
    None,
    /// Read access.
    Read,
    /// Read and write access.
    Write,
}

/// The level of trust in a tool, least first.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Trust {
    /// Not trusted.
    #[default]
    Untrusted,
    /// Trusted by the community.
    Community,
    /// Verified by a policy.
    Verified,
    /// The user's own.
    Local,
}

/// The way that a tool is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Channel {
    /// By a program.
    Programmatic,
    /// Through a virtual desktop or private network.
    #[serde(alias = "vdi_vpn")]
    VdiVpn,
}

/// Implements the conversions between an enum and the words that formats use for it.
macro_rules! string_enum {
    ($name:ident { $($variant:ident = $word:literal),+ }) => {
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
    };
}

string_enum!(OutputFormat { Json = "json", Text = "text", Binary = "binary", NdjsonStream = "ndjson-stream", None = "none" });
string_enum!(ErrorEnvelope { Standard = "standard", Raw = "raw" });
string_enum!(SideEffects { None = "none", Read = "read", Write = "write", Destructive = "destructive" });
string_enum!(Network { Deny = "deny", Allowlist = "allowlist" });
string_enum!(Filesystem { None = "none", Read = "read", Write = "write" });
string_enum!(Trust { Untrusted = "untrusted", Community = "community", Verified = "verified", Local = "local" });
string_enum!(Channel { Programmatic = "programmatic", VdiVpn = "vdi_vpn" });
