//! Reading files and standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use toolglot::core::{SourceText, printable, prose};
use toolglot::json::{Document, Node};
use toolglot::{Depth, Diagnostic, Format, Limits, Report, Validate};

use crate::terminal::{Failure, Terminal, report_of};

/// A text that was read, and its name.
pub(crate) struct Input {
    /// The name as it was given; use [`Input::shown`] to print it.
    pub(crate) name: String,
    bytes: Vec<u8>,
}

impl Input {
    /// Reads a file like [`Input::open`], and says why it cannot.
    pub(crate) fn read(path: &Path, limit: usize, terminal: &Terminal) -> Result<Self, Failure> {
        Self::open(path, limit).map_err(|error| terminal.trouble(&error))
    }

    /// Reads a file, or standard input when the path is `-`. No more is read
    /// than it takes to see that the text is longer than `limit` bytes.
    pub(crate) fn open(path: &Path, limit: usize) -> Result<Self, String> {
        let mut bytes = Vec::new();
        let room = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        let (name, read) = if is_standard(path) {
            let read = io::stdin().lock().take(room).read_to_end(&mut bytes);
            ("<stdin>".to_owned(), read)
        } else {
            let read = File::open(path).and_then(|file| file.take(room).read_to_end(&mut bytes));
            (path.display().to_string(), read)
        };
        match read {
            Ok(_) => Ok(Self { name, bytes }),
            Err(error) => Err(format!("cannot read {}: {error}", shown(path))),
        }
    }

    /// A text that was read elsewhere.
    pub(crate) fn new(path: &Path, bytes: Vec<u8>) -> Self {
        Self { name: path.display().to_string(), bytes }
    }

    /// The name, safe to print.
    pub(crate) fn shown(&self) -> String {
        printable(&self.name, 512)
    }

    /// The bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What diagnostics are shown with.
    pub(crate) fn source(&self) -> SourceText<'_> {
        SourceText { name: &self.name, bytes: &self.bytes }
    }

    /// Reads the text as JSON.
    pub(crate) fn parse(&self, limits: &Limits) -> Result<Document<'_>, Report> {
        Document::parse(&self.bytes, limits).map_err(|diagnostic| {
            if self.bytes.starts_with(b"PK\x03\x04") {
                let help = "this looks like a package: `toolglot inspect` reads it";
                return report_of(diagnostic.help(help));
            }
            report_of(diagnostic)
        })
    }

    /// Says that texts of a document which models read deserve a second look.
    pub(crate) fn warn_of_texts(&self, document: &Document<'_>, terminal: &Terminal) {
        terminal.warn_of_texts(&self.shown(), prose::count(document.root()));
    }

    /// Shows why the text is refused.
    #[must_use]
    pub(crate) fn refuse(&self, report: &Report, terminal: &Terminal) -> Failure {
        terminal.show(report, Some(&self.source()));
        Failure::Invalid
    }
}

/// Opens a file, or standard input when the path is `-`, to be read bit by bit.
pub(crate) fn open(path: &Path, terminal: &Terminal) -> Result<Box<dyn Read>, Failure> {
    if is_standard(path) {
        return Ok(Box::new(io::stdin().lock()));
    }
    match File::open(path) {
        Ok(file) => Ok(Box::new(file)),
        Err(error) => Err(terminal.trouble(&format!("cannot read {}: {error}", shown(path)))),
    }
}

/// The name of a file in messages.
pub(crate) fn name(path: &Path) -> String {
    if is_standard(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// A path, safe to print.
pub(crate) fn shown(path: &Path) -> String {
    printable(&path.display().to_string(), 512)
}

/// Whether a path means standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// The folder that a file is in. Standard input is in none.
pub(crate) fn folder(file: &Path) -> Option<PathBuf> {
    if is_standard(file) {
        return None;
    }
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    Some(parent.unwrap_or(Path::new(".")).to_owned())
}

/// Refuses to read standard input twice.
pub(crate) fn read_once<'p>(
    paths: impl IntoIterator<Item = &'p PathBuf>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let standard = paths.into_iter().filter(|path| is_standard(path)).count();
    if standard > 1 {
        return Err(terminal.trouble("standard input (-) can be read only once"));
    }
    Ok(())
}

/// Runs something for each file, and fails as the worst of them does.
pub(crate) fn each_file(
    files: &[PathBuf],
    terminal: &Terminal,
    run: impl Fn(&Path) -> Result<(), Failure>,
) -> Result<(), Failure> {
    read_once(files, terminal)?;
    let worst = files.iter().filter_map(|file| run(file).err()).max();
    worst.map_or(Ok(()), Err)
}

/// A document, where it was read from, and its format.
#[derive(Clone, Copy)]
pub(crate) struct Loaded<'a> {
    pub(crate) input: &'a Input,
    pub(crate) document: &'a Document<'a>,
    pub(crate) format: &'static Format,
}

/// Shows why documents could not be converted: with its lines, when one of them
/// is at fault itself.
#[must_use]
pub(crate) fn refuse(report: &Report, documents: &[Loaded<'_>], terminal: &Terminal) -> Failure {
    for loaded in documents {
        if let Some(own) = faults(loaded.format, loaded.document) {
            return loaded.input.refuse(&own, terminal);
        }
    }
    if let Some(source) = documents.first()
        && is_about(report, source.document)
    {
        return source.input.refuse(report, terminal);
    }
    terminal.show(report, None);
    Failure::Invalid
}

/// What is wrong with a document itself.
fn faults(format: &Format, document: &Document<'_>) -> Option<Report> {
    let options = Validate { depth: Depth::Meaning, ..Validate::default() };
    let own = format.validate(document, &options);
    if own.is_valid() { None } else { Some(own) }
}

/// Whether places are those of a document, and not of what it would have become.
fn is_about(report: &Report, document: &Document<'_>) -> bool {
    let own = |found: &Diagnostic| {
        let node = document.root().at(&found.pointer);
        found.span.is_some() && node.map(Node::span) == found.span
    };
    report.diagnostics.iter().all(own)
}
