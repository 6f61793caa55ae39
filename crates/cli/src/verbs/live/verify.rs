//! `toolglot verify`

use std::path::{Path, PathBuf};

use installer::packages::PackageStore;
use installer::{Check, CheckedManifest, Installer};
use toolglot::core::quoted;
use toolglot::install_engine::acquire::CodePermissions;
use toolglot::{Formats, capability, install_manifest};

use crate::files::input;
use crate::files::installable;
use crate::files::limits;
use crate::files::package;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::{Style, json_line};
use crate::verbs::live::consent_prompt::{TerminalPerson, show_error};
use crate::verbs::live::install::{InstalledGrant, file_values, user_store, with_install_host};
use crate::verbs::live::installed::{NamedInstallation, find_named, is_installed};
use crate::verbs::live::{callable, packages};

mod manifests;

use manifests::Verification;

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
    allow: Vec<InstalledGrant>,
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
    let package = if args.store.is_none() { verify_package(args, terminal)? } else { None };
    let Verification { checks, has_reference: agreed } = match package {
        Some(checks) => Verification::with_reference(checks),
        None => verify_other(args, formats, terminal)?,
    };
    let broken = checks.iter().any(|check| check.holds == Some(false));
    terminal.print(&match args.format {
        Style::Json => checks.iter().map(json_line).collect::<String>(),
        Style::Text => checks.iter().map(format_check).collect(),
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
fn verify_package(args: &Args, terminal: &Terminal) -> Result<Option<Vec<Check>>, Failure> {
    let fail = |error| packages::show_error(&error, terminal);
    if let Some(input) = packages::read_archive(Path::new(&args.name), terminal)? {
        let content = package::open(&input, terminal)?;
        let id = packages::tool_id(&content);
        let keys = packages::trusted_keys(&args.keys, &id, terminal)?;
        let mut checks = vec![Check::from(&keys.signature_status(&content, &limits::document()))];
        if let Some(held) = PackageStore::in_working_directory().find(&id).map_err(fail)? {
            checks.insert(0, held.check_digest(&content.digest()));
        }
        return Ok(Some(checks));
    }
    let held = if Path::new(&args.name).is_file() {
        let of = PackageStore::of_manifest(Path::new(&args.name));
        of.map(|(packages, id)| packages.find(&id)).transpose().map_err(fail)?.flatten()
    } else {
        packages::find_installed(&args.name, terminal)?
    };
    let Some(held) = held else { return Ok(None) };
    let keys = packages::trusted_keys(&args.keys, &held.info.tool_id, terminal)?;
    held.verify(&keys).map(Some).map_err(fail)
}

/// Checks an installed tool or capability, or a manifest of any format.
fn verify_other(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<Verification, Failure> {
    let path = Path::new(&args.name);
    if !path.is_file() {
        let store = args.store.as_deref();
        if (store.is_some() || !is_installed(&args.name, terminal)?)
            && let Some(checks) = manifests::verify_capability(&args.name, store, terminal)?
        {
            return Ok(Verification::with_reference(checks));
        }
        if let Some(store) = store {
            let (name, store) = (quoted(&args.name), input::display_path(store));
            terminal.error(&format!("{name} is not installed in {store}"));
            return Err(Failure::Refused);
        }
        return verify_installation(args, terminal).map(Verification::with_reference);
    }
    let format = callable::with_file(path, formats, terminal, |document| Ok(document.format.name))?;
    if args.store.is_some() && format != capability::FORMAT.name {
        return Err(terminal.usage_error("--store is for capabilities"));
    }
    if format == install_manifest::FORMAT.name && is_installed(&args.name, terminal)? {
        return verify_installation(args, terminal).map(Verification::with_reference);
    }
    if args.smoke {
        return Err(terminal.usage_error("--smoke is for tools that `toolglot install` installed"));
    }
    manifests::verify_file(path, args.store.as_deref(), formats, terminal)
}

/// Checks a tool that was installed from an install manifest.
fn verify_installation(args: &Args, terminal: &Terminal) -> Result<Vec<Check>, Failure> {
    let NamedInstallation { installed, input } = find_named(&args.name, terminal)?;
    installable::with_manifest_input(&input, terminal, |found| {
        let (store, tools) = (user_store(terminal)?, found.tools());
        let given = file_values(args.values.as_ref(), found, terminal)?;
        let tool = CheckedManifest { text: input.bytes(), manifest: found.manifest, tools: &tools };
        let mut person = TerminalPerson { terminal, yes: false };
        with_install_host(!args.allow.is_empty(), terminal, async |host| {
            let installer =
                Installer { host, store: &store, permissions: CodePermissions::default() };
            let values = args.smoke.then_some(&given);
            let done = installer.verify(&tool, &installed, values, &mut person).await;
            done.map_err(|error| show_error(error, found, terminal))
        })
    })
}

fn format_check(check: &Check) -> String {
    let holds = match check.holds {
        Some(true) => "holds",
        Some(false) => "broken",
        None => "unknown",
    };
    format!("{holds:<8} {:<13} {}\n", check.what, check.found)
}
