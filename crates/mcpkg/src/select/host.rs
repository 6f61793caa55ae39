//! What a host is, and why an implementation does not fit it.

use std::fmt;

use manifest_core::quoted;

/// What a host is, as far as tools may ask. What it does not list is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// Operating system and architecture: `linux-x64`, `win-x64`, `darwin-arm64`.
    /// A browser has none.
    pub platform: Option<String>,
    /// The languages that tools may be in. None means any.
    pub languages: Vec<String>,
    /// What there is to run tools with: `node`, `python`, `dotnet`, `browser`.
    pub runtimes: Vec<Software>,
    /// Programs that tools may call: `ffmpeg`.
    pub tools: Vec<Software>,
    /// Packages of Python that are installed.
    pub python_packages: Vec<Software>,
    /// Packages of Node that are installed.
    pub node_packages: Vec<Software>,
    /// Whether there is a GPU to compute with.
    pub gpu: bool,
    /// Whether implementations with requirements that are not understood may be
    /// chosen, after all others.
    pub accept_unknown: bool,
}

/// Something that is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Software {
    /// Its name.
    pub name: String,
    /// Its version, where that is known.
    pub version: Option<String>,
}

impl Software {
    /// Something of a known version.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self { name: name.into(), version: Some(version.into()) }
    }
}

/// Why an implementation does not fit.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reason {
    /// The host wants other languages.
    Language(String),
    /// The host does not have the runtime, or not this version of it.
    Runtime(String),
    /// The host is none of the platforms.
    Platform,
    /// The host lacks a package, a program, a GPU, or a version of one.
    Missing(String),
    /// A requirement is broken, or nobody knows what it means.
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
