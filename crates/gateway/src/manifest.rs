//! One manifest, with its text and its location.

use std::fmt;
use std::path::{Path, PathBuf};

use disk::files;
use disk::sources::Source;
use toolglot::call::Step;
use toolglot::core::{prose, sha256_hex};
use toolglot::json::Document;
use toolglot::mcpkg::chain::{ChainError, ChainOptions, ChainRun};
use toolglot::{Diagnostic, Format, Formats, Limits, Report, ToolDescriptor, Unknown, mcpkg};

use crate::bundles::unbundled;
use crate::line::is_relative;
use crate::scripts::looks_around;

/// A manifest as it was read. The calls of its tools are planned from it.
pub struct Manifest {
    path: PathBuf,
    format: &'static Format,
    digest: String,
    bytes: Vec<u8>,
    /// The folder with the files of an unpacked bundle or a stored source.
    kept: Option<PathBuf>,
    /// True if it is the source of a converted manifest, found by its digest.
    is_source: bool,
}

/// The reason why a file cannot be served as a manifest.
pub(crate) enum Wrong {
    /// The file does not look like a manifest.
    Other(String),
    /// The file cannot be read or parsed, or is a faulty or ambiguous manifest.
    Broken(String),
}

impl Wrong {
    pub(crate) fn why(self) -> String {
        match self {
            Self::Other(why) | Self::Broken(why) => why,
        }
    }
}

impl fmt::Debug for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Manifest")
            .field("path", &self.path)
            .field("format", &self.format.name)
            .field("digest", &self.digest)
            .finish_non_exhaustive()
    }
}

impl Manifest {
    /// Reads a file and detects its format.
    pub(crate) fn read(path: &Path, formats: Formats<'static>) -> Result<Self, Wrong> {
        let broken = |error: std::io::Error| Wrong::Broken(format!("it cannot be read: {error}"));
        let bytes = files::read(path, Limits::for_bundle().document_bytes).map_err(broken)?;
        match unbundled(&bytes).map_err(Wrong::Broken)? {
            // The digest covers the whole bundle, because an approval must cover its files.
            Some(bundle) => {
                let text = bundle.manifest.into_bytes();
                let manifest = Self::of(path.to_owned(), text, Some(bundle.folder), formats)?;
                Ok(Self { digest: sha256_hex(&bytes), ..manifest })
            }
            None => Self::of(path.to_owned(), bytes, None, formats),
        }
    }

    /// Reads the source that a converted manifest is pinned to.
    pub(crate) fn kept(source: Source, formats: Formats<'static>) -> Result<Self, Wrong> {
        let kept = Self::of(source.file, source.bytes, source.folder, formats)?;
        Ok(Self { is_source: true, ..kept })
    }

    fn of(
        path: PathBuf,
        bytes: Vec<u8>,
        kept: Option<PathBuf>,
        formats: Formats<'static>,
    ) -> Result<Self, Wrong> {
        let limits = Limits::default();
        let document =
            Document::parse(&bytes, &limits).map_err(|error| Wrong::Broken(error.to_string()))?;
        let detected = formats.detect(&document).map_err(|unknown| match unknown {
            Unknown::Near(ref near) => Wrong::Broken(format!(
                "{unknown}: `toolglot validate --from {}` says all that is wrong",
                near.format
            )),
            Unknown::Ambiguous(_) => Wrong::Broken(unknown.to_string()),
            _ => Wrong::Other(unknown.to_string()),
        })?;
        let (format, digest) = (detected.0, sha256_hex(&bytes));
        Ok(Self { path, format, digest, bytes, kept, is_source: false })
    }

    /// Returns the path that it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns its format.
    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// Returns the SHA-256 of its file, in hexadecimal.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns its text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// Returns the folder that its programs and modules are below.
    pub fn folder(&self) -> PathBuf {
        if let Some(kept) = &self.kept {
            return kept.clone();
        }
        let parent = self.path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        // Jumith registries store the files of a tool beside its manifest.
        let files = parent.join("files");
        let is_kept = self.format.name == "jumith" && self.path.ends_with("manifest.json");
        if is_kept && files.is_dir() { files } else { parent.to_owned() }
    }

    /// Returns true if a call of a source depends on files that are not stored with it.
    /// Files of the same name in the working directory could be anyone's.
    pub(crate) fn lacks_files(&self, step: &Step, tool: &ToolDescriptor<'_>) -> bool {
        let is_lost = self.kept.is_none() && is_relative(step);
        self.is_source && (is_lost || looks_around(step, tool))
    }

    /// Counts the suspicious passages in its texts, which models read.
    pub fn remarks(&self) -> usize {
        let document = Document::parse(&self.bytes, &Limits::default());
        document.map_or(0, |document| prose::count(document.root()))
    }

    /// Calls `lend` with its tools. Fails if the manifest is invalid.
    pub fn tools<T>(&self, lend: impl FnOnce(&[ToolDescriptor<'_>]) -> T) -> Result<T, Report> {
        let document = self.document()?;
        let lifted = self.format.lift(&document, &Limits::default())?;
        Ok(lend(&lifted.tools))
    }

    /// Calls `lend` with its chain, started with these arguments.
    pub(crate) fn chain<T>(
        &self,
        arguments: &str,
        lend: impl FnOnce(Result<ChainRun<'_>, ChainError>) -> Result<T, ChainError>,
    ) -> Result<T, ChainError> {
        let invalid = |found: Diagnostic| ChainError::Invalid(found.message.clone());
        let document = self.document().map_err(invalid)?;
        let manifest = mcpkg::Manifest::read(&document);
        lend(ChainRun::new(&manifest, arguments.as_bytes(), ChainOptions::default()))
    }

    pub(crate) fn document(&self) -> Result<Document<'_>, Diagnostic> {
        Document::parse(&self.bytes, &Limits::default())
    }

    /// Calls `lend` with the tool of this id. Returns `None` if there is no such tool.
    pub fn tool<T>(&self, id: &str, lend: impl FnOnce(&ToolDescriptor<'_>) -> T) -> Option<T> {
        self.tools(|tools| tools.iter().find(|tool| *tool.id == id).map(lend)).ok().flatten()
    }
}
