//! `toolglot where` and `toolglot forget`: what is kept on this machine.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::refusals::said_yes;
use console::input::shown;
use console::terminal::{Failure, Terminal};

/// Tell what toolglot keeps on this machine, and where
#[derive(clap::Args)]
#[command(after_help = "Exit codes: 0 told, 2 wrong usage")]
pub(crate) struct WhereArgs {}

/// Delete what toolglot keeps on this machine
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot where
  toolglot forget cache
  toolglot forget approvals calls --yes

Exit codes: 0 deleted, or there was nothing, 2 it cannot be deleted, 3 nobody said yes")]
pub(crate) struct ForgetArgs {
    /// What to delete
    #[arg(required = true, value_name = "WHAT")]
    what: Vec<Kind>,
    /// Ask nothing
    #[arg(long)]
    yes: bool,
}

/// What is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Kind {
    /// Which tools may be called without asking
    Approvals,
    /// The keys of publishers that are trusted
    Keys,
    /// A line for each call
    Calls,
    /// The token of `toolglot serve`
    Token,
    /// Sources that bridges of converted manifests call
    Store,
    /// Files of bundles that were called
    Cache,
}

const ALL: [Kind; 6] =
    [Kind::Approvals, Kind::Keys, Kind::Calls, Kind::Token, Kind::Store, Kind::Cache];

impl Kind {
    fn path(self) -> Option<PathBuf> {
        match self {
            Self::Approvals => Some(host::state()?.join("approvals.json")),
            Self::Keys => Some(installer::Trust::of_user()?.path()),
            Self::Calls => Some(host::state()?.join("calls.jsonl")),
            Self::Token => Some(host::state()?.join("token")),
            Self::Store => host::sources::store(),
            Self::Cache => gateway::cache(),
        }
    }

    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    fn about(self) -> String {
        let value = self.to_possible_value();
        value.and_then(|value| value.get_help().map(ToString::to_string)).unwrap_or_default()
    }
}

pub(crate) fn tell(_: &WhereArgs, terminal: &Terminal) -> Result<(), Failure> {
    for kind in ALL {
        let (name, about) = (kind.name(), kind.about().to_lowercase());
        let line = match kind.path() {
            Some(path) => {
                let size =
                    size(&path).map_or("nothing".to_owned(), |bytes| format!("{bytes} bytes"));
                format!("{name:10} {} ({size}): {about}\n", shown(&path))
            }
            None => format!("{name:10} nowhere, for HOME is not set: {about}\n"),
        };
        terminal.print(&line)?;
    }
    Ok(())
}

pub(crate) fn forget(args: &ForgetArgs, terminal: &Terminal) -> Result<(), Failure> {
    let is_there = |kind: &Kind| kind.path().filter(|path| path.exists());
    let mut paths: Vec<PathBuf> = args.what.iter().filter_map(is_there).collect();
    paths.sort();
    paths.dedup();
    if paths.is_empty() {
        return terminal.print("there is nothing to delete\n");
    }
    let list: Vec<String> = paths.iter().map(|path| shown(path)).collect();
    if !args.yes && !said_yes(&format!("Delete {}?", list.join(", ")), terminal) {
        terminal.error("nothing is deleted: nobody said yes (--yes does)");
        return Err(Failure::Refused);
    }
    for path in paths {
        let gone = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        gone.map_err(|error| {
            terminal.trouble(&format!("cannot delete {}: {error}", shown(&path)))
        })?;
        terminal.print(&format!("deleted {}\n", shown(&path)))?;
    }
    Ok(())
}

/// The bytes of a file, or of all files below a folder. Links are not followed.
fn size(path: &Path) -> io::Result<u64> {
    let about = fs::symlink_metadata(path)?;
    if !about.is_dir() {
        return Ok(about.len());
    }
    let (mut bytes, mut open) = (0, vec![path.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)?.flatten() {
            let about = entry.metadata()?;
            if about.is_dir() {
                open.push(entry.path());
            } else {
                bytes += about.len();
            }
        }
    }
    Ok(bytes)
}
