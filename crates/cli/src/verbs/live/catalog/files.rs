//! The catalogs that a verb reads, and the store of their installed capabilities.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use installer::capabilities::CapabilityStore;
use toolglot::capability::{Catalog, CatalogEntry, Layers, ReadCatalog};
use toolglot::json::Document;
use toolglot::{Profile, ValidateOptions};

use crate::files::input::{Input, display_path};
use crate::files::limits;
use crate::files::output;
use crate::terminal::console::{Failure, Terminal};

/// The two catalogs, and the store.
#[derive(clap::Args)]
pub(super) struct CatalogArgs {
    /// The catalog that was shipped
    #[arg(long, value_name = "FILE")]
    pub(super) base: Option<PathBuf>,
    /// The catalog over it, if not manifest.local.json of the store
    #[arg(long, value_name = "FILE")]
    pub(super) local: Option<PathBuf>,
    /// The folder of what is installed, for one local catalog
    #[arg(
        long,
        value_name = "FOLDER",
        long_help = "\
The folder of what is installed, for one local catalog: what that does not declare is removed from
it. Without this, it is FILE.store beside the file that --local names. Where no catalog is named
either, it is capabilities in the user's data folder: $XDG_DATA_HOME/toolglot, or
~/.local/share/toolglot"
    )]
    store: Option<PathBuf>,
    /// Refuse a catalog when one of its entries is invalid
    #[arg(long)]
    fail_all: bool,
}

/// The catalogs, with the text of the local one.
pub(super) struct OpenCatalogs {
    pub(super) layers: Layers,
    local: Option<Input>,
    /// True if an entry of either catalog was left out.
    pub(super) is_incomplete: bool,
    /// True if an entry of the local catalog was left out.
    pub(super) is_local_incomplete: bool,
}

impl OpenCatalogs {
    /// Fails if an entry was left out, so that scripts notice. The reasons were shown
    /// before.
    pub(super) const fn require_complete(&self) -> Result<(), Failure> {
        if self.is_incomplete { Err(Failure::Invalid) } else { Ok(()) }
    }

    /// Refuses to write the local catalog if that would lose invalid entries.
    pub(super) fn require_valid_local(
        &self,
        file: &Path,
        terminal: &Terminal,
    ) -> Result<(), Failure> {
        if !self.is_local_incomplete {
            return Ok(());
        }
        terminal.error(&format!(
            "{} has entries that are invalid, and would lose them: mend or remove them first",
            display_path(file)
        ));
        Err(Failure::Invalid)
    }
}

impl CatalogArgs {
    /// Returns the local catalog with its store. `None` if only a base catalog is named, or
    /// if the user has no data folder.
    fn named_store(&self) -> Option<CapabilityStore> {
        match (&self.store, &self.local) {
            (None, None) if self.base.is_some() => None,
            (None, None) => CapabilityStore::of_user(),
            (Some(store), local) => Some(CapabilityStore::at(store, local.clone())),
            (None, Some(local)) => {
                let mut store = OsString::from(local);
                store.push(".store");
                Some(CapabilityStore::at(store, Some(local.clone())))
            }
        }
    }

    /// Like `place`, for verbs that need a store even if only a base catalog is named.
    pub(super) fn require_store(&self, terminal: &Terminal) -> Result<CapabilityStore, Failure> {
        self.named_store().or_else(CapabilityStore::of_user).ok_or_else(|| {
            terminal.usage_error("say where capabilities are installed, with --store FOLDER")
        })
    }

    pub(super) fn read(&self, terminal: &Terminal) -> Result<OpenCatalogs, Failure> {
        self.read_with(self.named_store().as_ref(), terminal)
    }

    /// Reads the base catalog, and the local catalog of a store. Shows their conflicts.
    pub(super) fn read_with(
        &self,
        store: Option<&CapabilityStore>,
        terminal: &Terminal,
    ) -> Result<OpenCatalogs, Failure> {
        let (base, _, whole_base) = self.catalog(self.base.as_deref(), terminal)?;
        let local = store.map(CapabilityStore::local_path);
        let (local, input, whole_local) = self.catalog(local, terminal)?;
        let layers = Layers::new(base, local);
        let conflicts = layers.check_overrides(Profile::Spec, limits::document().diagnostics);
        terminal.show(&conflicts, None);
        let (left_out, local_left_out) = (!whole_base || !whole_local, !whole_local);
        Ok(OpenCatalogs {
            layers,
            local: input,
            is_incomplete: left_out,
            is_local_incomplete: local_left_out,
        })
    }

    fn catalog(
        &self,
        file: Option<&Path>,
        terminal: &Terminal,
    ) -> Result<(Catalog, Option<Input>, bool), Failure> {
        let Some(file) = file.filter(|file| file.exists()) else {
            return Ok((Catalog::default(), None, true));
        };
        let limits = limits::catalog();
        let input = Input::read(file, limits.document_bytes, terminal)?;
        let document = input.parse(&limits).map_err(|report| input.refuse(&report, terminal))?;
        let validate = ValidateOptions { limits, ..limits::validate_options() };
        let options = ReadCatalog { fail_all: self.fail_all, validate, ..ReadCatalog::default() };
        let (catalog, report) =
            Catalog::read(&document, &options).map_err(|report| input.refuse(&report, terminal))?;
        // Show the reasons for entries that are left out.
        terminal.show(&report, Some(&input.source()));
        let whole = report.is_valid();
        Ok((catalog, Some(input), whole))
    }

    /// Writes the local catalog, readable only by its owner. Changes as little of the text
    /// as possible.
    pub(super) fn write(&self, read: &OpenCatalogs, terminal: &Terminal) -> Result<(), Failure> {
        let named = self.local.is_some() || self.store.is_some();
        let Some(place) = self.named_store().filter(|_| named) else {
            return Err(terminal.usage_error("say which catalog to write, with --local or --store"));
        };
        read.require_valid_local(place.local_path(), terminal)?;
        let local = read.layers.local();
        let limits = limits::catalog();
        let document = read.local.as_ref().and_then(|input| input.parse(&limits).ok());
        let text = document.map_or_else(|| local.render(), |document| local.render_into(&document));
        output::write_private(place.local_path(), &text, terminal)
    }
}

/// Reads and validates the manifest in a file.
pub(super) fn read_entry(file: &Path, terminal: &Terminal) -> Result<CatalogEntry, Failure> {
    let options = limits::validate_options();
    let input = Input::read(file, options.limits.document_bytes, terminal)?;
    let document: Document<'_> =
        input.parse(&options.limits).map_err(|report| input.refuse(&report, terminal))?;
    let entry = CatalogEntry::parse(document.root().raw(), &options).map_err(|_| {
        // Validate again: this report has the positions in the file.
        let report = toolglot::capability::validate(&document, &options);
        input.refuse(&report, terminal)
    })?;
    input.warn_of_texts(&document, terminal);
    Ok(entry)
}
