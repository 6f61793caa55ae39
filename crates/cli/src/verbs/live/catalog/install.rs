//! `toolglot catalog install` and `toolglot catalog reset`

use std::path::Path;

use installer::capabilities::{Content, Error, StoreTransaction};
use toolglot::capability::{CatalogEntry, Layers};
use toolglot::core::quoted;

use super::files::{CatalogArgs, read_entry};
use super::grants::{TrustLevel, trust_policy};
use super::registries::RegistryArgs;
use crate::files::input::{self, display_path};
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::person;

/// Install a capability: store it, check it, put it in place, and declare it in the local catalog
#[derive(clap::Args)]
pub(super) struct InstallArgs {
    /// The manifest; - is standard input. Where a registry is named, the id of what it offers
    #[arg(value_name = "FILE|ID")]
    manifest: String,
    #[command(flatten)]
    registries: RegistryArgs,
    #[command(flatten)]
    files: CatalogArgs,
    /// A trust level to accept beside local and verified
    #[arg(long, value_name = "LEVEL")]
    allow: Vec<TrustLevel>,
}

/// Delete the local catalog and all that was installed; what was shipped stays
#[derive(clap::Args)]
pub(super) struct ResetArgs {
    #[command(flatten)]
    files: CatalogArgs,
    /// Ask nothing
    #[arg(long)]
    yes: bool,
}

pub(super) fn install(args: &InstallArgs, terminal: &Terminal) -> Result<(), Failure> {
    let (entry, content) = if args.registries.is_given() {
        (args.registries.fetch_entry(&args.manifest, terminal)?, None)
    } else {
        let file = Path::new(&args.manifest);
        let entry = read_entry(file, terminal)?;
        let content = find_content(&entry, file, terminal)?;
        (entry, content)
    };
    let store = args.files.require_store(terminal)?;
    let change = store.begin_transaction().map_err(|error| show_error(&error, terminal))?;
    let read = args.files.read_with(Some(&store), terminal)?;
    read.require_valid_local(store.local_path(), terminal)?;
    recover(&change, &read.layers, terminal)?;
    let (id, version) = (quoted(entry.id()), quoted(&entry.manifest().version));
    let policy = trust_policy(&args.allow);
    change
        .install(entry, content.as_ref(), &read.layers, &policy)
        .map_err(|error| show_error(&error, terminal))?;
    terminal.status(&format!("installed {id} {version}\n"));
    Ok(())
}

/// Returns the content that a manifest names, if the file exists.
fn find_content(
    entry: &CatalogEntry,
    manifest: &Path,
    terminal: &Terminal,
) -> Result<Option<Content>, Failure> {
    let found = input::folder(manifest).map_or(Ok(None), |folder| Content::read(entry, &folder));
    let found = found.map_err(|error| {
        terminal.usage_error(&format!("the content of {}: {error}", quoted(entry.id())))
    })?;
    if found.is_none() {
        let id = quoted(entry.id());
        terminal.status(&format!(
            "note: there is no file of {id} beside its manifest, so that its digest is not checked\n"
        ));
    }
    Ok(found)
}

pub(super) fn reset(args: &ResetArgs, terminal: &Terminal) -> Result<(), Failure> {
    let store = args.files.require_store(terminal)?;
    if !store.local_path().exists() && !store.root().exists() {
        terminal.status("there is nothing to delete\n");
        return Ok(());
    }
    let question = format!(
        "Delete {} and all that is installed in {}?",
        display_path(store.local_path()),
        display_path(store.root())
    );
    if !args.yes && !person::confirm(&question, terminal) {
        terminal.error("nothing is deleted: nobody said yes (--yes does)");
        return Err(Failure::Refused);
    }
    let change = store.begin_transaction().map_err(|error| show_error(&error, terminal))?;
    change.reset().map_err(|error| show_error(&error, terminal))?;
    terminal.status(&format!(
        "deleted {}, and all that was installed\n",
        display_path(store.local_path())
    ));
    Ok(())
}

/// Removes leftovers of a crash.
pub(super) fn recover(
    change: &StoreTransaction<'_>,
    layers: &Layers,
    terminal: &Terminal,
) -> Result<(), Failure> {
    change.recover(layers).map_err(|error| show_error(&Error::Store(error), terminal))
}

/// Shows an error of the store.
pub(super) fn show_error(error: &Error, terminal: &Terminal) -> Failure {
    match error {
        Error::Invalid(report) => {
            terminal.show(report, None);
            Failure::Invalid
        }
        Error::Store(_) => terminal.usage_error(&error.to_string()),
        _ => {
            terminal.error(&error.to_string());
            Failure::Refused
        }
    }
}
