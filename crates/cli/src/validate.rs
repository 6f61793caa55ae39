//! `toolglot validate`

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Serialize;
use toolglot::{Format, Profile, Report, Severity, Validate};

use crate::input::{self, Input, each_file};
use crate::problem::{Problem, Style, json_line};
use crate::terminal::{Failure, Terminal};
use crate::{formats, stream};

/// Check files, and say all that is wrong with them
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot validate tools.json
  toolglot validate --profile strict --format json manifests/*.json
  toolglot validate --jsonl big.tools.json
  toolglot explain json/unknown-member

With --jsonl each file is a stream: JSON Lines, an array, or a catalog, however long. The verdict
is one for each entry, and for what is around the list of a catalog if that is not in order.

Exit codes: 0 all valid, 1 some invalid, 2 wrong usage or unreadable files")]
pub(crate) struct Args {
    /// The files to check; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The format of the files; without it, each is detected
    #[arg(long, value_name = "FORMAT", value_parser = formats::parser())]
    pub(crate) from: Option<&'static Format>,
    /// Whose behaviour to follow
    #[arg(long, value_name = "PROFILE", default_value = "spec")]
    pub(crate) profile: ProfileName,
    /// How to print the result
    #[arg(long, value_name = "STYLE", default_value = "text")]
    pub(crate) format: Style,
    #[command(flatten)]
    pub(crate) jsonl: stream::Jsonl,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProfileName {
    /// The text of the specification
    Spec,
    /// The published implementation, except where following it would be unsafe
    Reference,
    /// The specification, with every warning an error
    Strict,
}

impl From<ProfileName> for Profile {
    fn from(name: ProfileName) -> Self {
        match name {
            ProfileName::Spec => Self::Spec,
            ProfileName::Reference => Self::Reference,
            ProfileName::Strict => Self::Strict,
        }
    }
}

#[derive(Default, Serialize)]
struct Verdict<'a> {
    file: &'a str,
    format: Option<&'static str>,
    version: Option<&'a str>,
    valid: bool,
    /// Why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    diagnostics: Vec<Problem<'a>>,
    /// How many more diagnostics there were.
    #[serde(skip_serializing_if = "is_zero")]
    left_out: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the signature that serde asks for
pub(crate) fn is_zero(number: &usize) -> bool {
    *number == 0
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    each_file(&args.files, terminal, |file| {
        if args.jsonl.is_set() {
            return stream::validate::run(file, args, terminal);
        }
        validate(file, args, terminal)
    })
}

fn validate(file: &Path, args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let options = Validate { profile: args.profile.into(), ..Validate::default() };
    let input = match Input::open(file, options.limits.document_bytes) {
        Ok(input) => input,
        Err(error) => {
            if args.format == Style::Json {
                let (file, error) = (input::name(file), Some(error.as_str()));
                let unread = Verdict { file: &file, error, ..Verdict::default() };
                terminal.print(&json_line(&unread))?;
            }
            return Err(terminal.trouble(&error));
        }
    };
    let source = input.source();
    let (found, report) = check(&input, args.from, &options);
    let format = found.as_ref().map(|(format, _)| *format);
    let version = found.as_ref().and_then(|(_, version)| version.as_deref());
    match args.format {
        Style::Text => {
            terminal.show(&report, Some(&source));
            let title = format.map(|format| format!(" ({})", formats::titled(format, version)));
            let verdict = if report.is_valid() { "valid" } else { "invalid" };
            let title = title.unwrap_or_default();
            let counts = counts(&report);
            terminal.print(&format!("{}: {verdict}{title}{counts}\n", input.shown()))?;
        }
        Style::Json => terminal.print(&json_line(&Verdict {
            file: &input.name,
            format: format.map(|format| format.name),
            version,
            valid: report.is_valid(),
            error: None,
            diagnostics: report
                .diagnostics
                .iter()
                .map(|diagnostic| Problem::new(diagnostic, &source))
                .collect(),
            left_out: report.left_out,
        }))?,
    }
    if report.is_valid() { Ok(()) } else { Err(Failure::Invalid) }
}

type Found = Option<(&'static Format, Option<String>)>;

/// What the text is, and what is wrong with it.
fn check(input: &Input, from: Option<&'static Format>, options: &Validate) -> (Found, Report) {
    let document = match input.parse(&options.limits) {
        Ok(document) => document,
        Err(report) => return (from.map(|format| (format, None)), report),
    };
    match formats::of(&document, from) {
        Ok((format, detected)) => {
            let report = (format.validate)(&document, options);
            (Some((format, detected.version)), report)
        }
        Err(report) => (None, report),
    }
}

/// How many diagnostics there are of each severity, such as `, 2 warnings`.
pub(crate) fn counts(report: &Report) -> String {
    let number = |severity, word| {
        let found = report.diagnostics.iter();
        match found.filter(|found| found.severity == severity).count() {
            0 => String::new(),
            1 => format!(", 1 {word}"),
            many => format!(", {many} {word}s"),
        }
    };
    let left_out = match report.left_out {
        0 => String::new(),
        more => format!(", {more} more"),
    };
    number(Severity::Error, "error")
        + &number(Severity::Warning, "warning")
        + &number(Severity::Info, "info")
        + &left_out
}
