//! `toolglot verify`

use std::path::PathBuf;

use installer::{Check, Installer, Tool};
use toolglot::install_engine::acquire::Allowed;
use toolglot::{Format, Formats, Limits, install_manifest};

use crate::install::{Reach, given, hosted, store};
use crate::installed::{Named, named};
use crate::installs;
use crate::people::{AtTerminal, failed};
use console::formats::Candidates;
use console::input::Input;
use console::problem::{Style, json_line};
use console::terminal::{Failure, Terminal};

/// Say whether a tool is still what was agreed to
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot verify notes.install.json
  toolglot verify notes --smoke --values secrets.env

Of a tool that was installed from an install manifest: whether the manifest is the one that was agreed
to, whether every file is the one that was installed, and what the manifest itself asks for under
verify. With --smoke, the smoke test is run; twenty times, if the manifest promises times or a rate of
errors.

Exit codes: 0 it is, 1 it is not, or the manifest is wrong, 2 wrong usage, an unreadable file, or
a format with nothing to verify, 3 not installed")]
pub(crate) struct Args {
    /// The manifest, or the id of a tool that is installed: ID or ID@VERSION
    #[arg(value_name = "FILE|ID")]
    name: String,
    /// Run the smoke test, too
    #[arg(long)]
    smoke: bool,
    /// A file with values of variables: a JSON object, or lines NAME=value
    #[arg(long, value_name = "FILE", requires = "smoke")]
    values: Option<PathBuf>,
    /// Grant more
    #[arg(long, value_name = "WHAT", value_delimiter = ',', requires = "smoke")]
    allow: Vec<Reach>,
    /// How to print it
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: Style,
}

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let format = format(args, formats, terminal)?;
    let checks = if format == install_manifest::FORMAT.name {
        of_installation(args, terminal)?
    } else {
        return Err(terminal.trouble(&format!("there is nothing to verify in the format {format}")));
    };
    let broken = checks.iter().any(|check| check.holds == Some(false));
    terminal.print(&match args.format {
        Style::Json => checks.iter().map(json_line).collect::<String>(),
        Style::Text => checks.iter().map(shown).collect(),
    })?;
    if broken { Err(Failure::Invalid) } else { Ok(()) }
}

/// The format of what is named.
fn format(args: &Args, formats: Formats<'static>, terminal: &Terminal) -> Result<String, Failure> {
    let path = PathBuf::from(&args.name);
    if !path.is_file() {
        return Ok(named(&args.name, terminal)?.installed.record.format);
    }
    let limits = Limits::default();
    let input = Input::read(&path, limits.document_bytes, terminal)?;
    let refuse = |report| input.refuse(&report, terminal);
    let document = input.parse(&limits).map_err(refuse)?;
    let detected: Result<(&'static Format, _), _> =
        Candidates { set: formats, named: None }.detect(&document);
    Ok(detected.map_err(refuse)?.0.name.to_owned())
}

/// A tool that was installed from an install manifest.
fn of_installation(args: &Args, terminal: &Terminal) -> Result<Vec<Check>, Failure> {
    let Named { installed, input } = named(&args.name, terminal)?;
    installs::of(&input, terminal, |found| {
        let (store, tools) = (store(terminal)?, found.tools());
        let given = given(args.values.as_ref(), found, terminal)?;
        let tool = Tool { text: input.bytes(), manifest: found.manifest, tools: &tools };
        let mut person = AtTerminal { terminal, yes: false };
        hosted(!args.allow.is_empty(), terminal, async |host| {
            let installer = Installer { host, store: &store, allowed: Allowed::default() };
            let values = args.smoke.then_some(&given);
            let done = installer.verify(&tool, &installed, values, &mut person).await;
            done.map_err(|error| failed(error, found, terminal))
        })
    })
}

fn shown(check: &Check) -> String {
    let holds = match check.holds {
        Some(true) => "holds",
        Some(false) => "broken",
        None => "unknown",
    };
    format!("{holds:<8} {:<13} {}\n", check.what, check.found)
}
