//! `toolglot lint`

use std::path::{Path, PathBuf};

use toolglot::core::prose;
use toolglot::json::Document;
use toolglot::{Format, Formats, Profile, Report, Rule, Severity, Validate};

use crate::formats::{self, Candidates};
use crate::input::{Input, each_file};
use crate::terminal::{Failure, Terminal};

/// Give advice on files
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot lint install.json
  toolglot lint --strict --allow LM001 --allow install-manifest/no-goal install.json

The codes of the install manifest's published linter, LM001 to LM010, are accepted
as well.

Exit codes: 0 nothing wrong, 1 invalid or, with --strict, advice was given,
2 wrong usage or unreadable files")]
pub(crate) struct Args {
    /// The files to look at; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The format of the files; without it, each is detected
    #[arg(long, value_name = "FORMAT", value_parser = formats::parser())]
    from: Option<&'static Format>,
    /// Fail if there is anything to say
    #[arg(long)]
    strict: bool,
    /// A rule to leave out
    #[arg(long, value_name = "CODE", value_parser = formats::rule())]
    allow: Vec<&'static Rule>,
}

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    each_file(&args.files, terminal, |file| lint(file, args, formats, terminal))
}

/// Looks for tools that talk about each other.
fn talk(format: &Format, document: &Document<'_>, options: &Validate, report: &mut Report) {
    let Ok(lifted) = format.lift(document, &options.limits) else { return };
    let tools = lifted.tools.iter().filter_map(|tool| {
        let entry = document.node(tool.at?.entry)?;
        let text = entry.get("description").or(entry.get("summary"))?;
        let name = tool.name.as_ref().unwrap_or(&tool.id);
        Some((name.as_ref(), text))
    });
    prose::check_tools(tools, report);
}

fn lint(
    file: &Path,
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let options = Validate::default();
    let input = Input::read(file, options.limits.document_bytes, terminal)?;
    let document =
        input.parse(&options.limits).map_err(|report| input.refuse(&report, terminal))?;
    let candidates = Candidates { set: formats, named: args.from };
    let (format, _) =
        candidates.detect(&document).map_err(|report| input.refuse(&report, terminal))?;
    let mut report = format.validate(&document, &options);
    talk(format, &document, &options, &mut report);
    // Advice can be left out. That a document is invalid cannot.
    let mut said = Report::new(Profile::Spec, options.limits.diagnostics);
    let (valid, left_out) = (report.is_valid(), report.left_out);
    let kept =
        report.diagnostics.into_iter().filter(|d| d.is_error() || !args.allow.contains(&d.rule));
    kept.for_each(|diagnostic| said.push(diagnostic));
    said.left_out += left_out;
    terminal.show(&said, Some(&input.source()));
    let number = said.diagnostics.len() + left_out;
    let advice = said.diagnostics.iter().any(|d| d.severity != Severity::Info);
    let verdict = match (valid, number) {
        (false, _) => "invalid".to_owned(),
        (true, 0) => "nothing to say".to_owned(),
        (true, 1) => "1 remark".to_owned(),
        (true, number) => format!("{number} remarks"),
    };
    terminal.print(&format!("{}: {verdict}\n", input.shown()))?;
    if !valid || (args.strict && (advice || left_out > 0)) { Err(Failure::Invalid) } else { Ok(()) }
}
