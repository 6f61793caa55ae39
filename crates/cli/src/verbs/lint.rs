//! `toolglot lint`

use std::path::{Path, PathBuf};

use toolglot::core::prose;
use toolglot::json::Document;
use toolglot::{Format, Formats, Profile, Report, Rule, Severity, ValidateOptions};

use crate::files::formats::{self, Candidates};
use crate::files::input::Input;
use crate::files::limits;
use crate::files::parallel::map_files;
use crate::files::paths;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::FindingStyle;
use crate::terminal::summary::count_noun;
use crate::verbs::check_results::{CheckResults, DetectedFormat};

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
    /// The files to look at, folders of them, or patterns; - is standard input
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
    /// Pass over files in no known format, as below a folder
    #[arg(long)]
    known_only: bool,
    /// How to print the result
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: FindingStyle,
}

/// Runs `toolglot lint`.
pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let mut files = paths::expand(&args.files, formats, terminal)?;
    if args.known_only {
        paths::retain_known(&mut files, formats);
    }
    let checked =
        map_files(&files, terminal, |file, terminal| lint(file, args, formats, terminal))?;
    let checked: CheckResults = checked.into_iter().collect();
    checked.finish(args.format, terminal)
}

/// Reports tools whose descriptions mention other tools.
fn check_cross_references(
    format: &Format,
    document: &Document<'_>,
    options: &ValidateOptions,
    report: &mut Report,
) {
    let Ok(lifted) = format.lift(document, &options.limits) else { return };
    let tools = lifted.tools.iter().filter_map(|tool| {
        let entry = document.node(tool.at?.entry)?;
        let text = entry.get("description").or(entry.get("summary"))?;
        let name = tool.name.as_ref().unwrap_or(&tool.id);
        Some((name.as_ref(), text))
    });
    prose::check_tools(tools, report);
}

fn lint(file: &Path, args: &Args, formats: Formats<'static>, terminal: &Terminal) -> CheckResults {
    let options = limits::validate_options();
    let input = match Input::open(file, options.limits.document_bytes) {
        Ok(input) => input,
        Err(error) => return CheckResults::unreadable(file, &error, args.format, terminal),
    };
    let (found, report) = check(&input, args.from, formats, &options);
    // Advice can be allowed. Errors cannot.
    let mut said = Report::new(Profile::Spec, options.limits.diagnostics);
    let (valid, left_out) = (report.is_valid(), report.left_out);
    let kept =
        report.diagnostics.into_iter().filter(|d| d.is_error() || !args.allow.contains(&d.rule));
    kept.for_each(|diagnostic| said.push(diagnostic));
    said.left_out += left_out;
    let advice = said.diagnostics.iter().any(|d| d.severity != Severity::Info);
    let well = valid && !(args.strict && (advice || left_out > 0));
    if args.format != FindingStyle::Text {
        let format = found.as_ref().map(|(format, _)| *format);
        let version = found.as_ref().and_then(|(_, version)| version.as_deref());
        return CheckResults::as_json(&input, format, version, &said, well, args.format, terminal);
    }
    let verdict = match (valid, said.diagnostics.len() + left_out) {
        (false, _) => "invalid".to_owned(),
        (true, 0) => "nothing to say".to_owned(),
        (true, number) => count_noun(number, "remark"),
    };
    CheckResults::as_text(&input, &said, &verdict, well, terminal)
}

/// Returns the report of a file, with its format and version if they are known.
fn check(
    input: &Input,
    named: Option<&'static Format>,
    formats: Formats<'static>,
    options: &ValidateOptions,
) -> (DetectedFormat, Report) {
    let document = match input.parse(&options.limits) {
        Ok(document) => document,
        Err(report) => return (named.map(|format| (format, None)), report),
    };
    let (format, detected) = match (Candidates { set: formats, explicit: named }).detect(&document)
    {
        Ok(found) => found,
        Err(report) => return (None, report),
    };
    let mut report = format.validate(&document, options);
    check_cross_references(format, &document, options, &mut report);
    (Some((format, detected.version)), report)
}
