//! Hosts, and the reasons why an implementation does not fit one.

use std::fmt;

use manifest_core::quoted;

/// The properties of a host that tools may require. The host lacks anything that is not
/// listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// Operating system and architecture: `linux-x64`, `win-x64`, `darwin-arm64`.
    /// A browser has none.
    pub platform: Option<String>,
    /// The languages that the host accepts. An empty list means any.
    pub languages: Vec<String>,
    /// The runtimes, for example `node`, `python`, `dotnet` or `browser`.
    pub runtimes: Vec<Software>,
    /// The programs that tools may call, for example `ffmpeg`.
    pub tools: Vec<Software>,
    /// The installed Python packages.
    pub python_packages: Vec<Software>,
    /// The installed Node packages.
    pub node_packages: Vec<Software>,
    /// True if there is a GPU to compute with.
    pub gpu: bool,
    /// True if implementations with unknown requirements may be chosen, after all others.
    pub accept_unknown: bool,
}

/// An installed runtime, program or package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Software {
    /// The name.
    pub name: String,
    /// The version, if it is known.
    pub version: Option<String>,
}

impl Software {
    /// Creates an entry with a known version.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self { name: name.into(), version: Some(version.into()) }
    }
}

/// A reason why an implementation does not fit.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reason {
    /// The host does not accept the language.
    Language(String),
    /// The host lacks the runtime, or this version of it.
    Runtime(String),
    /// The implementation does not list the host's platform.
    Platform,
    /// The host lacks a package, a program, a GPU, or a version of one.
    Missing(String),
    /// A requirement is invalid or unknown.
    Unknown(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Language(name) => write!(f, "the language {} is not wanted", quoted(name)),
            Self::Runtime(name) => write!(f, "there is no runtime {}", quoted(name)),
            Self::Platform => f.write_str("the platform is not one of those listed"),
            Self::Missing(what) | Self::Unknown(what) => f.write_str(what),
        }
    }
}
