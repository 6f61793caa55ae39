//! A manifest that a program keeps: its text, and its tools, lifted once.

use std::fmt;
use std::sync::Arc;

use diagnostic::{Diagnostic, Report};
use json_text::{Document, ParsedEntries};

use crate::descriptor::{LiftedDocument, ToolDescriptor};
use crate::digest::sha256_hex;
use crate::format::Format;
use crate::formats::{DetectError, Formats};
use crate::limits::Limits;

/// A valid manifest that borrows nothing: its text, its format, and its tools.
///
/// It is parsed and lifted once. Clones share the text.
///
/// ```
/// use toolglot_manifest_core::{Formats, Limits, Manifest, ManifestError};
///
/// // Most programs give the formats of the facade, `toolglot::FORMATS`.
/// let refused = Manifest::parse("notes.json", b"{", Formats::new(&[]), &Limits::default());
/// assert!(matches!(refused, Err(ManifestError::Syntax(_))));
/// ```
#[derive(Clone)]
pub struct Manifest {
    name: String,
    format: &'static Format,
    digest: String,
    text: Arc<str>,
    entries: Arc<ParsedEntries>,
    lifted: LiftedDocument<'static>,
}

/// The reason why bytes are not a valid manifest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// The bytes are not JSON, or exceed a limit.
    #[error(transparent)]
    Syntax(Diagnostic),
    /// The format is unknown.
    #[error(transparent)]
    Format(#[from] DetectError),
    /// The manifest has errors by the rules of its format.
    #[error(transparent)]
    Invalid(#[from] Report),
}

impl fmt::Debug for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Manifest")
            .field("name", &self.name)
            .field("format", &self.format.name)
            .field("digest", &self.digest)
            .finish_non_exhaustive()
    }
}

impl Manifest {
    /// Parses a manifest of one of these formats, and lifts its tools. The name is used in
    /// messages: usually the name of the file.
    pub fn parse(
        name: impl Into<String>,
        bytes: &[u8],
        formats: Formats<'_>,
        limits: &Limits,
    ) -> Result<Self, ManifestError> {
        let document = Document::parse(bytes, limits).map_err(ManifestError::Syntax)?;
        let (format, _) = formats.detect(&document)?;
        let lifted = format.lift(&document, limits)?;
        Ok(Self {
            name: name.into(),
            format,
            digest: sha256_hex(bytes),
            text: document.text().into(),
            entries: Arc::new(document.tape()),
            lifted: lifted.into_owned(),
        })
    }

    /// Returns the name that it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns its format.
    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// Returns the SHA-256 of its text, in lower-case hexadecimal digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns its text, byte for byte.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns its tools, in the order of the document.
    pub fn tools(&self) -> &[ToolDescriptor<'static>] {
        &self.lifted.tools
    }

    /// Returns its tools with their provenance.
    pub fn lifted(&self) -> &LiftedDocument<'static> {
        &self.lifted
    }

    /// Opens the document again, without parsing it. The places of the tools are entries of
    /// it.
    pub fn document(&self) -> Document<'_> {
        Document::from_tape(&self.text, &self.entries)
    }
}
