//! Reading install manifests, for verbs that support only this format.

use std::path::Path;

use toolglot::install_manifest::{FORMAT, Manifest, validate};
use toolglot::json::Document;
use toolglot::{DetectError, Diagnostic, FORMATS, Profile, Report, ToolDescriptor};

use crate::files::formats::Candidates;
use crate::files::input::Input;
use crate::files::limits;
use crate::terminal::console::{Failure, Terminal};

/// A valid manifest and its source.
pub(crate) struct Installable<'a> {
    pub(crate) input: &'a Input,
    pub(crate) document: &'a Document<'a>,
    pub(crate) manifest: &'a Manifest<'a>,
}

/// Calls `run` with the manifest in a file. Shows the errors if it is invalid.
pub(crate) fn with_manifest<T>(
    file: &Path,
    terminal: &Terminal,
    run: impl FnOnce(&Installable<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let input = Input::read(file, limits::validate_options().limits.document_bytes, terminal)?;
    with_manifest_input(&input, terminal, run)
}

/// Like `with`, for a text that was already read.
pub(crate) fn with_manifest_input<T>(
    input: &Input,
    terminal: &Terminal,
    run: impl FnOnce(&Installable<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    with_manifest_input_or(input, terminal, |report| input.refuse(report, terminal), run)
}

/// Like `of`, but leaves it to `refuse` to show the errors.
pub(crate) fn with_manifest_input_or<T>(
    input: &Input,
    terminal: &Terminal,
    refuse: impl Fn(&Report) -> Failure,
    run: impl FnOnce(&Installable<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let options = limits::validate_options();
    let document = input.parse(&options.limits).map_err(|report| refuse(&report))?;
    refuse_other_formats(input, &document, &refuse, terminal)?;
    let report = validate(&document, &options);
    let manifest = if report.is_valid() { Manifest::read(&document) } else { None };
    let Some(manifest) = manifest else {
        return Err(refuse(&errors_only(report)));
    };
    input.warn_of_texts(&document, terminal);
    run(&Installable { input, document: &document, manifest: &manifest })
}

/// Refuses a document of another or an unknown format. The members that it lacks as an
/// install manifest would not help.
fn refuse_other_formats(
    input: &Input,
    document: &Document<'_>,
    refuse: impl Fn(&Report) -> Failure,
    terminal: &Terminal,
) -> Result<(), Failure> {
    match FORMATS.detect(document) {
        Err(DetectError::Near(near)) if near.format == FORMAT.name => Ok(()),
        // A document with `manifest_version` is meant as an install manifest, however
        // incomplete.
        Err(_) if document.root().get("manifest_version").is_some() => Ok(()),
        Err(unknown) => Err(refuse(&Candidates { set: FORMATS, explicit: None }.refuse(&unknown))),
        Ok((format, _)) if format.name != FORMAT.name => {
            let message = format!(
                "{} is in the format {}, and this is for install manifests: convert it first \
                 (--to install-manifest)",
                input.display_name(),
                format.name
            );
            Err(terminal.document_error(&message))
        }
        _ => Ok(()),
    }
}

fn errors_only(report: Report) -> Report {
    let mut errors = Report::new(Profile::Spec, report.diagnostics.len());
    report.diagnostics.into_iter().filter(Diagnostic::is_error).for_each(|d| errors.push(d));
    errors
}

/// Returns true if an environment variable is set and not empty.
pub(crate) fn is_env_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

impl<'a> Installable<'a> {
    /// Returns the actions of the manifest as tools.
    pub(crate) fn tools(&self) -> Vec<ToolDescriptor<'a>> {
        FORMAT.lift_valid(self.document, 0).tools
    }

    /// Shows problems, with their lines in the manifest.
    pub(crate) fn show(&self, problems: Vec<Diagnostic>, terminal: &Terminal) {
        for mut problem in problems {
            let mut report = Report::new(Profile::Spec, 1);
            let node = self.document.at(problem.pointer.as_str());
            if let Some(node) = node.filter(|_| problem.span.is_none()) {
                problem = problem.span(node.span());
            }
            report.push(problem);
            terminal.show(&report, Some(&self.input.source()));
        }
    }

    /// Shows problems and returns the failure.
    #[must_use]
    pub(crate) fn refuse(&self, problems: Vec<Diagnostic>, terminal: &Terminal) -> Failure {
        self.show(problems, terminal);
        Failure::Invalid
    }
}
