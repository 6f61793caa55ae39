//! A shipped catalog with a local one over it.
//!
//! An entry of the local catalog replaces the whole base entry of the same id. The base is
//! never written. The user sees the merged view, and an edit of the view changes only the
//! local catalog.

use std::collections::BTreeSet;

use manifest_core::descriptor::Network;
use manifest_core::{Pointer, Profile, Report, Rule, quoted, version};

use crate::catalog::{Catalog, CatalogEntry};
use crate::manifest::{Manifest, Permissions};
use crate::rules;

/// The catalog of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// The shipped catalog.
    Base,
    /// The local catalog, which can be changed.
    Local,
}

/// An entry of the merged view.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LayeredEntry<'l> {
    /// The effective entry.
    pub entry: &'l CatalogEntry,
    /// The catalog that contains it.
    pub layer: Layer,
    /// The base entry that it replaces.
    pub replaces: Option<&'l CatalogEntry>,
}

/// The effect of a removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Removal {
    /// The entry is removed.
    Deleted,
    /// The local entry is removed, and the shipped one is visible again.
    BaseVisible,
    /// The shipped entry cannot be removed, so it is switched off.
    Disabled,
}

/// Merges two catalogs. Entries of `over` replace those of the base with the same id. New
/// entries follow at the end.
#[must_use]
pub fn merge(base: &Catalog, over: &Catalog) -> Catalog {
    let mut merged = base.clone();
    for entry in over.entries() {
        merged.set(entry.clone());
    }
    merged
}

/// Two catalogs with a merged view.
///
/// ```
/// use toolglot_capability::{Catalog, Layers};
///
/// let mut layers = Layers::new(Catalog::default(), Catalog::default());
/// assert!(layers.remove("demo.echo").is_none());
/// assert_eq!(layers.view().count(), 0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layers {
    base: Catalog,
    local: Catalog,
}

impl Layers {
    /// Puts a local catalog over a shipped one.
    pub fn new(base: Catalog, local: Catalog) -> Self {
        Self { base, local }
    }

    /// Returns the shipped catalog.
    pub fn base(&self) -> &Catalog {
        &self.base
    }

    /// Returns the local catalog, which must be stored after a change.
    pub fn local(&self) -> &Catalog {
        &self.local
    }

    /// Returns the entries of the view, in order.
    pub fn view(&self) -> impl Iterator<Item = LayeredEntry<'_>> {
        let base = self.base.entries().iter();
        let new = self.local.entries().iter().filter(|entry| self.base.get(entry.id()).is_none());
        base.chain(new).filter_map(|entry| self.get(entry.id()))
    }

    /// Returns the view as a catalog.
    pub fn to_catalog(&self) -> Catalog {
        merge(&self.base, &self.local)
    }

    /// Returns the entry of the view with this id.
    pub fn get(&self, id: &str) -> Option<LayeredEntry<'_>> {
        let base = self.base.get(id);
        match self.local.get(id) {
            Some(entry) => Some(LayeredEntry { entry, layer: Layer::Local, replaces: base }),
            None => Some(LayeredEntry { entry: base?, layer: Layer::Base, replaces: None }),
        }
    }

    /// Adds an entry to the view, or replaces one. Changes nothing if the view contains an
    /// equal entry.
    pub fn set(&mut self, entry: CatalogEntry) {
        if let Some(shown) = self.get(entry.id())
            && *shown.entry == entry
        {
            return;
        }
        self.local.set(entry);
    }

    /// Removes the local entry with this id or, if there is none, switches the shipped
    /// entry off. Returns `None` if there is no such entry.
    pub fn remove(&mut self, id: &str) -> Option<Removal> {
        if self.local.remove(id).is_some() {
            let shipped = self.base.get(id).is_some();
            return Some(if shipped { Removal::BaseVisible } else { Removal::Deleted });
        }
        let off = self.base.get(id)?.with_enabled(false);
        self.set(off);
        Some(Removal::Disabled)
    }

    /// Switches an entry on or off. Returns false if there is no such entry.
    pub fn set_enabled(&mut self, id: &str, enabled: bool) -> bool {
        let Some(shown) = self.get(id) else {
            return false;
        };
        if shown.entry.manifest().is_enabled() != enabled {
            let entry = shown.entry.with_enabled(enabled);
            self.set(entry);
        }
        true
    }

    /// Changes the view to these entries. Shipped entries that are not among them are
    /// switched off.
    pub fn set_view(&mut self, entries: impl IntoIterator<Item = CatalogEntry>) {
        let mut kept = BTreeSet::new();
        for entry in entries {
            kept.insert(entry.id().to_owned());
            self.set(entry);
        }
        let shown: Vec<String> = self.view().map(|shown| shown.entry.id().to_owned()).collect();
        for id in shown {
            if kept.contains(&id) {
                continue;
            }
            self.local.remove(&id);
            if self.base.get(&id).is_some() {
                self.set_enabled(&id, false);
            }
        }
    }

    /// Removes all local entries, so that the view is the base.
    pub fn reset(&mut self) {
        self.local = Catalog::default();
    }

    /// Warns of suspicious differences between local entries and those they replace, for
    /// example more permissions or an older version. Pointers lead into the local catalog.
    pub fn check_overrides(&self, profile: Profile, limit: usize) -> Report {
        let mut report = Report::new(profile, limit);
        for shown in self.view() {
            let Some(base) = shown.replaces else {
                continue;
            };
            let Some(index) = self.local.index_of(shown.entry.id()) else { continue };
            let place = Pointer::root().push("capabilities").push_index(index);
            check_override(base.manifest(), shown.entry.manifest(), &place, &mut report);
        }
        report
    }
}

/// Reports the suspicious differences between an entry and the one that it replaces.
fn check_override(base: &Manifest, local: &Manifest, place: &Pointer, report: &mut Report) {
    let id = quoted(&local.id);
    let mut warn = |rule: &'static Rule, member: &str, message: String| {
        report.push(rule.at_pointer(place.clone().push(member), message));
    };
    if local.trust_level > base.trust_level {
        warn(&rules::OVERRIDE_TRUST, "trust_level", format!("{id} is trusted more"));
    }
    if is_wider(&base.permissions, &local.permissions) {
        warn(&rules::OVERRIDE_PERMISSIONS, "permissions", format!("{id} may do more"));
    }
    if base.origin.signature.is_some() && local.origin.signature.is_none() {
        warn(&rules::OVERRIDE_SIGNATURE, "origin", format!("{id} is not signed any more"));
    }
    if local.kind != base.kind {
        warn(&rules::OVERRIDE_TYPE, "type", format!("{id} is another sort of resource"));
    }
    if let Ok(old) = version::parse_exact(&base.version)
        && let Ok(new) = version::parse_exact(&local.version)
        && new < old
    {
        let (new, old) = (quoted(&local.version), quoted(&base.version));
        warn(&rules::OVERRIDE_VERSION, "version", format!("{id} is {new}, older than {old}"));
    }
    if local.is_enabled() && !base.is_enabled() {
        warn(&rules::OVERRIDE_ENABLED, "enabled", format!("{id} is switched on"));
    }
    if base.requires_oauth == Some(true) && local.requires_oauth != Some(true) {
        warn(&rules::OVERRIDE_OAUTH, "requires_oauth", format!("{id} needs no sign-in any more"));
    }
}

/// Returns true if `local` allows something that `base` does not.
fn is_wider(base: &Permissions, local: &Permissions) -> bool {
    let reaches_more = local.network == Network::Allowlist
        && has_more(&local.network_allowlist, &base.network_allowlist);
    local.network > base.network
        || reaches_more
        || local.filesystem > base.filesystem
        || has_more(&local.devices, &base.devices)
}

fn has_more(local: &[String], base: &[String]) -> bool {
    // A set, because both lists come from strangers and may be as long as a document.
    let base: BTreeSet<&String> = base.iter().collect();
    local.iter().any(|text| !base.contains(text))
}
