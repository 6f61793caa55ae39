//! One error for the whole way from a text to the answer of a call.

use std::error::Error as StdError;
use std::fmt;
use std::iter::zip;

use manifest_core::{
    DetectError, Diagnostic, ManifestError, Position, Report, SourceText, printable,
};

use crate::name::UnknownFormat;

/// The most problems that are displayed, one on each line.
const MAX_LINES: usize = 10;

/// The error of everything between a text and the answer of a call. `?` makes one of each error
/// that this crate returns.
///
/// It displays one line for each problem. A diagnostic has only a span of bytes, so the line and
/// column are known once [`in_text`](Self::in_text) has seen the text. Do that once, around all
/// that is done with a text:
///
#[cfg_attr(feature = "mcpkg", doc = "```")]
#[cfg_attr(not(feature = "mcpkg"), doc = "```ignore")]
/// use toolglot::{Error, Limits, detect, json::Document};
///
/// fn count_tools(text: &[u8]) -> Result<usize, Error> {
///     let limits = Limits::default();
///     let document = Document::parse(text, &limits)?;
///     let (format, _) = detect(&document)?;
///     Ok(format.lift(&document, &limits)?.tools.len())
/// }
///
/// let text = b"{\n  \"toolId\": acme.find\n}\n";
/// let error = count_tools(text).map_err(|error| error.in_text("find.json", text)).unwrap_err();
/// assert!(error.to_string().starts_with("find.json:2:13: error[json/syntax]"));
/// assert_eq!(error.diagnostics()[0].rule.code, "json/syntax");
/// ```
///
/// `Debug` is the same as `Display`, so that it can be the error of `main`. The message of
/// [`source`](StdError::source) is part of the displayed text: print one or the other.
pub struct Error(Box<Inner>);

struct Inner {
    cause: Cause,
    file: Option<String>,
    /// The positions of the errors in a report, in their order. Empty if they are unknown.
    positions: Vec<Option<Position>>,
}

enum Cause {
    Report(Report),
    Other(Box<dyn StdError + Send + Sync>),
}

impl Error {
    /// Creates an error from one of another crate, or from a text.
    pub fn new(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::with_cause(Cause::Other(cause.into()))
    }

    fn with_cause(cause: Cause) -> Self {
        Self(Box::new(Inner { cause, file: None, positions: Vec::new() }))
    }

    /// Names the file that the error is about, unless it has a name.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        if self.0.file.is_none() {
            self.0.file = Some(file.into());
        }
        self
    }

    /// Names the file that the error is about, and finds lines and columns in its text. What is
    /// known already stays: an error in another file, or in a stream.
    #[must_use]
    pub fn in_text(mut self, file: impl Into<String>, text: impl AsRef<[u8]>) -> Self {
        let is_new = self.0.file.is_none() && self.0.positions.is_empty();
        if is_new && let Cause::Report(report) = &self.0.cause {
            let text = SourceText { name: "", bytes: text.as_ref() };
            for found in report.errors().take(MAX_LINES) {
                self.0.positions.push(found.span.map(|span| text.position(span.start)));
            }
        }
        self.in_file(file)
    }

    /// Returns the file that the error is about, if it is known.
    pub fn file(&self) -> Option<&str> {
        self.0.file.as_deref()
    }

    /// Returns the line and column of the first error, if they are known.
    pub fn position(&self) -> Option<Position> {
        self.0.positions.first().copied().flatten()
    }

    /// Returns the report, if the error is one of diagnostics.
    pub fn report(&self) -> Option<&Report> {
        match &self.0.cause {
            Cause::Report(report) => Some(report),
            Cause::Other(_) => None,
        }
    }

    /// Returns all diagnostics, also those that are no errors. Empty if the error has another
    /// cause.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self.report() {
            Some(report) => &report.diagnostics,
            None => &[],
        }
    }

    /// Writes the file, the line and the column, as far as they are known.
    fn write_place(&self, f: &mut fmt::Formatter<'_>, at: Option<Position>) -> fmt::Result {
        match (self.file(), at) {
            (Some(file), Some(Position { line, column })) => {
                write!(f, "{}:{line}:{column}: ", printable(file, 512))
            }
            (Some(file), None) => write!(f, "{}: ", printable(file, 512)),
            (None, Some(Position { line, column })) => write!(f, "{line}:{column}: "),
            (None, None) => Ok(()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = match &self.0.cause {
            Cause::Report(report) if report.errors().next().is_some() => report,
            Cause::Report(report) => return write!(f, "{report}"),
            Cause::Other(error) => {
                self.write_place(f, None)?;
                return write!(f, "{error}");
            }
        };
        let unknown = std::iter::repeat(None);
        let positions = self.0.positions.iter().copied().chain(unknown);
        for (index, (found, at)) in zip(report.errors().take(MAX_LINES), positions).enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            self.write_place(f, at)?;
            write!(f, "{found}")?;
        }
        match report.errors().count().saturating_sub(MAX_LINES) {
            0 => Ok(()),
            1 => f.write_str("\n(and one more error)"),
            more => write!(f, "\n(and {more} more errors)"),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &self.0.cause {
            Cause::Report(report) => Some(report),
            Cause::Other(error) => Some(error.as_ref()),
        }
    }
}

impl From<Report> for Error {
    fn from(report: Report) -> Self {
        Self::with_cause(Cause::Report(report))
    }
}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Self {
        Report::from(diagnostic).into()
    }
}

impl From<Vec<Diagnostic>> for Error {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Report::from(diagnostics).into()
    }
}

impl From<DetectError> for Error {
    fn from(error: DetectError) -> Self {
        Self::new(error)
    }
}

impl From<ManifestError> for Error {
    fn from(error: ManifestError) -> Self {
        match error {
            ManifestError::Syntax(diagnostic) => diagnostic.into(),
            ManifestError::Invalid(report) => report.into(),
            other => Self::new(other),
        }
    }
}

impl From<UnknownFormat> for Error {
    fn from(error: UnknownFormat) -> Self {
        Self::new(error)
    }
}

/// For functions whose error is a sentence.
impl From<String> for Error {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}

/// For callers that add sentences of their own: `.ok_or("there is no tool")?`.
impl From<&str> for Error {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}

/// For callers that read files.
impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::new(error)
    }
}

#[cfg(feature = "convert")]
impl From<convert::stream::StreamError> for Error {
    fn from(error: convert::stream::StreamError) -> Self {
        let at = error.place.position();
        let mut found = Self::from(error.diagnostic);
        found.0.positions.push(Some(at));
        found
    }
}

#[cfg(feature = "call")]
impl From<call::Refused> for Error {
    fn from(refused: call::Refused) -> Self {
        match refused.report() {
            Some(report) => report.clone().into(),
            None => Self::new(refused),
        }
    }
}

#[cfg(feature = "call")]
impl From<call::FillError> for Error {
    fn from(error: call::FillError) -> Self {
        Self::new(error)
    }
}

#[cfg(feature = "call")]
impl From<call::VariableErrors> for Error {
    fn from(errors: call::VariableErrors) -> Self {
        Self::new(errors)
    }
}

#[cfg(feature = "call")]
impl From<call::Failure> for Error {
    fn from(failure: call::Failure) -> Self {
        Self::new(failure)
    }
}

#[cfg(all(feature = "providers", feature = "schema"))]
impl From<providers::Refusal> for Error {
    fn from(refusal: providers::Refusal) -> Self {
        Self::new(refusal)
    }
}

#[cfg(feature = "compare")]
impl From<compare::MergeConflicts> for Error {
    fn from(conflicts: compare::MergeConflicts) -> Self {
        Self::new(conflicts)
    }
}
