//! `toolglot revoke`

use std::path::{Path, PathBuf};

use installer::packages::{InstalledPackage, PackageStore};
use installer::{CheckedManifest, Installer};
use toolglot::core::printable;
use toolglot::install_engine::acquire::CodePermissions;

use crate::files::installable;
use crate::terminal::console::{Failure, Terminal};
use crate::verbs::live::consent_prompt::{TerminalPerson, show_error};
use crate::verbs::live::install::{InstalledGrant, file_values, user_store, with_install_host};
use crate::verbs::live::installed::{NamedInstallation, find_named};
use crate::verbs::live::packages;

/// Revoke a tool that is installed, and remove it
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot revoke notes
  toolglot revoke notes@1.0.0 --values secrets.env
  toolglot revoke notes.install.json

The kill switch of the manifest is carried out first: a program is run, a request is sent, or you are
told what to do by hand; --yes says that it is done. When that fails, the tool stays, to be revoked
again; --force removes it all the same. An MCPKG package has none, and is removed with the versions that
are kept of it.

Exit codes: 0 revoked, 1 not a valid install manifest, 2 wrong usage or an unreadable file, 3 refused,
or not installed, 4 the kill switch failed")]
pub(crate) struct Args {
    /// The install manifest, or the id of the tool or package: ID or ID@VERSION
    #[arg(value_name = "FILE|ID")]
    name: String,
    /// Say that what has to be done by hand is done
    #[arg(long)]
    yes: bool,
    /// Remove the tool although its kill switch fails
    #[arg(long)]
    force: bool,
    /// A file with values of variables: a JSON object, or lines NAME=value
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,
    /// Grant more
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    allow: Vec<InstalledGrant>,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    if !Path::new(&args.name).is_file()
        && let Some(held) = packages::find_installed(&args.name, terminal)?
    {
        return remove_package(&held, terminal);
    }
    let NamedInstallation { installed, input } = find_named(&args.name, terminal)?;
    installable::with_manifest_input(&input, terminal, |found| {
        let (store, tools) = (user_store(terminal)?, found.tools());
        let given = file_values(args.values.as_ref(), found, terminal)?;
        let tool = CheckedManifest { text: input.bytes(), manifest: found.manifest, tools: &tools };
        let mut person = TerminalPerson { terminal, yes: args.yes };
        let forget = with_install_host(!args.allow.is_empty(), terminal, async |host| {
            let installer =
                Installer { host, store: &store, permissions: CodePermissions::default() };
            let done = installer.revoke(&tool, &installed, &given, args.force, &mut person).await;
            done.map_err(|error| show_error(error, found, terminal))
        })?;
        if !forget.is_empty() {
            terminal.status(&format!("note: delete where you keep them: {}\n", forget.join(", ")));
        }
        let [id, version] =
            [&installed.record.id, &installed.record.version].map(|text| printable(text, 128));
        terminal.print(&format!("revoked {id} {version}\n"))
    })
}

/// Removes a package, which has no kill switch.
fn remove_package(held: &InstalledPackage, terminal: &Terminal) -> Result<(), Failure> {
    let [id, version] = [&held.info.tool_id, &held.info.version].map(|text| printable(text, 128));
    let mut hears = |line: &str| terminal.status(&format!("now: {line}\n"));
    let removed = PackageStore::in_working_directory().remove(&held.info.tool_id, &mut hears);
    removed.map_err(|error| packages::show_error(&error, terminal))?;
    terminal.print(&format!("revoked {id} {version}\n"))
}
