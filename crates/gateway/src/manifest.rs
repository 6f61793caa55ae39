//! One manifest, with its text and its location.

use std::fmt;
use std::path::{Path, PathBuf};

use disk::files;
use disk::sources::Source;
use toolglot::call::Step;
use toolglot::core::{prose, sha256_hex};
use toolglot::json::Document;
use toolglot::mcpkg::chain::{ChainError, ChainOptions, ChainRun};
use toolglot::{DetectError, Format, Formats, Limits, ToolDescriptor, mcpkg};

use crate::bundles::unpack_bundle;
use crate::scripts::lacks_files;
use crate::skipped::display_path;

/// A manifest as it was read, with its location. The calls of its tools are planned from it.
pub struct Manifest {
    path: PathBuf,
    content: toolglot::Manifest,
    /// The SHA-256 of its file. For a bundle, that is the whole bundle.
    digest: String,
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

impl From<toolglot::ManifestError> for ManifestError {
    fn from(error: toolglot::ManifestError) -> Self {
        use toolglot::ManifestError::Format;

        match error {
            Format(DetectError::Near(ref near)) => Self::Invalid(format!(
                "{error}: `toolglot validate --from {}` says all that is wrong",
                near.format
            )),
            Format(DetectError::LookAlike(_) | DetectError::Unrecognized) => {
                Self::Unrecognized(error.to_string())
            }
            _ => Self::Invalid(error.to_string()),
        }
    }
}

impl fmt::Debug for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Manifest")
            .field("path", &self.path)
            .field("format", &self.format().name)
            .field("digest", &self.digest)
            .finish_non_exhaustive()
    }
}

impl Manifest {
    /// Reads a file, and lifts its tools.
    pub(crate) fn read(path: &Path, formats: Formats<'static>) -> Result<Self, ManifestError> {
        let bytes = files::read(path, Limits::for_bundle().document_bytes)
            .map_err(|error| ManifestError::Invalid(format!("it cannot be read: {error}")))?;
        match unpack_bundle(&bytes).map_err(ManifestError::Invalid)? {
            // The digest covers the whole bundle, because an approval must cover its files.
            Some(bundle) => {
                let text = bundle.manifest.as_bytes();
                let manifest = Self::parse(path.to_owned(), text, Some(bundle.folder), formats)?;
                Ok(Self { digest: sha256_hex(&bytes), ..manifest })
            }
            None => Self::parse(path.to_owned(), &bytes, None, formats),
        }
    }

    /// Reads the source that a converted manifest is pinned to.
    pub(crate) fn from_source(
        source: Source,
        formats: Formats<'static>,
    ) -> Result<Self, ManifestError> {
        let manifest = Self::parse(source.file, &source.bytes, source.folder, formats)?;
        Ok(Self { is_source: true, ..manifest })
    }

    fn parse(
        path: PathBuf,
        bytes: &[u8],
        files_folder: Option<PathBuf>,
        formats: Formats<'static>,
    ) -> Result<Self, ManifestError> {
        let name = display_path(&path);
        let content = toolglot::Manifest::parse(name, bytes, formats, &Limits::default())?;
        let digest = content.digest().to_owned();
        Ok(Self { path, content, digest, files_folder, is_source: false })
    }

    /// Returns the path that it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns its format.
    pub fn format(&self) -> &'static Format {
        self.content.format()
    }

    /// Returns the SHA-256 of its file, in hexadecimal.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns its text.
    pub fn text(&self) -> String {
        self.content.text().to_owned()
    }

    /// Returns the folder that its programs and modules are below.
    pub fn folder(&self) -> PathBuf {
        if let Some(kept) = &self.files_folder {
            return kept.clone();
        }
        let parent = files::parent_of(&self.path);
        // Jumith registries store the files of a tool beside its manifest.
        let files = parent.join("files");
        let is_kept = self.format().name == "jumith" && self.path.ends_with("manifest.json");
        if is_kept && files.is_dir() { files } else { parent.to_owned() }
    }

    /// Returns true if a call of a source depends on files that are not stored with it.
    pub(crate) fn lacks_files(&self, step: &Step, tool: &ToolDescriptor<'_>) -> bool {
        self.is_source && lacks_files(step, tool, self.files_folder.is_some())
    }

    /// Counts the suspicious passages in its texts, which models read.
    pub(crate) fn lint_count(&self) -> usize {
        prose::count_remarks(self.document().root())
    }

    /// Returns its tools.
    pub(crate) fn tools(&self) -> &[ToolDescriptor<'static>] {
        self.content.tools()
    }

    /// Returns the tool with this id.
    pub(crate) fn tool(&self, id: &str) -> Option<&ToolDescriptor<'static>> {
        self.tools().iter().find(|tool| *tool.id == *id)
    }

    /// Checks that its chain can be started with these arguments.
    pub(crate) fn check_chain(&self, arguments: &str) -> Result<(), ChainError> {
        let document = self.document();
        let manifest = mcpkg::Manifest::read(&document);
        ChainRun::new(&manifest, arguments.as_bytes(), ChainOptions::default())?;
        Ok(())
    }

    /// Opens its document, without parsing it again.
    pub(crate) fn document(&self) -> Document<'_> {
        self.content.document()
    }
}
