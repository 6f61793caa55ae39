//! One manifest, with its text and its location.

use std::fmt;
use std::path::{Path, PathBuf};

use disk::files;
use disk::sources::Source;
use toolglot::call::Step;
use toolglot::core::{prose, sha256_hex};
use toolglot::json::Document;
use toolglot::mcpkg::chain::{ChainError, ChainOptions, ChainRun};
use toolglot::{DetectError, Diagnostic, Format, Formats, Limits, Report, ToolDescriptor, mcpkg};

use crate::bundles::unpack_bundle;
use crate::scripts::lacks_files;

/// A manifest as it was read. The calls of its tools are planned from it.
pub struct Manifest {
    path: PathBuf,
    format: &'static Format,
    digest: String,
    bytes: Vec<u8>,
    /// The folder with the files of an unpacked bundle or a stored source.
    files_folder: Option<PathBuf>,
    /// True if it is the source of a converted manifest, found by its digest.
    is_source: bool,
}

/// The reason why a file cannot be served as a manifest.
pub(crate) enum ManifestError {
    /// The file does not look like a manifest.
    Unrecognized(String),
    /// The file cannot be read or parsed, or is a faulty or ambiguous manifest.
    Invalid(String),
}

impl ManifestError {
    pub(crate) fn into_message(self) -> String {
        match self {
            Self::Unrecognized(why) | Self::Invalid(why) => why,
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
    pub(crate) fn read(path: &Path, formats: Formats<'static>) -> Result<Self, ManifestError> {
        let bytes = files::read(path, Limits::for_bundle().document_bytes)
            .map_err(|error| ManifestError::Invalid(format!("it cannot be read: {error}")))?;
        match unpack_bundle(&bytes).map_err(ManifestError::Invalid)? {
            // The digest covers the whole bundle, because an approval must cover its files.
            Some(bundle) => {
                let text = bundle.manifest.into_bytes();
                let manifest = Self::parse(path.to_owned(), text, Some(bundle.folder), formats)?;
                Ok(Self { digest: sha256_hex(&bytes), ..manifest })
            }
            None => Self::parse(path.to_owned(), bytes, None, formats),
        }
    }

    /// Reads the source that a converted manifest is pinned to.
    pub(crate) fn from_source(
        source: Source,
        formats: Formats<'static>,
    ) -> Result<Self, ManifestError> {
        let manifest = Self::parse(source.file, source.bytes, source.folder, formats)?;
        Ok(Self { is_source: true, ..manifest })
    }

    fn parse(
        path: PathBuf,
        bytes: Vec<u8>,
        files_folder: Option<PathBuf>,
        formats: Formats<'static>,
    ) -> Result<Self, ManifestError> {
        let document = Document::parse(&bytes, &Limits::default())
            .map_err(|error| ManifestError::Invalid(error.to_string()))?;
        let (format, _) = formats.detect(&document).map_err(|unknown| match unknown {
            DetectError::Near(ref near) => ManifestError::Invalid(format!(
                "{unknown}: `toolglot validate --from {}` says all that is wrong",
                near.format
            )),
            DetectError::Ambiguous(_) => ManifestError::Invalid(unknown.to_string()),
            _ => ManifestError::Unrecognized(unknown.to_string()),
        })?;
        let digest = sha256_hex(&bytes);
        Ok(Self { path, format, digest, bytes, files_folder, is_source: false })
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
        if let Some(kept) = &self.files_folder {
            return kept.clone();
        }
        let parent = files::parent_of(&self.path);
        // Jumith registries store the files of a tool beside its manifest.
        let files = parent.join("files");
        let is_kept = self.format.name == "jumith" && self.path.ends_with("manifest.json");
        if is_kept && files.is_dir() { files } else { parent.to_owned() }
    }

    /// Returns true if a call of a source depends on files that are not stored with it.
    pub(crate) fn lacks_files(&self, step: &Step, tool: &ToolDescriptor<'_>) -> bool {
        self.is_source && lacks_files(step, tool, self.files_folder.is_some())
    }

    /// Counts the suspicious passages in its texts, which models read.
    pub(crate) fn lint_count(&self) -> usize {
        self.document().map_or(0, |document| prose::count_remarks(document.root()))
    }

    /// Calls `lend` with its tools. Fails if the manifest is invalid.
    pub(crate) fn with_tools<T>(
        &self,
        lend: impl FnOnce(&[ToolDescriptor<'_>]) -> T,
    ) -> Result<T, Report> {
        let document = self.document()?;
        let lifted = self.format.lift(&document, &Limits::default())?;
        Ok(lend(&lifted.tools))
    }

    /// Calls `lend` with the tool of this id. Returns `None` if there is no such tool.
    pub(crate) fn with_tool<T>(
        &self,
        id: &str,
        lend: impl FnOnce(&ToolDescriptor<'_>) -> T,
    ) -> Option<T> {
        let lent = self.with_tools(|tools| Some(lend(tools.iter().find(|tool| *tool.id == *id)?)));
        // The manifest was valid when it was read, and its text does not change.
        lent.ok()?
    }

    /// Checks that its chain can be started with these arguments.
    pub(crate) fn check_chain(&self, arguments: &str) -> Result<(), ChainError> {
        let document =
            self.document().map_err(|found| ChainError::Invalid(found.message.clone()))?;
        let manifest = mcpkg::Manifest::read(&document);
        ChainRun::new(&manifest, arguments.as_bytes(), ChainOptions::default())?;
        Ok(())
    }

    pub(crate) fn document(&self) -> Result<Document<'_>, Diagnostic> {
        Document::parse(&self.bytes, &Limits::default())
    }
}
