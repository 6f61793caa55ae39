//! `toolglot catalog install` and `toolglot catalog reset`

use std::path::Path;

use installer::capabilities::{Changing, Content, Error};
use toolglot::capability::{CatalogEntry, Layers};
use toolglot::core::quoted;

use super::files::{Files, read_entry};
use super::grants::{Level, trusting};
use super::registries::Registries;
use console::input::{self, shown};
use console::person;
use console::terminal::{Failure, Terminal};

/// Install a capability: store it, check it, put it in place, and declare it in the local catalog
#[derive(clap::Args)]
pub(super) struct InstallArgs {
    /// The manifest; - is standard input. Where a registry is named, the id of what it offers
    #[arg(value_name = "FILE|ID")]
    manifest: String,
    #[command(flatten)]
    registries: Registries,
    #[command(flatten)]
    files: Files,
    /// A trust level to accept beside local and verified
    #[arg(long, value_name = "LEVEL")]
    allow: Vec<Level>,
}

/// Delete the local catalog and all that was installed; what was shipped stays
#[derive(clap::Args)]
pub(super) struct ResetArgs {
    #[command(flatten)]
    files: Files,
    /// Ask nothing
    #[arg(long)]
    yes: bool,
}

pub(super) fn install(args: &InstallArgs, terminal: &Terminal) -> Result<(), Failure> {
    let (entry, content) = if args.registries.are_named() {
        (args.registries.entry(&args.manifest, terminal)?, None)
    } else {
        let file = Path::new(&args.manifest);
        let entry = read_entry(file, terminal)?;
        let content = content(&entry, file, terminal)?;
        (entry, content)
    };
    let store = args.files.store(terminal)?;
    let change = store.change().map_err(|error| failed(&error, terminal))?;
    let read = args.files.read_with(Some(&store), terminal)?;
    read.keeps_all(store.local(), terminal)?;
    recovered(&change, &read.layers, terminal)?;
    let (id, version) = (quoted(entry.id()), quoted(&entry.manifest().version));
    let policy = trusting(&args.allow);
    change
        .install(entry, content.as_ref(), &read.layers, &policy)
        .map_err(|error| failed(&error, terminal))?;
    terminal.say(&format!("installed {id} {version}\n"));
    Ok(())
}

/// Returns the content that a manifest names, if the file exists.
fn content(
    entry: &CatalogEntry,
    manifest: &Path,
    terminal: &Terminal,
) -> Result<Option<Content>, Failure> {
    let found = input::folder(manifest).map_or(Ok(None), |folder| Content::of(entry, &folder));
    let found = found.map_err(|error| {
        terminal.trouble(&format!("the content of {}: {error}", quoted(entry.id())))
    })?;
    if found.is_none() {
        let id = quoted(entry.id());
        terminal.say(&format!(
            "note: there is no file of {id} beside its manifest, so that its digest is not checked\n"
        ));
    }
    Ok(found)
}

pub(super) fn reset(args: &ResetArgs, terminal: &Terminal) -> Result<(), Failure> {
    let store = args.files.store(terminal)?;
    if !store.local().exists() && !store.root().exists() {
        terminal.say("there is nothing to delete\n");
        return Ok(());
    }
    let question = format!(
        "Delete {} and all that is installed in {}?",
        shown(store.local()),
        shown(store.root())
    );
    if !args.yes && !person::says_yes(&question, terminal) {
        terminal.error("nothing is deleted: nobody said yes (--yes does)");
        return Err(Failure::Refused);
    }
    let change = store.change().map_err(|error| failed(&error, terminal))?;
    change.reset().map_err(|error| failed(&error, terminal))?;
    terminal.say(&format!("deleted {}, and all that was installed\n", shown(store.local())));
    Ok(())
}

/// Removes leftovers of a crash.
pub(super) fn recovered(
    change: &Changing<'_>,
    layers: &Layers,
    terminal: &Terminal,
) -> Result<(), Failure> {
    change.recover(layers).map_err(|error| failed(&Error::Store(error), terminal))
}

/// Shows an error of the store.
pub(super) fn failed(error: &Error, terminal: &Terminal) -> Failure {
    match error {
        Error::Invalid(report) => {
            terminal.show(report, None);
            Failure::Invalid
        }
        Error::Store(_) => terminal.trouble(&error.to_string()),
        _ => {
            terminal.error(&error.to_string());
            Failure::Refused
        }
    }
}
