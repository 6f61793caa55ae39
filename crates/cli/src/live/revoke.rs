//! `toolglot revoke`

use std::path::{Path, PathBuf};

use installer::packages::{Held, Packages};
use installer::{Installer, Tool};
use toolglot::core::printable;
use toolglot::install_engine::acquire::Allowed;

use crate::installs;
use crate::live::install::{Reach, given, hosted, store};
use crate::live::installed::{Named, named};
use crate::live::packages;
use crate::live::people::{AtTerminal, failed};
use console::terminal::{Failure, Terminal};

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
    allow: Vec<Reach>,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    if !Path::new(&args.name).is_file()
        && let Some(held) = packages::held(&args.name, terminal)?
    {
        return removed(&held, terminal);
    }
    let Named { installed, input } = named(&args.name, terminal)?;
    installs::of(&input, terminal, |found| {
        let (store, tools) = (store(terminal)?, found.tools());
        let given = given(args.values.as_ref(), found, terminal)?;
        let tool = Tool { text: input.bytes(), manifest: found.manifest, tools: &tools };
        let mut person = AtTerminal { terminal, yes: args.yes };
        let forget = hosted(!args.allow.is_empty(), terminal, async |host| {
            let installer = Installer { host, store: &store, allowed: Allowed::default() };
            let done = installer.revoke(&tool, &installed, &given, args.force, &mut person).await;
            done.map_err(|error| failed(error, found, terminal))
        })?;
        if !forget.is_empty() {
            terminal.say(&format!("note: delete where you keep them: {}\n", forget.join(", ")));
        }
        let [id, version] =
            [&installed.record.id, &installed.record.version].map(|text| printable(text, 128));
        terminal.print(&format!("revoked {id} {version}\n"))
    })
}

/// Removes a package, which has no kill switch.
fn removed(held: &Held, terminal: &Terminal) -> Result<(), Failure> {
    let [id, version] = [&held.info.tool_id, &held.info.version].map(|text| printable(text, 128));
    let mut hears = |line: &str| terminal.say(&format!("now: {line}\n"));
    let removed = Packages::here().remove(&held.info.tool_id, &mut hears);
    removed.map_err(|error| packages::failed(&error, terminal))?;
    terminal.print(&format!("revoked {id} {version}\n"))
}
