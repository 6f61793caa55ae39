//! `toolglot doctor`

use std::path::{Path, PathBuf};

use disk::sources;
use host::{has_program, said_by};
use serde::Serialize;
use toolglot::descriptor::Invocation;
use toolglot::json::Document;
use toolglot::{Diagnostic, Formats, Limits};

use console::formats::Candidates;
use console::input::{Input, folder, shown};
use console::limits;
use console::problem::{Style, json_line};
use console::terminal::{Failure, Terminal};
use documents::paths;

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
struct Line<'a> {
    state: &'a str,
    found: &'a str,
}

/// The result of one check.
enum Seen {
    Well(String),
    Note(String),
    Wrong(String),
}

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let mut seen = vec![runtime("node"), runtime("python3"), ourselves()];
    seen.extend(
        [
            ("state", disk::user::state()),
            ("store", sources::store()),
            ("cache", disk::user::cache()),
        ]
        .map(|(name, path)| place(name, path.as_deref())),
    );
    for file in paths::expanded(&args.places, formats, terminal)? {
        seen.extend(bridges(&file, formats, terminal)?);
    }
    let mut well = true;
    for one in seen {
        let (mark, style, text) = match &one {
            Seen::Well(text) => ("well", "32", text),
            Seen::Note(text) => ("note", "33", text),
            Seen::Wrong(text) => ("wrong", "31", text),
        };
        well &= !matches!(one, Seen::Wrong(_));
        terminal.print(&match args.format {
            Style::Text => format!("{:5}  {text}\n", terminal.paint(style, mark)),
            Style::Json => json_line(&Line { state: mark, found: text }),
        })?;
    }
    if well { Ok(()) } else { Err(Failure::Invalid) }
}

fn runtime(program: &str) -> Seen {
    match said_by(program, &["--version"]) {
        Some(version) => Seen::Well(format!("{program}: {}", version.trim())),
        None if has_program(program) => {
            Seen::Wrong(format!("{program} is there, and does not say its version"))
        }
        None => Seen::Note(format!(
            "{program} is not on the search path: tools that need it cannot be called until it is installed"
        )),
    }
}

/// Checks the version of `toolglot` on the search path, because converted manifests call
/// that one.
fn ourselves() -> Seen {
    let own = format!("toolglot {}", env!("CARGO_PKG_VERSION"));
    match said_by("toolglot", &["--version"]) {
        Some(version) if version.trim() == own => {
            Seen::Well(format!("{own} is on the search path"))
        }
        Some(version) => Seen::Wrong(format!(
            "the search path has {}, and this is {own}: converted manifests call that one",
            version.trim()
        )),
        None => Seen::Note(
            "toolglot is not on the search path: converted manifests that call it do not run until \
             its folder is added to PATH"
                .to_owned(),
        ),
    }
}

/// Checks that a folder can be written to.
fn place(name: &str, path: Option<&Path>) -> Seen {
    let Some(path) = path else {
        return Seen::Wrong(format!("there is no {name} folder: HOME is not set"));
    };
    let made = path.ancestors().find(|above| above.exists());
    let writable = made.and_then(|above| above.metadata().ok());
    match writable {
        Some(about) if about.is_dir() && !about.permissions().readonly() => {
            Seen::Well(format!("{name}: {}", shown(path)))
        }
        _ => Seen::Wrong(format!("{name}: {} cannot be written to", shown(path))),
    }
}

/// Checks that the sources that a converted manifest calls exist.
fn bridges(
    file: &Path,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<Vec<Seen>, Failure> {
    let limits: Limits = limits::usual();
    let input = Input::read(file, limits.document_bytes, terminal)?;
    let wrong = |why: String| Ok(vec![Seen::Wrong(format!("{}: {why}", input.shown()))]);
    let document: Document<'_> = match input.parse(&limits) {
        Ok(document) => document,
        Err(report) => return wrong(report.to_string()),
    };
    let format = match formats.detect(&document) {
        Ok((format, _)) => format,
        Err(unknown) => {
            let report = Candidates { set: formats, named: None }.refuse(&unknown);
            let advice = report.diagnostics.first().map_or("", Diagnostic::advice);
            return wrong(format!("{unknown}: {advice}"));
        }
    };
    let lifted = match format.lift(&document, &limits) {
        Ok(lifted) => lifted,
        Err(report) => return wrong(report.to_string()),
    };
    let pins = lifted.tools.iter().filter_map(|tool| tool.calls().find_map(Invocation::pin));
    let looked = pins.map(|pin| {
        let found = sources::find(&pin.source, folder(file).as_deref(), limits.document_bytes);
        let tool = toolglot::core::quoted(&pin.tool);
        match found {
            Ok(source) => Seen::Well(format!(
                "{}: {tool} is called in {}",
                input.shown(),
                shown(&source.file)
            )),
            Err(error) => Seen::Wrong(format!("{}: {tool}: {error}", input.shown())),
        }
    });
    Ok(looked.collect())
}
