//! `toolglot installed`, and looking up installed tools.

use std::path::Path;

use disk::store::{Installed, Record};
use toolglot::core::{did_you_mean, printable, quoted};
use toolglot::install_manifest::Manifest;
use toolglot::{Limits, core::sha256_hex};

use crate::live::install::store;
use crate::live::ranked::{self, Choice};
use console::input::Input;
use console::problem::{Style, json_line};
use console::terminal::{Failure, Terminal};

/// List the tools that are installed
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot installed
  toolglot installed --format json
  toolglot installed --capability pdf --language javascript --runtime node
  toolglot installed --tools > tools.json

With --format json there is one object a line: the record of a tool. It has names of variables and
where their values came from, and no value. Packages are those of .mcp/tools in the working directory;
their record has the versions that are kept and what came of the last tests.

Exit codes: 0 listed, 2 wrong usage, or the store cannot be read")]
pub(crate) struct Args {
    #[command(flatten)]
    choice: Choice,
    /// How to print it
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: Style,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let line = |one: &Installed| match args.format {
        Style::Json => json_line(&one.record),
        Style::Text => shown(&one.record),
    };
    let tools = if args.choice.is_made() { Vec::new() } else { all(terminal)? };
    let packages = ranked::shown(&args.choice, args.format, terminal)?;
    let listed = tools.iter().map(line).collect::<String>() + &packages;
    if listed.is_empty() {
        let is_chosen = args.choice.is_made();
        terminal.say(if is_chosen { "no package fits\n" } else { "nothing is installed\n" });
    }
    terminal.print(&listed)
}

fn shown(record: &Record) -> String {
    let Record { id, version, format, method, .. } = record;
    let [id, version, format, method] =
        [id, version, format, method].map(|text| printable(text, 128));
    let digest = record.manifest.get(..12).unwrap_or_default();
    format!("{id} {version}  {format}, {method}  sha256:{digest}…\n")
}

fn all(terminal: &Terminal) -> Result<Vec<Installed>, Failure> {
    store(terminal)?
        .all()
        .map_err(|error| terminal.trouble(&format!("the store cannot be read: {error}")))
}

/// An installed tool that the user named, for example to revoke it.
pub(crate) struct Named {
    pub(crate) installed: Installed,
    /// The manifest in the named file, or else the agreed one.
    pub(crate) input: Input,
}

/// Returns the installed tool of a manifest file, or with this id (`ID` or `ID@VERSION`).
pub(crate) fn named(name: &str, terminal: &Terminal) -> Result<Named, Failure> {
    let path = Path::new(name);
    if !path.is_file() {
        let installed = chosen(name, terminal)?;
        let text = installed.manifest().map_err(|error| terminal.trouble(&error.to_string()))?;
        let Some(text) = text else {
            let message = "what is kept of the manifest is not what was agreed to: name the file";
            return Err(terminal.trouble(message));
        };
        return Ok(Named { input: Input::new(path, text), installed });
    }
    let input = Input::read(path, Limits::default().document_bytes, terminal)?;
    let digest = sha256_hex(input.bytes());
    let all = all(terminal)?;
    if let Some(one) = all.into_iter().find(|one| one.record.manifest == digest) {
        return Ok(Named { installed: one, input });
    }
    // The file may be another version of an installed manifest.
    let document = input.parse(&Limits::default());
    let document = document.map_err(|report| input.refuse(&report, terminal))?;
    let id = Manifest::read(&document).map(|manifest| manifest.canonical_id().into_owned());
    let installed = chosen(&id.unwrap_or_else(|| name.to_owned()), terminal)?;
    drop(document);
    Ok(Named { installed, input })
}

/// Returns true if a tool of this manifest or with this id (`ID` or `ID@VERSION`) is
/// installed.
pub(crate) fn is_installed(name: &str, terminal: &Terminal) -> Result<bool, Failure> {
    let path = Path::new(name);
    let (mut id, mut digest) = (Some(name.to_owned()), None);
    if path.is_file() {
        let input = Input::read(path, Limits::default().document_bytes, terminal)?;
        let document = input.parse(&Limits::default());
        let document = document.map_err(|report| input.refuse(&report, terminal))?;
        id = Manifest::read(&document).map(|manifest| manifest.canonical_id().into_owned());
        digest = Some(sha256_hex(input.bytes()));
    }
    let is_it = |Record { id: known, version, manifest, .. }: &Record| {
        let named =
            id.as_ref().is_some_and(|id| id == known || *id == format!("{known}@{version}"));
        named || digest.as_ref() == Some(manifest)
    };
    Ok(all(terminal)?.iter().any(|one| is_it(&one.record)))
}

/// Returns the installed tool with this id. Fails if several versions match.
fn chosen(name: &str, terminal: &Terminal) -> Result<Installed, Failure> {
    let all = all(terminal)?;
    let full = |record: &Record| format!("{}@{}", record.id, record.version);
    let is_named = |one: &&Installed| one.record.id == name || full(&one.record) == name;
    let mut found: Vec<&Installed> = all.iter().filter(is_named).collect();
    let refuse = |message: &str| {
        terminal.error(message);
        Failure::Refused
    };
    match (found.pop(), found.is_empty()) {
        (Some(one), true) => Ok(one.clone()),
        (Some(_), false) => {
            let name = quoted(name);
            Err(refuse(&format!("several versions of {name} are installed: say ID@VERSION")))
        }
        (None, _) => {
            let guess = did_you_mean(name, all.iter().map(|one| one.record.id.as_str()));
            let hint = guess.map_or_else(
                || ": `toolglot installed` lists what is".to_owned(),
                |guess| format!(": did you mean {guess}?"),
            );
            Err(refuse(&format!("{} is not installed{hint}", quoted(name))))
        }
    }
}
