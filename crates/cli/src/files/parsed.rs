//! Named files and their errors. With JSON output, every file has an object, even if it
//! cannot be read or is invalid.

use std::path::{Path, PathBuf};

use serde::Serialize;
use toolglot::core::SourceText;
use toolglot::json::Document;
use toolglot::{Format, LiftedDocument, Limits, Report};

use crate::files::formats::Candidates;
use crate::files::input::{self, Input};
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::{Problem, Style};
use crate::terminal::sarif::{self, Finding};

/// A file that was named on the command line.
pub(crate) struct NamedFile {
    /// The name as it was given.
    pub(crate) name: String,
    /// The text, or the error if it cannot be read.
    pub(crate) input: Result<Input, String>,
}

impl NamedFile {
    /// Reads a file, and keeps the error if it cannot be read.
    pub(crate) fn read(path: &Path, limits: &Limits) -> Self {
        let input = Input::open(path, limits.document_bytes);
        Self { name: input::name(path), input }
    }

    /// Returns the text, which is empty if the file was not read.
    fn source(&self) -> SourceText<'_> {
        let unread = SourceText { name: &self.name, bytes: &[] };
        self.input.as_ref().map_or(unread, Input::source)
    }

    /// Parses the file, and detects its format.
    pub(crate) fn open<'a>(
        &'a self,
        candidates: Candidates,
        limits: &Limits,
    ) -> Result<ParsedFile<'a>, FileError<'a>> {
        let input =
            self.input.as_ref().map_err(|error| FileError::Unreadable { asked: self, error })?;
        let invalid =
            |report| FileError::Invalid { asked: self, report, format: candidates.explicit };
        let document = input.parse(limits).map_err(invalid)?;
        let (format, _) = candidates.detect(&document).map_err(invalid)?;
        Ok(ParsedFile { file: self, document, format })
    }
}

/// A parsed document with its format.
pub(crate) struct ParsedFile<'a> {
    /// The file.
    pub(crate) file: &'a NamedFile,
    /// The parsed document.
    pub(crate) document: Document<'a>,
    /// The format of the document.
    pub(crate) format: &'static Format,
}

impl<'a> ParsedFile<'a> {
    /// Lifts the tools of the document.
    pub(crate) fn lift(&self, limits: &Limits) -> Result<LiftedDocument<'_>, FileError<'a>> {
        let lifted = self.format.lift(&self.document, limits);
        let format = Some(self.format);
        lifted.map_err(|report| FileError::Invalid { asked: self.file, report, format })
    }

    /// Returns the text of the file.
    pub(crate) fn source(&self) -> SourceText<'_> {
        self.file.source()
    }

    /// Returns the description of the file for programs.
    pub(crate) fn describe(&self) -> FileDescription<'_> {
        FileDescription {
            file: &self.file.name,
            format: Some(self.format.name),
            ..FileDescription::default()
        }
    }
}

/// A file that cannot be read or is invalid.
pub(crate) enum FileError<'a> {
    /// The file cannot be read.
    Unreadable {
        /// The file.
        asked: &'a NamedFile,
        /// The error.
        error: &'a str,
    },
    /// The file is not a valid document.
    Invalid {
        /// The file.
        asked: &'a NamedFile,
        /// The errors in it.
        report: Report,
        /// The format that was named or detected.
        format: Option<&'static Format>,
    },
}

impl FileError<'_> {
    /// Shows the errors. With JSON output, those of an invalid file are left out, because
    /// the JSON contains them.
    pub(crate) fn show(&self, style: Style, terminal: &Terminal) {
        match self {
            Self::Unreadable { error, .. } => terminal.error(error),
            Self::Invalid { .. } if style == Style::Json => {}
            Self::Invalid { asked, report, .. } => {
                let input = asked.input.as_ref().ok();
                terminal.show(report, input.map(Input::source).as_ref());
            }
        }
    }

    /// Returns the errors as SARIF findings. A file that cannot be read has none.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        match self {
            Self::Unreadable { .. } => Vec::new(),
            Self::Invalid { asked, report, .. } => sarif::findings(report, &asked.source()),
        }
    }

    /// Returns the failure of the verb.
    pub(crate) const fn failure(&self) -> Failure {
        match self {
            Self::Unreadable { .. } => Failure::Usage,
            Self::Invalid { .. } => Failure::Invalid,
        }
    }

    /// Returns the description of the file for programs.
    pub(crate) fn describe(&self) -> FileDescription<'_> {
        match self {
            Self::Unreadable { asked, error } => FileDescription {
                file: &asked.name,
                error: Some(error),
                ..FileDescription::default()
            },
            Self::Invalid { asked, report, format } => {
                let source = asked.input.as_ref().map(Input::source);
                let problem = |found| match &source {
                    Ok(source) => Problem::new(found, source),
                    Err(_) => Problem::at(found, None),
                };
                FileDescription {
                    file: &asked.name,
                    format: format.map(|format| format.name),
                    error: None,
                    diagnostics: report.diagnostics.iter().map(problem).collect(),
                }
            }
        }
    }
}

/// The description of a file for programs.
#[derive(Default, Serialize)]
pub(crate) struct FileDescription<'a> {
    /// The name of the file.
    pub(crate) file: &'a str,
    /// The format, if it is known.
    pub(crate) format: Option<&'static str>,
    /// The error if it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    /// The errors in it.
    pub(crate) diagnostics: Vec<Problem<'a>>,
}

/// Reads files that a verb handles together.
pub(crate) fn read<'p>(
    paths: impl IntoIterator<Item = &'p PathBuf>,
    limits: &Limits,
) -> Vec<NamedFile> {
    paths.into_iter().map(|path| NamedFile::read(path, limits)).collect()
}

/// Returns all values, or all results if one of them is an error.
pub(crate) fn collect_or_results<'a, T>(
    results: impl Iterator<Item = Result<T, FileError<'a>>>,
) -> Result<Vec<T>, Vec<Result<T, FileError<'a>>>> {
    let results: Vec<_> = results.collect();
    if results.iter().any(Result::is_err) {
        return Err(results);
    }
    Ok(results.into_iter().filter_map(Result::ok).collect())
}

/// Shows why files cannot be handled together, with every error of every file.
pub(crate) fn refuse<'a, T>(
    style: Style,
    results: &'a [Result<T, FileError<'_>>],
    about: impl Fn(&'a T) -> FileDescription<'a>,
    json: impl Fn(Vec<FileDescription<'a>>) -> String,
    terminal: &Terminal,
) -> Failure {
    let unusable = || results.iter().filter_map(|result| result.as_ref().err());
    unusable().for_each(|found| found.show(style, terminal));
    if style == Style::Json {
        let files = results.iter().map(|result| match result {
            Ok(usable) => about(usable),
            Err(unusable) => unusable.describe(),
        });
        if let Err(failure) = terminal.print(&json(files.collect())) {
            return failure;
        }
    }
    unusable().map(FileError::failure).max().unwrap_or(Failure::Invalid)
}
