//! The formats as a set of names.

use std::fmt;
use std::str::FromStr;

use manifest_core::{Depth, Format, Pointer, Report, Rule, Severity, did_you_mean, quoted};

use crate::formats::FORMATS;
#[cfg(feature = "testkit")]
use crate::formats::testkits;

/// The name of a format.
///
/// All names exist, whatever the features of this crate. A name is accepted wherever a
/// [`Format`] is expected; if the feature of the format is off, the operation fails with an
/// error that names the feature.
///
#[cfg_attr(all(feature = "convert", feature = "mcpkg", feature = "tools-json"), doc = "```")]
#[cfg_attr(
    not(all(feature = "convert", feature = "mcpkg", feature = "tools-json")),
    doc = "```ignore"
)]
/// use toolglot::{FormatName, Limits, Options, convert, json::Document};
///
/// let to: FormatName = "mcpkg".parse()?;
/// let text = br#"{"tools": [{"name": "get_time", "command": ["./tools/bin/get_time"]}]}"#;
/// let source = Document::parse(text, &Limits::default())?;
/// let converted = convert(&source, FormatName::ToolsJson, to, &Options::default())?;
/// assert!(converted.documents[0].text.contains("local.gettime."));
/// # Ok::<(), toolglot::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FormatName {
    /// agentcli `tools.json`.
    ToolsJson,
    /// MCPKG 0.1 and 0.2.
    Mcpkg,
    /// Jumith registry manifests.
    Jumith,
    /// Unison capability manifests and catalogs.
    Capability,
    /// Toolspace install manifests, 0.1 to 0.4.
    InstallManifest,
    /// Manifests of MCP bundles, 0.1 to 0.4.
    Mcpb,
    /// `server.json` of the MCP registry, 2025-07-09 to 2025-12-11.
    ServerJson,
    /// Lists of tools, as in responses of MCP servers and requests to model providers.
    ToolList,
}

impl FormatName {
    /// All names, in the order of [`FORMATS`], which has those that are compiled in.
    pub const ALL: &'static [Self] = &[
        Self::ToolsJson,
        Self::Mcpkg,
        Self::Jumith,
        Self::Capability,
        Self::InstallManifest,
        Self::Mcpb,
        Self::ServerJson,
        Self::ToolList,
    ];

    /// Returns the names of the formats that are compiled in.
    pub fn compiled() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|name| name.format().is_ok())
    }

    /// Returns the format with this name. Fails if its feature is off.
    ///
    /// ```
    /// use toolglot::FormatName;
    ///
    /// match FormatName::Mcpkg.format() {
    ///     Ok(format) => assert_eq!(format.name, "mcpkg"),
    ///     Err(error) => assert_eq!(
    ///         error.to_string(),
    ///         "the format mcpkg is not compiled in: turn on the feature `mcpkg` of toolglot"
    ///     ),
    /// }
    /// ```
    pub fn format(self) -> Result<&'static Format, UnknownFormat> {
        FORMATS.by_name(self.as_str()).ok_or_else(|| self.not_compiled())
    }

    /// Returns the generator of documents of the format. Fails if its feature is off.
    ///
    #[cfg_attr(feature = "mcpkg", doc = "```")]
    #[cfg_attr(not(feature = "mcpkg"), doc = "```ignore")]
    /// use toolglot::{FormatName, testkit::Rng};
    ///
    /// let testkit = FormatName::Mcpkg.testkit()?;
    /// let text = (testkit.generate)(&mut Rng::new(7), 3);
    /// assert_eq!((testkit.generate)(&mut Rng::new(7), 3), text);
    /// # Ok::<(), toolglot::Error>(())
    /// ```
    #[cfg(feature = "testkit")]
    pub fn testkit(self) -> Result<&'static testkit::Testkit, UnknownFormat> {
        let found = testkits().find(|testkit| testkit.format.name == self.as_str());
        found.ok_or_else(|| self.not_compiled())
    }

    /// Returns the name that commands, options and residues use, such as `tools-json`. The
    /// feature of the format has the same name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ToolsJson => "tools-json",
            Self::Mcpkg => "mcpkg",
            Self::Jumith => "jumith",
            Self::Capability => "capability",
            Self::InstallManifest => "install-manifest",
            Self::Mcpb => "mcpb",
            Self::ServerJson => "server-json",
            Self::ToolList => "tool-list",
        }
    }

    fn not_compiled(self) -> UnknownFormat {
        UnknownFormat { name: self.as_str().to_owned() }
    }
}

impl TryFrom<FormatName> for &'static Format {
    type Error = UnknownFormat;

    fn try_from(name: FormatName) -> Result<Self, UnknownFormat> {
        name.format()
    }
}

impl fmt::Display for FormatName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error for the name of a format that does not exist, or is not compiled in.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownFormat {
    /// The name.
    pub name: String,
}

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = FormatName::ALL.iter().map(|known| known.as_str());
        if known.clone().any(|known| known == self.name) {
            return write!(
                f,
                "the format {0} is not compiled in: turn on the feature `{0}` of toolglot",
                self.name
            );
        }
        write!(f, "there is no format {}", quoted(&self.name))?;
        if let Some(guess) = did_you_mean(&self.name, known) {
            return write!(f, ": did you mean {}?", quoted(guess));
        }
        let names: Vec<&str> = FormatName::compiled().map(FormatName::as_str).collect();
        write!(f, "; use one of {}", names.join(", "))
    }
}

impl std::error::Error for UnknownFormat {}

/// The rule of [`UnknownFormat`], where an operation answers with a report.
pub(crate) static UNKNOWN_FORMAT: Rule = Rule {
    code: "toolglot/unknown-format",
    severity: Severity::Error,
    depth: Depth::Structure,
    summary: "name a format that is compiled in",
    explanation: "Each format is behind a feature of the crate toolglot that has its name. All \
                  of them are on by default.",
};

impl From<UnknownFormat> for Report {
    fn from(error: UnknownFormat) -> Self {
        UNKNOWN_FORMAT.at_pointer(Pointer::root(), error.to_string()).into()
    }
}

impl FromStr for FormatName {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        for known in Self::ALL.iter().copied() {
            if known.as_str() == name {
                known.format()?;
                return Ok(known);
            }
        }
        Err(UnknownFormat { name: name.to_owned() })
    }
}
