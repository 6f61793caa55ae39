//! `toolglot verify`

use std::path::{Path, PathBuf};

use installer::packages::Packages;
use installer::{Check, Installer, Tool};
use toolglot::install_engine::acquire::Allowed;
use toolglot::{Format, Formats, Limits, install_manifest};

use crate::install::{Reach, given, hosted, store};
use crate::installed::{Named, named};
use crate::people::{AtTerminal, failed};
use crate::{installs, package, packages};
use console::formats::Candidates;
use console::input::Input;
use console::limits;
use console::problem::{Style, json_line};
use console::terminal::{Failure, Terminal};

/// Say whether a tool is still what was agreed to
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot verify notes.install.json
  toolglot verify notes --smoke --values secrets.env
  toolglot verify acme.crm.search-1.0.0.mcpkg --key acme.key.pub
  toolglot verify acme.crm.search

Of a tool that was installed from an install manifest: whether the manifest is the one that was agreed
to, whether every file is the one that was installed, and what the manifest itself asks for under
verify. With --smoke, the smoke test is run; twenty times, if the manifest promises times or a rate of
errors.

Of an MCPKG package: whether the signature is that of a key that is trusted, over every file. Of one that
is installed below .mcp/tools, also whether every file there is that of the package. What is not signed,
or signed by nobody who is trusted, is unknown.

Exit codes: 0 it is, 1 it is not, or the manifest is wrong, 2 wrong usage, an unreadable file, or
a format with nothing to verify, 3 not installed")]
pub(crate) struct Args {
    /// The manifest or package, or the id of a tool that is installed: ID or ID@VERSION
    #[arg(value_name = "FILE|ID")]
    name: String,
    /// A file with a public key of the publisher, to trust beside those of `toolglot trust`
    #[arg(long = "key", value_name = "FILE")]
    keys: Vec<PathBuf>,
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
    let checks = match of_package(args, terminal)? {
        Some(checks) => checks,
        None => of_format(args, formats, terminal)?,
    };
    let broken = checks.iter().any(|check| check.holds == Some(false));
    terminal.print(&match args.format {
        Style::Json => checks.iter().map(json_line).collect::<String>(),
        Style::Text => checks.iter().map(shown).collect(),
    })?;
    if broken { Err(Failure::Invalid) } else { Ok(()) }
}

/// A package in a file, or one that is installed.
fn of_package(args: &Args, terminal: &Terminal) -> Result<Option<Vec<Check>>, Failure> {
    let fail = |error| packages::failed(&error, terminal);
    if let Some(input) = packages::archive(Path::new(&args.name), terminal)? {
        let content = package::open(&input, terminal)?;
        let id = packages::id(&content);
        let keys = packages::keys(&args.keys, &id, terminal)?;
        let mut checks = vec![Check::from(&keys.standing(&content, &limits::usual()))];
        if let Some(held) = Packages::here().find(&id).map_err(fail)? {
            checks.insert(0, held.is_agreed(&content.digest()));
        }
        return Ok(Some(checks));
    }
    if Path::new(&args.name).is_file() {
        return Ok(None);
    }
    let Some(held) = packages::held(&args.name, terminal)? else { return Ok(None) };
    let keys = packages::keys(&args.keys, &held.info.tool_id, terminal)?;
    held.verify(&keys).map(Some).map_err(fail)
}

/// What is named in another format.
fn of_format(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<Vec<Check>, Failure> {
    let format = format(args, formats, terminal)?;
    if format == install_manifest::FORMAT.name {
        return of_installation(args, terminal);
    }
    Err(terminal.trouble(&format!("there is nothing to verify in the format {format}")))
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
