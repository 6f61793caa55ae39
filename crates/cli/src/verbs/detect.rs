//! `toolglot detect`

use std::path::{Path, PathBuf};

use serde::Serialize;
use toolglot::Formats;

use crate::files::formats::{self, Candidates};
use crate::files::input::{self, Input};
use crate::files::limits;
use crate::files::parallel::each_file;
use crate::files::paths;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::{Problem, Style, json_line};

/// Tell the format of files, and what gives it away
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot detect tools.json
  curl -s https://example.com/manifest.json | toolglot detect --format json -

Exit codes: 0 all known, 1 some not known, 2 wrong usage or unreadable files")]
pub(crate) struct Args {
    /// The files to look at, folders of them, or patterns; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How to print the result
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: Style,
}

#[derive(Default, Serialize)]
struct Finding<'a> {
    file: &'a str,
    format: Option<&'static str>,
    version: Option<String>,
    evidence: Vec<&'static str>,
    /// The error if it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    diagnostics: Vec<Problem<'a>>,
}

/// Runs `toolglot detect`.
pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let files = paths::expand(&args.files, formats, terminal)?;
    each_file(&files, terminal, |file, terminal| detect(file, args.format, formats, terminal))
}

fn detect(
    file: &Path,
    style: Style,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let limits = limits::document();
    let input = match Input::open(file, limits.document_bytes) {
        Ok(input) => input,
        Err(error) => {
            if style == Style::Json {
                let (file, error) = (input::name(file), Some(error.as_str()));
                let unread = Finding { file: &file, error, ..Finding::default() };
                terminal.print(&json_line(&unread))?;
            }
            return Err(terminal.usage_error(&error));
        }
    };
    let source = input.source();
    let candidates = Candidates { set: formats, explicit: None };
    let found = input.parse(&limits).and_then(|document| candidates.detect(&document));
    match (&found, style) {
        (Ok((format, detected)), Style::Text) => {
            let title = formats::title(format, detected.version.as_deref());
            let evidence = detected.evidence.join(", and ");
            terminal.print(&format!("{}: {title}, because {evidence}\n", input.display_name()))?;
        }
        (Err(report), Style::Text) => {
            terminal.show(report, Some(&source));
            terminal.print(&format!("{}: not known\n", input.display_name()))?;
        }
        (Ok((format, detected)), Style::Json) => {
            terminal.print(&json_line(&Finding {
                file: &input.name,
                format: Some(format.name),
                version: detected.version.clone(),
                evidence: detected.evidence.clone(),
                ..Finding::default()
            }))?;
        }
        (Err(report), Style::Json) => {
            let problems = report.diagnostics.iter();
            terminal.print(&json_line(&Finding {
                file: &input.name,
                diagnostics: problems.map(|d| Problem::new(d, &source)).collect(),
                ..Finding::default()
            }))?;
        }
    }
    found.map(|_| ()).map_err(|_| Failure::Invalid)
}
