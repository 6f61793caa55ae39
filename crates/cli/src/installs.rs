//! Reading install manifests, for the verbs that only they have.

use std::path::Path;

use toolglot::install_manifest::{FORMAT, Manifest, validate};
use toolglot::json::Document;
use toolglot::{Diagnostic, FORMATS, Profile, Report, ToolDescriptor, Unknown};

use console::formats::Candidates;
use console::input::Input;
use console::limits;
use console::terminal::{Failure, Terminal};

/// A manifest that is valid, and where it was read from.
pub(crate) struct Installable<'a> {
    pub(crate) input: &'a Input,
    pub(crate) document: &'a Document<'a>,
    pub(crate) manifest: &'a Manifest<'a>,
}

/// Does something with the manifest in a file. One that is not valid is shown.
pub(crate) fn with<T>(
    file: &Path,
    terminal: &Terminal,
    run: impl FnOnce(&Installable<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let input = Input::read(file, limits::validate().limits.document_bytes, terminal)?;
    of(&input, terminal, run)
}

/// Does something with the manifest in a text that was read.
pub(crate) fn of<T>(
    input: &Input,
    terminal: &Terminal,
    run: impl FnOnce(&Installable<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    or(input, terminal, |report| input.refuse(report, terminal), run)
}

/// The same; one that is not valid is for `refuse` to show.
pub(crate) fn or<T>(
    input: &Input,
    terminal: &Terminal,
    refuse: impl Fn(&Report) -> Failure,
    run: impl FnOnce(&Installable<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let options = limits::validate();
    let document = input.parse(&options.limits).map_err(|report| refuse(&report))?;
    refuse_others(input, &document, &refuse, terminal)?;
    let report = validate(&document, &options);
    let manifest = if report.is_valid() { Manifest::read(&document) } else { None };
    let Some(manifest) = manifest else {
        return Err(refuse(&only_errors(report)));
    };
    input.warn_of_texts(&document, terminal);
    run(&Installable { input, document: &document, manifest: &manifest })
}

/// Refuses a manifest of another format, or of none: what an install manifest lacks is no help.
fn refuse_others(
    input: &Input,
    document: &Document<'_>,
    refuse: impl Fn(&Report) -> Failure,
    terminal: &Terminal,
) -> Result<(), Failure> {
    match FORMATS.detect(document) {
        Err(Unknown::Near(near)) if near.format == FORMAT.name => Ok(()),
        Err(unknown) => Err(refuse(&Candidates { set: FORMATS, named: None }.refuse(&unknown))),
        Ok((format, _)) if format.name != FORMAT.name => {
            let message = format!(
                "{} is in the format {}, and this is for install manifests: convert it first \
                 (--to install-manifest)",
                input.shown(),
                format.name
            );
            Err(terminal.invalid(&message))
        }
        _ => Ok(()),
    }
}

fn only_errors(report: Report) -> Report {
    let mut errors = Report::new(Profile::Spec, report.diagnostics.len());
    report.diagnostics.into_iter().filter(Diagnostic::is_error).for_each(|d| errors.push(d));
    errors
}

/// Whether a variable has a value in the environment of this program. An empty one is none.
pub(crate) fn has_value(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

impl<'a> Installable<'a> {
    /// Its actions, as tools.
    pub(crate) fn tools(&self) -> Vec<ToolDescriptor<'a>> {
        FORMAT.read_as(self.document, 0).tools
    }

    /// Shows problems: those of the manifest at their lines.
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

    /// Shows why something cannot be done.
    #[must_use]
    pub(crate) fn refuse(&self, problems: Vec<Diagnostic>, terminal: &Terminal) -> Failure {
        self.show(problems, terminal);
        Failure::Invalid
    }
}
