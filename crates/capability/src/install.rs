//! Installing a capability: stage, validate, promote, and only then declare.
//!
//! Each state is a type, and each step takes the state before it. The host stores;
//! the machine decides. A capability runs when the local catalog declares it *and*
//! what was promoted for it is in place. The catalog is written last, in one
//! atomic step, so whatever fails before leaves nothing that could run, and what
//! ran before still does.
//!
//! ```text
//! Staging ──staged──▶ Validating ──validate──▶ Promoting ──promoted──▶ Committing ──committed──▶ Installed
//!    └────────────────────┴───────── failed ───────┴───────────────────────┘──▶ Rollback
//! ```

use manifest_core::{Report, Validate, sha256_hex};

use crate::canonical;
use crate::catalog::{Catalog, CatalogEntry};
use crate::grammar;
use crate::layers::{Layer, Layers};
use crate::policy::{Denial, Policy};
use crate::rules;

/// Where the host keeps something, relative to its store. The text is safe as a
/// path on every system.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StorePath(String);

impl StorePath {
    /// The place as a relative path.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The places of an entry. They depend on what is installed, so that two versions
/// never share one; switching on or off and signing in do not move it.
fn place(folder: &str, entry: &CatalogEntry) -> StorePath {
    let id = sha256_hex(entry.id().as_bytes());
    let content = entry.read(|node| canonical::without(node, &["enabled", "secrets"]));
    let content = sha256_hex(content.unwrap_or_default().as_bytes());
    let short = |hex: &str| hex.chars().take(16).collect::<String>();
    StorePath(format!("{folder}/{}-{}", short(&id), short(&content)))
}

/// Where what was installed for an entry is.
pub fn installed_place(entry: &CatalogEntry) -> StorePath {
    place("installed", entry)
}

/// The SHA-256 that the content of an entry must have, in lower case. Nothing, where the digest
/// of its origin is all zeros.
pub fn pinned(entry: &CatalogEntry) -> Option<String> {
    let digest = grammar::digest(&entry.manifest().origin.digest);
    digest.filter(|digest| digest != grammar::UNPINNED).map(Into::into)
}

/// What to store, and where. Nothing of it can run.
#[derive(Debug)]
#[must_use]
pub struct Staging {
    entry: CatalogEntry,
}

/// The host has stored it, and reads it back.
#[derive(Debug)]
#[must_use]
pub struct Validating {
    entry: CatalogEntry,
}

/// It is what it should be, and may be moved to where it will run from.
#[derive(Debug)]
#[must_use]
pub struct Promoting {
    entry: CatalogEntry,
}

/// It is in place, and not declared yet.
#[derive(Debug)]
#[must_use]
pub struct Committing {
    entry: CatalogEntry,
    local: Catalog,
}

/// It is installed.
#[derive(Debug)]
#[non_exhaustive]
pub struct Installed {
    /// The catalogs from now on.
    pub layers: Layers,
    /// What was installed for an older entry of that id, to be thrown away.
    pub obsolete: Option<StorePath>,
}

/// It failed, and this is to be thrown away. Throwing away what is not there is
/// no error.
#[derive(Debug, PartialEq, Eq)]
#[must_use]
#[non_exhaustive]
pub struct Rollback {
    /// The places, if they are there.
    pub discard: Vec<StorePath>,
}

fn rollback(entry: &CatalogEntry, layers: &Layers) -> Rollback {
    let mut discard = vec![place("staging", entry)];
    // The same thing may be installed already.
    let target = installed_place(entry);
    if !is_declared(&target, layers) {
        discard.push(target);
    }
    Rollback { discard }
}

/// Whether an entry of the local catalog is installed at a place.
fn is_declared(target: &StorePath, layers: &Layers) -> bool {
    layers.local().entries().iter().any(|entry| installed_place(entry) == *target)
}

impl Staging {
    /// Begins, if policy allows it.
    pub fn begin(entry: CatalogEntry, policy: &Policy) -> Result<Self, Denial> {
        policy.may_install(entry.manifest())?;
        Ok(Self { entry })
    }

    /// Where to store the manifest, and what belongs to it.
    pub fn place(&self) -> StorePath {
        place("staging", &self.entry)
    }

    /// The manifest to store there.
    pub fn manifest(&self) -> &str {
        self.entry.text()
    }

    /// It is stored.
    pub fn staged(self) -> Validating {
        Validating { entry: self.entry }
    }

    /// It could not be stored.
    pub fn failed(self, layers: &Layers) -> Rollback {
        rollback(&self.entry, layers)
    }
}

impl Validating {
    /// Checks what was read back: the manifest, and the SHA-256 of what the
    /// capability consists of, where it consists of more.
    pub fn validate(
        self,
        manifest: &[u8],
        content_sha256: Option<&str>,
        layers: &Layers,
        options: &Validate,
    ) -> Result<Promoting, (Rollback, Report)> {
        let mut report = options.report();
        let root = manifest_core::Pointer::root();
        if manifest == self.entry.text().as_bytes() {
            if let Err(found) = CatalogEntry::parse(self.entry.text(), options) {
                report = found;
            }
        } else {
            let message = "what is stored is not what was sent";
            report.push(rules::INSTALL_CHANGED.at_pointer(root.clone(), message));
        }
        if let Some((pinned, found)) = pinned(&self.entry).zip(content_sha256)
            && !pinned.eq_ignore_ascii_case(found)
        {
            let place = root.push("origin").push("digest");
            let message = "the content does not have the digest that the origin names";
            report.push(rules::DIGEST_MISMATCH.at_pointer(place, message));
        }
        if report.is_valid() {
            Ok(Promoting { entry: self.entry })
        } else {
            Err((rollback(&self.entry, layers), report))
        }
    }

    /// It could not be read back.
    pub fn failed(self, layers: &Layers) -> Rollback {
        rollback(&self.entry, layers)
    }
}

impl Promoting {
    /// What is being installed.
    pub fn entry(&self) -> &CatalogEntry {
        &self.entry
    }

    /// Where it is.
    pub fn from(&self) -> StorePath {
        place("staging", &self.entry)
    }

    /// Where it is to be moved, in one step. What may be there is the same.
    pub fn to(&self) -> StorePath {
        installed_place(&self.entry)
    }

    /// It is in place.
    pub fn promoted(self, layers: &Layers) -> Committing {
        let mut after = layers.clone();
        after.set(self.entry.clone());
        Committing { entry: self.entry, local: after.local().clone() }
    }

    /// It could not be moved.
    pub fn failed(self, layers: &Layers) -> Rollback {
        rollback(&self.entry, layers)
    }
}

impl Committing {
    /// The local catalog to store, in one step. From then on it runs.
    pub fn local(&self) -> &Catalog {
        &self.local
    }

    /// The catalog is stored.
    pub fn committed(self, layers: &Layers) -> Installed {
        let target = installed_place(&self.entry);
        let old = layers.local().get(self.entry.id()).map(installed_place);
        Installed {
            layers: Layers::new(layers.base().clone(), self.local),
            obsolete: old.filter(|old| *old != target),
        }
    }

    /// The catalog could not be stored.
    pub fn failed(self, layers: &Layers) -> Rollback {
        rollback(&self.entry, layers)
    }
}

/// Whether a capability may be run as far as its installation goes: a catalog
/// declares it, and what was installed for it is in place. What was shipped needs
/// no installation.
pub fn is_runnable(layers: &Layers, id: &str, is_there: impl Fn(&StorePath) -> bool) -> bool {
    layers.get(id).is_some_and(|shown| {
        let shipped = |base: &CatalogEntry| installed_place(base) == installed_place(shown.entry);
        shown.layer == Layer::Base
            || shown.replaces.is_some_and(shipped)
            || is_there(&installed_place(shown.entry))
    })
}

/// What to throw away after a crash: all that was staged, and what was promoted
/// and never declared.
pub fn recover(layers: &Layers, places: impl IntoIterator<Item = String>) -> Rollback {
    let places = places.into_iter().map(StorePath);
    Rollback { discard: places.filter(|place| !is_declared(place, layers)).collect() }
}
