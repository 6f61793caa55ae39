//! Reading files and standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use toolglot::core::{SourceText, printable, prose};
use toolglot::json::{Document, Node};
use toolglot::mcpb::Bundle;
use toolglot::{Depth, Diagnostic, Format, Limits, Report, ValidateOptions};

use crate::files::limits;
use crate::terminal::console::{Failure, Terminal, single_report};
use crate::terminal::problem::{FileReport, FindingStyle, json_line};
use crate::terminal::sarif;

/// The first bytes of a ZIP archive.
const ARCHIVE: &[u8] = b"PK\x03\x04";

/// A text that was read, with its name.
pub(crate) struct Input {
    /// The name as it was given; use [`Input::display_name`] to print it.
    pub(crate) name: String,
    bytes: Vec<u8>,
    /// The archive that contained the text.
    archive: Option<Vec<u8>>,
}

impl Input {
    /// Reads a file like [`Input::open`], and shows the error if that fails.
    pub(crate) fn read(path: &Path, limit: usize, terminal: &Terminal) -> Result<Self, Failure> {
        Self::open(path, limit).map_err(|error| terminal.usage_error(&error))
    }

    /// Reads a file, or standard input if the path is `-`. If the file is an MCP bundle,
    /// the text is its manifest.
    ///
    /// Reads at most one byte more than `limit`, and archives up to their own limit.
    pub(crate) fn open(path: &Path, limit: usize) -> Result<Self, String> {
        let mut input = Self::load(path, limit)?;
        let bundle = Bundle::detect(&input.bytes, &limits::document());
        if let Some(manifest) = bundle.map(|bundle| bundle.manifest().to_vec()) {
            input.archive = Some(std::mem::replace(&mut input.bytes, manifest));
        }
        Ok(input)
    }

    /// Reads a file like [`Input::open`], but keeps an archive as it is.
    pub(crate) fn load(path: &Path, limit: usize) -> Result<Self, String> {
        let mut bytes = Vec::new();
        let mut read = |mut file: Box<dyn Read>| {
            let room = |limit| u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
            file.by_ref().take(room(limit)).read_to_end(&mut bytes)?;
            let rest = limits::document().archive_bytes.saturating_sub(bytes.len());
            let is_archive = bytes.starts_with(ARCHIVE);
            if is_archive { file.take(room(rest)).read_to_end(&mut bytes) } else { Ok(0) }
        };
        let read = if is_standard(path) {
            read(Box::new(io::stdin().lock()))
        } else {
            File::open(path).and_then(|file| read(Box::new(file)))
        };
        read.map_err(|error| format!("cannot read {}: {error}", display_path(path)))?;
        Ok(Self { name: name(path), bytes, archive: None })
    }

    /// Creates an input from bytes that were read elsewhere.
    pub(crate) fn new(path: &Path, bytes: Vec<u8>) -> Self {
        Self { name: path.display().to_string(), bytes, archive: None }
    }

    /// Returns the MCP bundle that contains the text, if there is one.
    pub(crate) fn bundle(&self) -> Option<Bundle<'_>> {
        Bundle::detect(self.archive.as_deref()?, &limits::document())
    }

    /// Returns the name, safe to print.
    pub(crate) fn display_name(&self) -> String {
        printable(&self.name, 512)
    }

    /// Returns the bytes of the text.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the text for showing diagnostics.
    pub(crate) fn source(&self) -> SourceText<'_> {
        SourceText { name: &self.name, bytes: &self.bytes }
    }

    /// Parses the text as JSON.
    pub(crate) fn parse(&self, limits: &Limits) -> Result<Document<'_>, Report> {
        Document::parse(&self.bytes, limits).map_err(|diagnostic| {
            let help = match diagnostic.rule.code {
                _ if self.bytes.starts_with(ARCHIVE) => {
                    "this looks like a package: `toolglot inspect` reads it"
                }
                "json/size" => {
                    "raise the limit (--max document-bytes=8M); validate, convert and restore \
                     read files of any length with --jsonl"
                }
                "json/nodes" => "raise the limit: --max nodes=1M",
                _ => return single_report(diagnostic),
            };
            single_report(diagnostic.help(help))
        })
    }

    /// Warns if texts of a document that models read are suspicious.
    pub(crate) fn warn_of_texts(&self, document: &Document<'_>, terminal: &Terminal) {
        terminal.warn_of_texts(&self.display_name(), prose::count_remarks(document.root()));
    }

    /// Shows the errors of the text, and returns the failure.
    #[must_use]
    pub(crate) fn refuse(&self, report: &Report, terminal: &Terminal) -> Failure {
        terminal.show(report, Some(&self.source()));
        Failure::Invalid
    }

    /// Prints the report of the text, for people or for programs. Fails if it contains an
    /// error.
    pub(crate) fn print_report(
        &self,
        report: &Report,
        style: FindingStyle,
        terminal: &Terminal,
    ) -> Result<(), Failure> {
        let source = self.source();
        match style {
            FindingStyle::Text => terminal.show(report, Some(&source)),
            FindingStyle::Json => terminal.print(&json_line(&FileReport::new(report, &source)))?,
            FindingStyle::Sarif => {
                terminal.print(&sarif::log(&sarif::findings(report, &source), true))?;
            }
        }
        if report.is_valid() { Ok(()) } else { Err(Failure::Invalid) }
    }
}

/// Opens a file, or standard input if the path is `-`, as a stream.
pub(crate) fn open(path: &Path, terminal: &Terminal) -> Result<Box<dyn Read>, Failure> {
    if is_standard(path) {
        return Ok(Box::new(io::stdin().lock()));
    }
    match File::open(path) {
        Ok(file) => Ok(Box::new(file)),
        Err(error) => {
            Err(terminal.usage_error(&format!("cannot read {}: {error}", display_path(path))))
        }
    }
}

/// Returns the name of a file in messages.
pub(crate) fn name(path: &Path) -> String {
    if is_standard(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// Returns a path, safe to print.
pub(crate) fn display_path(path: &Path) -> String {
    printable(&path.display().to_string(), 512)
}

/// Returns true if a path means standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns the folder that contains a file. Standard input has none.
pub(crate) fn folder(file: &Path) -> Option<PathBuf> {
    if is_standard(file) {
        return None;
    }
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    Some(parent.unwrap_or(Path::new(".")).to_owned())
}

/// Fails if standard input is named twice.
pub(crate) fn check_stdin_once<'p>(
    paths: impl IntoIterator<Item = &'p PathBuf>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let standard = paths.into_iter().filter(|path| is_standard(path)).count();
    if standard > 1 {
        return Err(terminal.usage_error("standard input (-) can be read only once"));
    }
    Ok(())
}

/// A parsed document with its text and its format.
#[derive(Clone, Copy)]
pub(crate) struct LoadedDocument<'a> {
    /// The text.
    pub(crate) input: &'a Input,
    /// The parsed document.
    pub(crate) document: &'a Document<'a>,
    /// The format of the document.
    pub(crate) format: &'static Format,
}

/// Shows why documents could not be converted. If one of them is invalid itself, shows its
/// errors instead. Shows the source lines if the errors are in the document.
#[must_use]
pub(crate) fn refuse(
    report: &Report,
    documents: &[LoadedDocument<'_>],
    terminal: &Terminal,
) -> Failure {
    for loaded in documents {
        if let Some(own) = document_errors(loaded.format, loaded.document) {
            return loaded.input.refuse(&own, terminal);
        }
    }
    if let Some(source) = documents.first()
        && points_into(report, source.document)
    {
        return source.input.refuse(report, terminal);
    }
    terminal.show(report, None);
    Failure::Invalid
}

/// Returns the errors of a document itself, if there are any.
fn document_errors(format: &Format, document: &Document<'_>) -> Option<Report> {
    let options = ValidateOptions { depth: Depth::Semantics, ..limits::validate_options() };
    let own = format.validate(document, &options);
    if own.is_valid() { None } else { Some(own) }
}

/// Returns true if every diagnostic points into the document, and none into its target.
fn points_into(report: &Report, document: &Document<'_>) -> bool {
    let own = |found: &Diagnostic| {
        let node = document.root().at(&found.pointer);
        found.span.is_some() && node.map(Node::span) == found.span
    };
    report.diagnostics.iter().all(own)
}
