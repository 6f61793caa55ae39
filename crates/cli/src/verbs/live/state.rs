//! `toolglot where` and `toolglot forget`: the files that toolglot keeps on this machine.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use disk::user;
use toolglot::core::some_or_bug;

use crate::files::input::display_path;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::person;
use crate::verbs::live::serve;

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
    what: Vec<StateKind>,
    /// Ask nothing
    #[arg(long)]
    yes: bool,
}

/// What is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum StateKind {
    /// Which tools may be called without asking
    Approvals,
    /// The keys of publishers that are trusted
    Keys,
    /// A line for each call
    Calls,
    /// The token of `toolglot serve`
    Token,
    /// What versions of tools in registries were when they were first seen
    Versions,
    /// Sources that bridges of converted manifests call
    Store,
    /// Installed tools (`toolglot revoke` also does what their manifests ask for)
    Tools,
    /// Installed capabilities, and the local catalog that declares them
    Capabilities,
    /// Files of bundles that were called, and answers of registries
    Cache,
}

impl StateKind {
    /// Returns the files and folders of this kind. `None` if the user's folders are
    /// unknown.
    fn paths(self) -> Option<Vec<PathBuf>> {
        let state = |names: &[&str]| {
            let folder = user::state()?;
            Some(names.iter().map(|name| folder.join(name)).collect())
        };
        match self {
            Self::Approvals => state(&["approvals.json"]),
            Self::Keys => Some(vec![installer::TrustStore::of_user()?.path()]),
            Self::Calls => state(&["calls.jsonl", "calls.1.jsonl"]),
            Self::Token => state(&[serve::TOKEN_FILE]),
            Self::Versions => state(&["versions.jsonl"]),
            Self::Store => Some(vec![disk::sources::user_store()?]),
            Self::Tools => Some(vec![user::data()?.join("tools")]),
            Self::Capabilities => Some(vec![user::data()?.join("capabilities")]),
            Self::Cache => Some(vec![user::cache()?]),
        }
    }

    fn name(self) -> String {
        some_or_bug(self.to_possible_value().map(|value| value.get_name().to_owned()))
    }

    fn about(self) -> String {
        let value = self.to_possible_value();
        some_or_bug(value.and_then(|value| value.get_help().map(ToString::to_string)))
    }
}

pub(crate) fn print_locations(_: &WhereArgs, terminal: &Terminal) -> Result<(), Failure> {
    for kind in StateKind::value_variants() {
        let (name, about) = (kind.name(), kind.about());
        let Some(paths) = kind.paths() else {
            terminal.print(&format!("{name:12} nowhere, for HOME is not set: {about}\n"))?;
            continue;
        };
        let paths = paths.iter().enumerate();
        for (_, path) in paths.filter(|(index, path)| *index == 0 || path.exists()) {
            let size = size(path).map_or("nothing".to_owned(), |bytes| format!("{bytes} bytes"));
            terminal.print(&format!("{name:12} {} ({size}): {about}\n", display_path(path)))?;
        }
    }
    Ok(())
}

pub(crate) fn forget(args: &ForgetArgs, terminal: &Terminal) -> Result<(), Failure> {
    let mut paths: Vec<PathBuf> =
        args.what.iter().filter_map(|kind| kind.paths()).flatten().collect();
    paths.retain(|path| path.exists());
    paths.sort();
    paths.dedup();
    if paths.is_empty() {
        return terminal.print("there is nothing to delete\n");
    }
    let list: Vec<String> = paths.iter().map(|path| display_path(path)).collect();
    if !args.yes && !person::confirm(&format!("Delete {}?", list.join(", ")), terminal) {
        terminal.error("nothing is deleted: nobody said yes (--yes does)");
        return Err(Failure::Refused);
    }
    for path in paths {
        let gone = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        gone.map_err(|error| {
            terminal.usage_error(&format!("cannot delete {}: {error}", display_path(&path)))
        })?;
        terminal.print(&format!("deleted {}\n", display_path(&path)))?;
    }
    Ok(())
}

/// Returns the size of a file, or of all files below a folder. Does not follow links.
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
