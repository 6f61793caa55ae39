//! The formats as a closed set.

use std::fmt;
use std::str::FromStr;

use manifest_core::{Format, did_you_mean, quoted};

/// The name of a format that is compiled in.
///
/// It is accepted wherever a [`Format`] is expected:
///
/// ```
/// use toolglot::{FormatName, Limits, Options, convert, json::Document};
///
/// let to: FormatName = "mcpkg".parse()?;
/// let text = br#"{"tools": [{"name": "get_time", "command": ["./tools/bin/get_time"]}]}"#;
/// let source = Document::parse(text, &Limits::default())?;
/// let converted = convert(&source, FormatName::ToolsJson, to, &Options::default())?;
/// assert!(converted.documents[0].text.contains("local.gettime."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(clippy::exhaustive_enums)] // a new format is a new major version
pub enum FormatName {
    /// agentcli `tools.json`.
    #[cfg(feature = "tools-json")]
    ToolsJson,
    /// MCPKG 0.1 and 0.2.
    #[cfg(feature = "mcpkg")]
    Mcpkg,
    /// Jumith registry manifests.
    #[cfg(feature = "jumith")]
    Jumith,
    /// Unison capability manifests and catalogs.
    #[cfg(feature = "capability")]
    Capability,
    /// Toolspace install manifests, 0.1 to 0.4.
    #[cfg(feature = "install-manifest")]
    InstallManifest,
    /// Manifests of MCP bundles, 0.1 to 0.4.
    #[cfg(feature = "mcpb")]
    Mcpb,
    /// `server.json` of the MCP registry, 2025-07-09 to 2025-12-11.
    #[cfg(feature = "server-json")]
    ServerJson,
    /// Lists of tools, as in responses of MCP servers and requests to model providers.
    #[cfg(feature = "tool-list")]
    ToolList,
}

impl FormatName {
    /// All names, in the order of [`FORMATS`](crate::FORMATS).
    pub const ALL: &'static [Self] = &[
        #[cfg(feature = "tools-json")]
        Self::ToolsJson,
        #[cfg(feature = "mcpkg")]
        Self::Mcpkg,
        #[cfg(feature = "jumith")]
        Self::Jumith,
        #[cfg(feature = "capability")]
        Self::Capability,
        #[cfg(feature = "install-manifest")]
        Self::InstallManifest,
        #[cfg(feature = "mcpb")]
        Self::Mcpb,
        #[cfg(feature = "server-json")]
        Self::ServerJson,
        #[cfg(feature = "tool-list")]
        Self::ToolList,
    ];

    /// Returns the format with this name.
    pub fn format(self) -> &'static Format {
        match self {
            #[cfg(feature = "tools-json")]
            Self::ToolsJson => &tools_json::FORMAT,
            #[cfg(feature = "mcpkg")]
            Self::Mcpkg => &mcpkg::FORMAT,
            #[cfg(feature = "jumith")]
            Self::Jumith => &jumith::FORMAT,
            #[cfg(feature = "capability")]
            Self::Capability => &capability::FORMAT,
            #[cfg(feature = "install-manifest")]
            Self::InstallManifest => &install_manifest::FORMAT,
            #[cfg(feature = "mcpb")]
            Self::Mcpb => &mcp::mcpb::FORMAT,
            #[cfg(feature = "server-json")]
            Self::ServerJson => &mcp::server_json::FORMAT,
            #[cfg(feature = "tool-list")]
            Self::ToolList => &mcp::tool_list::FORMAT,
        }
    }

    /// Returns the generator of documents of the format.
    ///
    /// ```
    /// use toolglot::{FormatName, testkit::Rng};
    ///
    /// let text = (FormatName::Mcpkg.testkit().generate)(&mut Rng::new(7), 3);
    /// assert_eq!((FormatName::Mcpkg.testkit().generate)(&mut Rng::new(7), 3), text);
    /// ```
    #[cfg(feature = "testkit")]
    pub fn testkit(self) -> &'static testkit::Testkit {
        match self {
            #[cfg(feature = "tools-json")]
            Self::ToolsJson => &tools_json::testkit::TESTKIT,
            #[cfg(feature = "mcpkg")]
            Self::Mcpkg => &mcpkg::testkit::TESTKIT,
            #[cfg(feature = "jumith")]
            Self::Jumith => &jumith::testkit::TESTKIT,
            #[cfg(feature = "capability")]
            Self::Capability => &capability::testkit::TESTKIT,
            #[cfg(feature = "install-manifest")]
            Self::InstallManifest => &install_manifest::testkit::TESTKIT,
            #[cfg(feature = "mcpb")]
            Self::Mcpb => &mcp::mcpb::testkit::TESTKIT,
            #[cfg(feature = "server-json")]
            Self::ServerJson => &mcp::server_json::testkit::TESTKIT,
            #[cfg(feature = "tool-list")]
            Self::ToolList => &mcp::tool_list::testkit::TESTKIT,
        }
    }

    /// Returns the name that commands, options and residues use, such as `tools-json`.
    pub fn as_str(self) -> &'static str {
        self.format().name
    }
}

impl From<FormatName> for &'static Format {
    fn from(name: FormatName) -> Self {
        name.format()
    }
}

impl fmt::Display for FormatName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error for an unknown name of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownFormat {
    /// The name.
    pub name: String,
}

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no format {}", quoted(&self.name))?;
        let names = || FormatName::ALL.iter().map(|name| name.as_str());
        match did_you_mean(&self.name, names()) {
            Some(guess) => write!(f, ": did you mean {}?", quoted(guess)),
            None => write!(f, "; use one of {}", names().collect::<Vec<_>>().join(", ")),
        }
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for FormatName {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let found = Self::ALL.iter().copied().find(|known| known.as_str() == name);
        found.ok_or_else(|| UnknownFormat { name: name.to_owned() })
    }
}
