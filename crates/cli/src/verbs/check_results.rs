//! The results of checking files, in the requested style.

use std::path::Path;

use serde::Serialize;
use toolglot::{Format, Report};

use crate::files::input::{self, Input};
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::{FindingStyle, Problem, json_line};
use crate::terminal::sarif::{self, Finding};
use crate::verbs::validate_args::is_zero;

/// The format and the version of a document, if they are known.
pub(crate) type DetectedFormat = Option<(&'static Format, Option<String>)>;

/// The SARIF findings of files, and the worst failure. Text and JSON results are printed
/// already.
#[derive(Default)]
pub(crate) struct CheckResults {
    findings: Vec<Finding>,
    failure: Option<Failure>,
}

/// The result of one file, for programs.
#[derive(Default, Serialize)]
struct FileVerdict<'a> {
    file: &'a str,
    format: Option<&'static str>,
    version: Option<&'a str>,
    valid: bool,
    /// The error if it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    diagnostics: Vec<Problem<'a>>,
    /// The number of diagnostics beyond the limit.
    #[serde(skip_serializing_if = "is_zero")]
    left_out: usize,
}

impl CheckResults {
    /// Reports a file that cannot be read.
    pub(crate) fn unreadable(
        file: &Path,
        error: &str,
        style: FindingStyle,
        terminal: &Terminal,
    ) -> Self {
        if style == FindingStyle::Json {
            let (file, error) = (input::name(file), Some(error));
            let unread = FileVerdict { file: &file, error, ..FileVerdict::default() };
            if let Err(failure) = terminal.print(&json_line(&unread)) {
                return Self::from_failure(failure);
            }
        }
        Self::from_failure(terminal.usage_error(error))
    }

    /// Prints the result of a file for people. It is a failure unless `well` is set.
    pub(crate) fn as_text(
        input: &Input,
        report: &Report,
        verdict: &str,
        well: bool,
        terminal: &Terminal,
    ) -> Self {
        terminal.show(report, Some(&input.source()));
        let printed = terminal.print(&format!("{}: {verdict}\n", input.display_name()));
        Self::new(Vec::new(), well, printed)
    }

    /// Prints the result of a file as JSON, or keeps its findings for SARIF. It is a
    /// failure unless `well` is set.
    pub(crate) fn as_json(
        input: &Input,
        format: Option<&'static Format>,
        version: Option<&str>,
        report: &Report,
        well: bool,
        style: FindingStyle,
        terminal: &Terminal,
    ) -> Self {
        let source = input.source();
        if style == FindingStyle::Sarif {
            return Self::new(sarif::findings(report, &source), well, Ok(()));
        }
        let problems = report.diagnostics.iter().map(|found| Problem::new(found, &source));
        let verdict = FileVerdict {
            file: &input.name,
            format: format.map(|format| format.name),
            version,
            valid: report.is_valid(),
            error: None,
            diagnostics: problems.collect(),
            left_out: report.left_out,
        };
        Self::new(Vec::new(), well, terminal.print(&json_line(&verdict)))
    }

    fn new(findings: Vec<Finding>, well: bool, printed: Result<(), Failure>) -> Self {
        let own = (!well).then_some(Failure::Invalid);
        Self { findings, failure: own.max(printed.err()) }
    }

    pub(crate) fn from_failure(failure: Failure) -> Self {
        Self { failure: Some(failure), ..Self::default() }
    }

    /// Prints the SARIF log of all files if requested. Returns the worst failure, if any.
    pub(crate) fn finish(self, style: FindingStyle, terminal: &Terminal) -> Result<(), Failure> {
        if style == FindingStyle::Sarif {
            let all_read = self.failure < Some(Failure::Usage);
            terminal.print(&sarif::log(&self.findings, all_read))?;
        }
        self.failure.map_or(Ok(()), Err)
    }
}

impl FromIterator<Self> for CheckResults {
    fn from_iter<I: IntoIterator<Item = Self>>(all: I) -> Self {
        let mut whole = Self::default();
        for one in all {
            whole.findings.extend(one.findings);
            whole.failure = whole.failure.max(one.failure);
        }
        whole
    }
}
