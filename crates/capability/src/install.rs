//! Installs a capability: stage, validate, promote, and only then declare.
//!
//! Each state is a type, and each transition consumes the previous state. The host stores
//! files, and the state machine decides. A capability runs if the local catalog declares it
//! *and* its promoted content is in place. The catalog is written last, in one atomic step.
//! So an earlier failure leaves nothing that could run, and the previous installation still
//! works.
//!
//! ```text
//! Staging ──staged──▶ Validating ──validate──▶ Promoting ──promoted──▶ Committing ──committed──▶ Installed
//!    └────────────────────┴───────── failed ───────┴───────────────────────┘──▶ Rollback
//! ```

use manifest_core::{Report, ValidateOptions, sha256_hex};

use crate::canonical;
use crate::catalog::{Catalog, CatalogEntry};
use crate::grammar;
use crate::layers::{Layer, Layers};
use crate::policy::{Denial, Policy};
use crate::rules;

/// A path relative to the host's store. It is valid on every system.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StorePath(String);

impl StorePath {
    /// Returns the relative path.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns the path of an entry. It depends on the content, so two versions never share a
/// path. Switching on or off and signing in do not change it.
fn store_path(folder: &str, entry: &CatalogEntry) -> StorePath {
    let content = match entry.document() {
        Some(document) => canonical::canonical_without(document.root(), &["enabled", "secrets"]),
        None => String::new(),
    };
    let id = sha256_hex(entry.id().as_bytes());
    let content = sha256_hex(content.as_bytes());
    StorePath(format!("{folder}/{id:.16}-{content:.16}"))
}

/// Returns the path that an entry is installed at.
pub fn installed_path(entry: &CatalogEntry) -> StorePath {
    store_path("installed", entry)
}

/// Returns the SHA-256 that the content of an entry must have, in lower case. Returns
/// `None` if the digest of its origin is all zeros.
pub fn pinned_digest(entry: &CatalogEntry) -> Option<String> {
    let digest = grammar::normalize_digest(&entry.manifest().origin.digest)?;
    if digest == grammar::UNPINNED { None } else { Some(digest.into_owned()) }
}

/// The host stores the manifest. It cannot run yet.
#[derive(Debug)]
#[must_use]
pub struct StagingState {
    entry: CatalogEntry,
}

/// The manifest is stored, and the host reads it back.
#[derive(Debug)]
#[must_use]
pub struct ValidationState {
    entry: CatalogEntry,
}

/// The manifest is valid, and the host moves it to the path that it will run from.
#[derive(Debug)]
#[must_use]
pub struct PromotionState {
    entry: CatalogEntry,
}

/// The manifest is in place, but not declared yet.
#[derive(Debug)]
#[must_use]
pub struct CommitState {
    entry: CatalogEntry,
    local: Catalog,
}

/// The capability is installed.
#[derive(Debug)]
#[non_exhaustive]
pub struct Installation {
    /// The catalogs after the installation.
    pub layers: Layers,
    /// The path of an older installation with this id, which the host should remove.
    pub obsolete: Option<StorePath>,
}

/// The installation failed, and the host must remove its paths. It is no error if a path
/// does not exist.
#[derive(Debug, PartialEq, Eq)]
#[must_use]
#[non_exhaustive]
pub struct Rollback {
    /// The paths to remove.
    pub discard: Vec<StorePath>,
}

fn rollback(entry: &CatalogEntry, layers: &Layers) -> Rollback {
    let mut discard = vec![store_path("staging", entry)];
    // The same content may be installed already.
    let target = installed_path(entry);
    if !is_declared(&target, layers) {
        discard.push(target);
    }
    Rollback { discard }
}

/// Returns true if an entry of the local catalog is installed at this path.
fn is_declared(target: &StorePath, layers: &Layers) -> bool {
    layers.local().entries().iter().any(|entry| installed_path(entry) == *target)
}

impl StagingState {
    /// Begins an installation. Fails if policy does not allow it.
    pub fn begin(entry: CatalogEntry, policy: &Policy) -> Result<Self, Denial> {
        policy.may_install(entry.manifest())?;
        Ok(Self { entry })
    }

    /// Returns the path to store the manifest and its files at.
    pub fn path(&self) -> StorePath {
        store_path("staging", &self.entry)
    }

    /// Returns the text of the manifest to store.
    pub fn manifest(&self) -> &str {
        self.entry.text()
    }

    /// Continues after the manifest was stored.
    pub fn finish(self) -> ValidationState {
        ValidationState { entry: self.entry }
    }

    /// Rolls back if the manifest could not be stored.
    pub fn roll_back(self, layers: &Layers) -> Rollback {
        rollback(&self.entry, layers)
    }
}

impl ValidationState {
    /// Checks the manifest that was read back. If the capability has more content, also
    /// checks the SHA-256 of it.
    pub fn validate(
        self,
        manifest: &[u8],
        content_sha256: Option<&str>,
        layers: &Layers,
        options: &ValidateOptions,
    ) -> Result<PromotionState, (Rollback, Report)> {
        let mut report = options.new_report();
        let root = manifest_core::Pointer::root();
        if manifest == self.entry.text().as_bytes() {
            if let Err(found) = CatalogEntry::parse(self.entry.text(), options) {
                report = found;
            }
        } else {
            let message = "what is stored is not what was sent";
            report.push(rules::INSTALL_CHANGED.at_pointer(root.clone(), message));
        }
        if let Some(pinned) = pinned_digest(&self.entry)
            && let Some(found) = content_sha256
            && !pinned.eq_ignore_ascii_case(found)
        {
            let place = root.push("origin").push("digest");
            let message = "the content does not have the digest that the origin names";
            report.push(rules::DIGEST_MISMATCH.at_pointer(place, message));
        }
        if report.is_valid() {
            Ok(PromotionState { entry: self.entry })
        } else {
            Err((rollback(&self.entry, layers), report))
        }
    }

    /// Rolls back if the manifest could not be read.
    pub fn roll_back(self, layers: &Layers) -> Rollback {
        rollback(&self.entry, layers)
    }
}

impl PromotionState {
    /// Returns the entry to install.
    pub fn entry(&self) -> &CatalogEntry {
        &self.entry
    }

    /// Returns the path of the staged files.
    pub fn source_path(&self) -> StorePath {
        store_path("staging", &self.entry)
    }

    /// Returns the path to move the staged files to, in one step. If the path exists
    /// already, it has the same content.
    pub fn target_path(&self) -> StorePath {
        installed_path(&self.entry)
    }

    /// Continues after the files were moved.
    pub fn finish(self, layers: &Layers) -> CommitState {
        let mut after = layers.clone();
        after.set(self.entry.clone());
        CommitState { entry: self.entry, local: after.local().clone() }
    }

    /// Rolls back if the files could not be moved.
    pub fn roll_back(self, layers: &Layers) -> Rollback {
        rollback(&self.entry, layers)
    }
}

impl CommitState {
    /// Returns the local catalog to store, in one step. After that, the capability can run.
    pub fn local(&self) -> &Catalog {
        &self.local
    }

    /// Finishes after the catalog was stored.
    pub fn finish(self, layers: &Layers) -> Installation {
        let target = installed_path(&self.entry);
        let old = layers.local().get(self.entry.id()).map(installed_path);
        let obsolete = old.filter(|old| *old != target);
        Installation { layers: Layers::new(layers.base().clone(), self.local), obsolete }
    }

    /// Rolls back if the catalog could not be stored.
    pub fn roll_back(self, layers: &Layers) -> Rollback {
        rollback(&self.entry, layers)
    }
}

/// Returns true if a capability is installed: a catalog declares it, and its files are in
/// place. Shipped capabilities need no installation.
pub fn is_runnable(layers: &Layers, id: &str, is_there: impl Fn(&StorePath) -> bool) -> bool {
    let Some(shown) = layers.get(id) else { return false };
    let path = installed_path(shown.entry);
    let is_shipped = shown.layer == Layer::Base
        || shown.replaces.is_some_and(|base| installed_path(base) == path);
    is_shipped || is_there(&path)
}

/// Returns the paths to remove after a crash. `places` are all paths in the store.
/// Everything that was staged is removed, and everything that was promoted but never
/// declared.
pub fn leftover_paths(layers: &Layers, places: impl IntoIterator<Item = String>) -> Rollback {
    let mut discard: Vec<StorePath> = places.into_iter().map(StorePath).collect();
    discard.retain(|place| !is_declared(place, layers));
    Rollback { discard }
}
