//! `toolglot installed`, and looking up installed tools.

use std::path::Path;

use disk::store::{InstalledTool, Record};
use toolglot::core::{did_you_mean, printable, quoted};
use toolglot::install_manifest::Manifest;
use toolglot::{Limits, core::sha256_hex};

use crate::files::input::Input;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::{Style, json_line};
use crate::terminal::table::short_digest;
use crate::verbs::live::install::user_store;
use crate::verbs::live::package_list::{self, PackageListArgs};

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
    packages: PackageListArgs,
    /// How to print it
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: Style,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let line = |one: &InstalledTool| match args.format {
        Style::Json => json_line(&one.record),
        Style::Text => format_record(&one.record),
    };
    let tools = if args.packages.is_given() { Vec::new() } else { all_installed(terminal)? };
    let packages = package_list::format_packages(&args.packages, args.format, terminal)?;
    let listed = tools.iter().map(line).collect::<String>() + &packages;
    if listed.is_empty() {
        let is_chosen = args.packages.is_given();
        terminal.status(if is_chosen { "no package fits\n" } else { "nothing is installed\n" });
    }
    terminal.print(&listed)
}

fn format_record(record: &Record) -> String {
    let Record { id, version, format, method, .. } = record;
    let [id, version, format, method] =
        [id, version, format, method].map(|text| printable(text, 128));
    let digest = short_digest(&record.manifest);
    format!("{id} {version}  {format}, {method}  sha256:{digest}…\n")
}

fn all_installed(terminal: &Terminal) -> Result<Vec<InstalledTool>, Failure> {
    user_store(terminal)?
        .all()
        .map_err(|error| terminal.usage_error(&format!("the store cannot be read: {error}")))
}

/// An installed tool that the user named, for example to revoke it.
pub(crate) struct NamedInstallation {
    pub(crate) installed: InstalledTool,
    /// The manifest in the named file, or else the agreed one.
    pub(crate) input: Input,
}

/// Returns the installed tool of a manifest file, or with this id (`ID` or `ID@VERSION`).
pub(crate) fn find_named(name: &str, terminal: &Terminal) -> Result<NamedInstallation, Failure> {
    let path = Path::new(name);
    if !path.is_file() {
        let installed = find_by_id(name, terminal)?;
        let text =
            installed.manifest().map_err(|error| terminal.usage_error(&error.to_string()))?;
        let Some(text) = text else {
            let message = "what is kept of the manifest is not what was agreed to: name the file";
            return Err(terminal.usage_error(message));
        };
        return Ok(NamedInstallation { input: Input::new(path, text), installed });
    }
    let input = Input::read(path, Limits::default().document_bytes, terminal)?;
    let digest = sha256_hex(input.bytes());
    let all = all_installed(terminal)?;
    if let Some(one) = all.into_iter().find(|one| one.record.manifest == digest) {
        return Ok(NamedInstallation { installed: one, input });
    }
    // The file may be another version of an installed manifest.
    let document = input.parse(&Limits::default());
    let document = document.map_err(|report| input.refuse(&report, terminal))?;
    let id = Manifest::read(&document).map(|manifest| manifest.canonical_id().into_owned());
    let installed = find_by_id(&id.unwrap_or_else(|| name.to_owned()), terminal)?;
    drop(document);
    Ok(NamedInstallation { installed, input })
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
    Ok(all_installed(terminal)?.iter().any(|one| is_it(&one.record)))
}

/// Returns the installed tool with this id. Fails if several versions match.
fn find_by_id(name: &str, terminal: &Terminal) -> Result<InstalledTool, Failure> {
    let all = all_installed(terminal)?;
    let full = |record: &Record| format!("{}@{}", record.id, record.version);
    let is_named = |one: &&InstalledTool| one.record.id == name || full(&one.record) == name;
    let mut found: Vec<&InstalledTool> = all.iter().filter(is_named).collect();
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
