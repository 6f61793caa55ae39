//! The files of a package and their roles.

use std::collections::BTreeSet;

pub use archive::MANIFEST;

use archive::Entry;
use manifest_core::json::Document;
use manifest_core::{Diagnostic, Limits, Report, sha256_hex, some_or_bug};

use crate::Manifest;

/// A description of the service behind the tool.
pub const OPENAPI: &str = "openapi.json";
/// The publisher of the package.
pub const PUBLISHER: &str = "meta/publisher.json";
/// The provenance of the package.
pub const PROVENANCE: &str = "meta/provenance.json";
/// The publisher's signature.
pub const SIGNATURE: &str = "meta/signature.sig";
/// A text for people.
pub const README: &str = "README.md";

/// The files of a package, ordered by name. Unknown files are kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Package<'a> {
    pub(super) entries: Vec<Entry<'a>>,
    pub(super) warnings: Vec<Diagnostic>,
}

/// The role of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Role {
    /// The manifest.
    Manifest,
    /// The description of the service.
    OpenApi,
    /// A test that the manifest lists.
    Test,
    /// An example that the manifest lists.
    Example,
    /// The publisher, the provenance or the signature.
    Meta,
    /// The README.
    Readme,
    /// Anything else.
    Other,
}

impl Role {
    /// Returns the role of a file with a fixed name, and [`Role::Other`] otherwise.
    pub(super) fn of_fixed_name(name: &str) -> Self {
        match name {
            MANIFEST => Self::Manifest,
            OPENAPI => Self::OpenApi,
            PUBLISHER | PROVENANCE | SIGNATURE => Self::Meta,
            README => Self::Readme,
            _ => Self::Other,
        }
    }
}

impl<'a> Package<'a> {
    /// Reads a `.mcpkg`.
    pub fn read(bytes: &'a [u8], limits: &Limits) -> Result<Self, Report> {
        let archive = archive::read(bytes, limits)?;
        let package = Self::new(archive.entries)?;
        Ok(Self { warnings: archive.warnings, ..package })
    }

    /// Creates a package of these files. Fails if the manifest is missing.
    pub fn new(mut entries: Vec<Entry<'a>>) -> Result<Self, Report> {
        archive::manifest(&entries)?;
        entries.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
        Ok(Self { entries, warnings: Vec::new() })
    }

    /// Writes a `.mcpkg`. The same files always give the same bytes.
    pub fn write(&self, limits: &Limits) -> Result<Vec<u8>, Report> {
        archive::write(&self.entries, limits)
    }

    /// Returns the files, ordered by name.
    pub fn entries(&self) -> &[Entry<'a>] {
        &self.entries
    }

    /// Converts the package into its files.
    pub fn into_entries(self) -> Vec<Entry<'a>> {
        self.entries
    }

    /// Returns the bytes of a file.
    pub fn file(&self, name: &str) -> Option<&[u8]> {
        let found =
            self.entries.binary_search_by(|entry| entry.name.as_bytes().cmp(name.as_bytes()));
        self.entries.get(found.ok()?).map(|entry| entry.data.as_ref())
    }

    /// Returns the bytes of the manifest.
    pub fn manifest(&self) -> &[u8] {
        // A package without a manifest cannot be created.
        some_or_bug(self.file(MANIFEST))
    }

    /// Parses the manifest as JSON, to read a [`Manifest`] from.
    pub fn document(&self, limits: &Limits) -> Result<Document<'_>, Diagnostic> {
        Document::parse(self.manifest(), limits)
    }

    /// Returns the files, ordered by name, each with its role.
    pub fn roles(&self, manifest: &Manifest<'_>) -> Vec<(&Entry<'a>, Role)> {
        let tests: BTreeSet<&str> = manifest.tests.iter().map(AsRef::as_ref).collect();
        let examples: BTreeSet<&str> = manifest.examples.iter().map(AsRef::as_ref).collect();
        let mut roles = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            let name = entry.name.as_ref();
            let role = match Role::of_fixed_name(name) {
                Role::Other if tests.contains(name) => Role::Test,
                Role::Other if examples.contains(name) => Role::Example,
                role => role,
            };
            roles.push((entry, role));
        }
        roles
    }

    /// Returns the digest of the content: SHA-256, in hexadecimal, of a line for each file.
    ///
    /// A line contains the SHA-256 of the file, its length and its name. The digest does
    /// not depend on how the archive was compressed, or by whom.
    pub fn digest(&self) -> String {
        sha256_hex(self.digest_lines(|_| true).as_bytes())
    }

    /// Returns a line for each of the files, ordered by name: digest, length, name.
    pub(crate) fn digest_lines(&self, filter: impl Fn(&Entry<'_>) -> bool) -> String {
        let mut lines = Vec::new();
        for entry in &self.entries {
            if filter(entry) {
                let digest = sha256_hex(&entry.data);
                lines.push(format!("{digest} {} {}\n", entry.data.len(), entry.name));
            }
        }
        lines.concat()
    }
}

/// Returns the file name of a package: `<toolId>-<version>.mcpkg`.
pub fn file_name(manifest: &Manifest<'_>) -> String {
    format!("{}-{}.mcpkg", manifest.tool_id, manifest.version)
}

/// Returns the file name that the published tool gives, with dashes in the id.
pub(super) fn reference_file_name(manifest: &Manifest<'_>) -> String {
    format!("{}-{}.mcpkg", manifest.tool_id.replace('.', "-"), manifest.version)
}
