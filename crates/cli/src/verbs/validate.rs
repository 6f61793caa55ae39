//! `toolglot validate`

use std::path::{Path, PathBuf};

use toolglot::{Formats, Report, ValidateOptions};

use crate::files::formats::{self, Candidates};
use crate::files::input::{Input, check_stdin_once};
use crate::files::parallel::map_files;
use crate::files::paths;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::FindingStyle;
use crate::verbs::check_results::{CheckResults, DetectedFormat};
use crate::verbs::fix;
use crate::verbs::stream;
use crate::verbs::validate_args::{Args, counts};

/// Runs `toolglot validate`.
pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let candidates = Candidates { set: formats, explicit: args.from };
    let mut files = paths::expand(&args.files, formats, terminal)?;
    if args.known_only {
        paths::retain_known(&mut files, formats);
    }
    if args.jsonl.is_set() {
        check_stdin_once(&files, terminal)?;
        if args.format == FindingStyle::Sarif {
            return Err(terminal.usage_error("SARIF is for files, not for entries of streams"));
        }
        // One after the other, because the output of a stream may be of any length and is
        // not buffered.
        let run = |file: &PathBuf| stream::validate::run(file, args, candidates, terminal);
        let worst = files.iter().filter_map(|file| run(file).err()).max();
        return worst.map_or(Ok(()), Err);
    }
    let checked =
        map_files(&files, terminal, |file, terminal| validate(file, args, candidates, terminal))?;
    let checked: CheckResults = checked.into_iter().collect();
    checked.finish(args.format, terminal)
}

fn validate(file: &Path, args: &Args, candidates: Candidates, terminal: &Terminal) -> CheckResults {
    let options = args.options();
    let mut input = match Input::open(file, options.limits.document_bytes) {
        Ok(input) => input,
        Err(error) => return CheckResults::unreadable(file, &error, args.format, terminal),
    };
    if args.fix {
        input = match fix::fix_file(input, file, candidates, &options, terminal) {
            Ok(input) => input,
            Err(failure) => return CheckResults::from_failure(failure),
        };
    }
    let (found, report) = check(&input, candidates, &options);
    let format = found.as_ref().map(|(format, _)| *format);
    let version = found.as_ref().and_then(|(_, version)| version.as_deref());
    if args.format == FindingStyle::Text {
        let title = match format {
            Some(format) => format!(" ({})", formats::title(format, version)),
            None => String::new(),
        };
        let verdict = if report.is_valid() { "valid" } else { "invalid" };
        let said = format!("{verdict}{title}{}", counts(&report));
        return CheckResults::as_text(&input, &report, &said, report.is_valid(), terminal);
    }
    let valid = report.is_valid();
    CheckResults::as_json(&input, format, version, &report, valid, args.format, terminal)
}

/// Returns the format of a text, and its report.
fn check(
    input: &Input,
    candidates: Candidates,
    options: &ValidateOptions,
) -> (DetectedFormat, Report) {
    let document = match input.parse(&options.limits) {
        Ok(document) => document,
        Err(report) => return (candidates.explicit.map(|format| (format, None)), report),
    };
    match candidates.detect(&document) {
        Ok((format, detected)) => {
            let report = match input.bundle().filter(|_| format.name == "mcpb") {
                Some(bundle) => bundle.check(options),
                None => format.validate(&document, options),
            };
            (Some((format, detected.version)), report)
        }
        Err(report) => (None, report),
    }
}
