//! `toolglot verify`

use std::path::{Path, PathBuf};

use installer::packages::Packages;
use installer::{Check, Installer, Tool};
use toolglot::core::quoted;
use toolglot::install_engine::acquire::Allowed;
use toolglot::{Formats, capability, install_manifest};

use crate::live::install::{Reach, given, hosted, store};
use crate::live::installed::{Named, is_installed, named};
use crate::live::people::{AtTerminal, failed};
use crate::live::{callable, packages};
use crate::{installs, package};
use console::problem::{Style, json_line};
use console::terminal::{Failure, Terminal};
use console::{input, limits};

mod agreed;

use agreed::Looked;

/// Say whether a tool is still what was agreed to
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot verify notes.install.json
  toolglot verify notes --smoke --values secrets.env
  toolglot verify acme.crm.search-1.0.0.mcpkg --key acme.key.pub
  toolglot verify acme.crm.search
  toolglot verify files.count --store capabilities
  toolglot verify tools.json

Of a tool that was installed from an install manifest: whether the manifest is the one that was agreed
to, whether every file is the one that was installed, and what the manifest itself asks for under
verify. With --smoke, the smoke test is run; twenty times, if the manifest promises times or a rate of
errors.

Of an MCPKG package: whether the signature is that of a key that is trusted, over every file. Of one that
is installed below .mcp/tools, also whether every file there is that of the package. What is not signed,
or signed by nobody who is trusted, is unknown.

Of a capability that `toolglot catalog install` installed: whether what is in place is what was installed,
and whether the manifest is the one that the local catalog declares: that of the user, or of --store.

Of any other manifest: whether its text is that of which tools were approved with `toolglot approve`. Of a
capability, also whether the file beside it has the digest that it pins; of a converted manifest, whether
its source is there, unchanged.

Exit codes: 0 it is, 1 it is not, or the manifest is wrong, 2 wrong usage or an unreadable file, 3 not
installed, or nothing of it was agreed to yet")]
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
    /// The store of `toolglot catalog --store` that a capability is installed in, if not the user's
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["keys", "smoke"])]
    store: Option<PathBuf>,
    /// How to print it
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: Style,
}

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let package = if args.store.is_none() { of_package(args, terminal)? } else { None };
    let Looked { checks, agreed } = match package {
        Some(checks) => Looked::agreed(checks),
        None => of_format(args, formats, terminal)?,
    };
    let broken = checks.iter().any(|check| check.holds == Some(false));
    terminal.print(&match args.format {
        Style::Json => checks.iter().map(json_line).collect::<String>(),
        Style::Text => checks.iter().map(shown).collect(),
    })?;
    if broken {
        return Err(Failure::Invalid);
    }
    if agreed {
        return Ok(());
    }
    terminal.error(
        "nothing of it was agreed to yet, so that there is nothing to hold it against: see \
         `toolglot approve` and `toolglot install`",
    );
    Err(Failure::Refused)
}

/// Checks a package in a file, or an installed one. Returns `None` if it is not a package.
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
    let held = if Path::new(&args.name).is_file() {
        let of = Packages::of_manifest(Path::new(&args.name));
        of.map(|(packages, id)| packages.find(&id)).transpose().map_err(fail)?.flatten()
    } else {
        packages::held(&args.name, terminal)?
    };
    let Some(held) = held else { return Ok(None) };
    let keys = packages::keys(&args.keys, &held.info.tool_id, terminal)?;
    held.verify(&keys).map(Some).map_err(fail)
}

/// Checks an installed tool or capability, or a manifest of any format.
fn of_format(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<Looked, Failure> {
    let path = Path::new(&args.name);
    if !path.is_file() {
        let store = args.store.as_deref();
        if (store.is_some() || !is_installed(&args.name, terminal)?)
            && let Some(checks) = agreed::of_capability(&args.name, store, terminal)?
        {
            return Ok(Looked::agreed(checks));
        }
        if let Some(store) = store {
            let (name, store) = (quoted(&args.name), input::shown(store));
            terminal.error(&format!("{name} is not installed in {store}"));
            return Err(Failure::Refused);
        }
        return of_installation(args, terminal).map(Looked::agreed);
    }
    let format = callable::open(path, formats, terminal, |document| Ok(document.format.name))?;
    if args.store.is_some() && format != capability::FORMAT.name {
        return Err(terminal.trouble("--store is for capabilities"));
    }
    if format == install_manifest::FORMAT.name && is_installed(&args.name, terminal)? {
        return of_installation(args, terminal).map(Looked::agreed);
    }
    if args.smoke {
        return Err(terminal.trouble("--smoke is for tools that `toolglot install` installed"));
    }
    agreed::of_file(path, args.store.as_deref(), formats, terminal)
}

/// Checks a tool that was installed from an install manifest.
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
