//! `toolglot validate`

use std::path::Path;

use serde::Serialize;
use toolglot::{Format, Formats, Report, Validate};

use crate::formats::{self, Candidates};
use crate::input::{self, Input, each_file};
use crate::problem::{Problem, Style, json_line};
use crate::stream;
use crate::terminal::{Failure, Terminal};
use crate::validate_args::{Args, counts, is_zero};

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

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let candidates = Candidates { set: formats, named: args.from };
    each_file(&args.files, terminal, |file| {
        if args.jsonl.is_set() {
            return stream::validate::run(file, args, candidates, terminal);
        }
        validate(file, args, candidates, terminal)
    })
}

fn validate(
    file: &Path,
    args: &Args,
    candidates: Candidates,
    terminal: &Terminal,
) -> Result<(), Failure> {
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
    let (found, report) = check(&input, candidates, &options);
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
fn check(input: &Input, candidates: Candidates, options: &Validate) -> (Found, Report) {
    let document = match input.parse(&options.limits) {
        Ok(document) => document,
        Err(report) => return (candidates.named.map(|format| (format, None)), report),
    };
    match candidates.detect(&document) {
        Ok((format, detected)) => {
            let report = format.validate(&document, options);
            (Some((format, detected.version)), report)
        }
        Err(report) => (None, report),
    }
}
