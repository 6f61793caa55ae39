//! `toolglot doctor`

use std::path::{Path, PathBuf};

use disk::sources;
use host::{has_program, program_output};
use serde::Serialize;
use toolglot::descriptor::Invocation;
use toolglot::json::Document;
use toolglot::{Diagnostic, Formats, Limits};

use crate::files::formats::Candidates;
use crate::files::input::{Input, display_path, folder};
use crate::files::limits;
use crate::files::paths;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::{Style, json_line};

/// Look for what keeps tools from being called on this machine
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot doctor
  toolglot doctor converted/
  toolglot doctor --format json

Looks for the runtimes of tools, for toolglot itself on the search path, which converted manifests
call, and at the folders that it writes to. Of converted manifests that are named, it looks whether
the sources that their bridges call are there, unchanged.

Exit codes: 0 all is well, 1 something is not, 2 wrong usage or unreadable files")]
pub(crate) struct Args {
    /// Converted manifests, or folders of them
    #[arg(value_name = "FILE|FOLDER")]
    places: Vec<PathBuf>,
    /// How to print it
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: Style,
}

/// The JSON output for one result.
#[derive(Serialize)]
struct CheckLine<'a> {
    state: &'a str,
    found: &'a str,
}

/// The result of one check.
enum CheckResult {
    Ok(String),
    Note(String),
    Wrong(String),
}

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let mut seen = vec![check_runtime("node"), check_runtime("python3"), check_toolglot()];
    seen.extend(
        [
            ("state", disk::user::state()),
            ("store", sources::user_store()),
            ("cache", disk::user::cache()),
        ]
        .map(|(name, path)| check_folder(name, path.as_deref())),
    );
    for file in paths::expand(&args.places, formats, terminal)? {
        seen.extend(check_bridges(&file, formats, terminal)?);
    }
    let mut well = true;
    for one in seen {
        let (mark, style, text) = match &one {
            CheckResult::Ok(text) => ("well", "32", text),
            CheckResult::Note(text) => ("note", "33", text),
            CheckResult::Wrong(text) => ("wrong", "31", text),
        };
        well &= !matches!(one, CheckResult::Wrong(_));
        terminal.print(&match args.format {
            Style::Text => format!("{:5}  {text}\n", terminal.paint(style, mark)),
            Style::Json => json_line(&CheckLine { state: mark, found: text }),
        })?;
    }
    if well { Ok(()) } else { Err(Failure::Invalid) }
}

fn check_runtime(program: &str) -> CheckResult {
    match program_output(program, &["--version"]) {
        Some(version) => CheckResult::Ok(format!("{program}: {}", version.trim())),
        None if has_program(program) => {
            CheckResult::Wrong(format!("{program} is there, and does not say its version"))
        }
        None => CheckResult::Note(format!(
            "{program} is not on the search path: tools that need it cannot be called until it is installed"
        )),
    }
}

/// Checks the version of `toolglot` on the search path, because converted manifests call
/// that one.
fn check_toolglot() -> CheckResult {
    let own = format!("toolglot {}", env!("CARGO_PKG_VERSION"));
    match program_output("toolglot", &["--version"]) {
        Some(version) if version.trim() == own => {
            CheckResult::Ok(format!("{own} is on the search path"))
        }
        Some(version) => CheckResult::Wrong(format!(
            "the search path has {}, and this is {own}: converted manifests call that one",
            version.trim()
        )),
        None => CheckResult::Note(
            "toolglot is not on the search path: converted manifests that call it do not run until \
             its folder is added to PATH"
                .to_owned(),
        ),
    }
}

/// Checks that a folder can be written to.
fn check_folder(name: &str, path: Option<&Path>) -> CheckResult {
    let Some(path) = path else {
        return CheckResult::Wrong(format!("there is no {name} folder: HOME is not set"));
    };
    let made = path.ancestors().find(|above| above.exists());
    let writable = made.and_then(|above| above.metadata().ok());
    match writable {
        Some(about) if about.is_dir() && !about.permissions().readonly() => {
            CheckResult::Ok(format!("{name}: {}", display_path(path)))
        }
        _ => CheckResult::Wrong(format!("{name}: {} cannot be written to", display_path(path))),
    }
}

/// Checks that the sources that a converted manifest calls exist.
fn check_bridges(
    file: &Path,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<Vec<CheckResult>, Failure> {
    let limits: Limits = limits::document();
    let input = Input::read(file, limits.document_bytes, terminal)?;
    let wrong =
        |why: String| Ok(vec![CheckResult::Wrong(format!("{}: {why}", input.display_name()))]);
    let document: Document<'_> = match input.parse(&limits) {
        Ok(document) => document,
        Err(report) => return wrong(report.to_string()),
    };
    let format = match formats.detect(&document) {
        Ok((format, _)) => format,
        Err(unknown) => {
            let report = Candidates { set: formats, explicit: None }.refuse(&unknown);
            let advice = report.diagnostics.first().map_or("", Diagnostic::advice);
            return wrong(format!("{unknown}: {advice}"));
        }
    };
    let lifted = match format.lift(&document, &limits) {
        Ok(lifted) => lifted,
        Err(report) => return wrong(report.to_string()),
    };
    let pins = lifted.tools.iter().filter_map(|tool| tool.invocations().find_map(Invocation::pin));
    let looked = pins.map(|pin| {
        let found = sources::find(&pin.source, folder(file).as_deref(), limits.document_bytes);
        let tool = toolglot::core::quoted(&pin.tool);
        match found {
            Ok(source) => CheckResult::Ok(format!(
                "{}: {tool} is called in {}",
                input.display_name(),
                display_path(&source.file)
            )),
            Err(error) => CheckResult::Wrong(format!("{}: {tool}: {error}", input.display_name())),
        }
    });
    Ok(looked.collect())
}
