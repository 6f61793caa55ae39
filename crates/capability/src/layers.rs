//! A catalog that was shipped, and a local one over it.
//!
//! Entries are replaced whole: nothing of the base shows through an entry of the
//! same id. What is shipped is never written; every change goes to the local
//! catalog. What one sees is the merged view, and an edit to the view is an edit
//! to the local catalog.

use std::collections::BTreeSet;

use manifest_core::descriptor::Network;
use manifest_core::{Diagnostic, Pointer, Profile, Report, Rule, Text, quoted, version};

use crate::catalog::{Catalog, CatalogEntry};
use crate::manifest::{Manifest, Permissions};
use crate::rules;

/// Which catalog an entry is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// The one that was shipped.
    Base,
    /// The one that is written.
    Local,
}

/// An entry as one sees it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Layered<'l> {
    /// The entry that counts.
    pub entry: &'l CatalogEntry,
    /// Where it is from.
    pub layer: Layer,
    /// The entry that it replaces.
    pub replaces: Option<&'l CatalogEntry>,
}

/// What became of an entry that was to be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Removed {
    /// It is gone.
    Gone,
    /// The local entry is gone, and the one that was shipped shows again.
    Uncovered,
    /// It was shipped, and cannot be removed. It is switched off.
    Disabled,
}

/// One catalog over another: the base's order, with the entries of `over` in the
/// place of those with their id, and the new ones behind.
#[must_use]
pub fn merge(base: &Catalog, over: &Catalog) -> Catalog {
    let mut merged = base.clone();
    for entry in over.entries() {
        merged.set(entry.clone());
    }
    merged
}

/// Two catalogs, seen as one.
///
/// ```
/// use capability::{Catalog, Layers};
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
    /// Puts a local catalog over one that was shipped.
    pub fn new(base: Catalog, local: Catalog) -> Self {
        Self { base, local }
    }

    /// What was shipped.
    pub fn base(&self) -> &Catalog {
        &self.base
    }

    /// What is to be stored after a change.
    pub fn local(&self) -> &Catalog {
        &self.local
    }

    /// The entries as one sees them.
    pub fn view(&self) -> impl Iterator<Item = Layered<'_>> {
        let base = self.base.entries().iter().filter_map(|entry| self.get(entry.id()));
        let new = self.local.entries().iter().filter(|entry| self.base.get(entry.id()).is_none());
        base.chain(new.map(|entry| Layered { entry, layer: Layer::Local, replaces: None }))
    }

    /// The view as a catalog of its own.
    pub fn merged(&self) -> Catalog {
        merge(&self.base, &self.local)
    }

    /// The entry of that id as one sees it.
    pub fn get(&self, id: &str) -> Option<Layered<'_>> {
        let base = self.base.get(id);
        match self.local.get(id) {
            Some(entry) => Some(Layered { entry, layer: Layer::Local, replaces: base }),
            None => Some(Layered { entry: base?, layer: Layer::Base, replaces: None }),
        }
    }

    /// Shows an entry. One that shows already changes nothing.
    pub fn set(&mut self, entry: CatalogEntry) {
        let shown = self.get(entry.id()).is_some_and(|shown| *shown.entry == entry);
        if !shown {
            self.local.set(entry);
        }
    }

    /// Takes an entry away, as far as it can be.
    pub fn remove(&mut self, id: &str) -> Option<Removed> {
        if self.local.remove(id).is_some() {
            let shipped = self.base.get(id).is_some();
            return Some(if shipped { Removed::Uncovered } else { Removed::Gone });
        }
        let off = self.base.get(id)?.with_enabled(false);
        self.set(off);
        Some(Removed::Disabled)
    }

    /// Switches an entry on or off.
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

    /// Makes the view show these entries. What was shipped and is not among them
    /// is switched off.
    pub fn set_view(&mut self, entries: impl IntoIterator<Item = CatalogEntry>) {
        let mut kept = BTreeSet::new();
        for entry in entries {
            kept.insert(entry.id().to_owned());
            self.set(entry);
        }
        let shown: Vec<String> = self.view().map(|shown| shown.entry.id().to_owned()).collect();
        for id in shown.into_iter().filter(|id| !kept.contains(id)) {
            self.local.remove(&id);
            if self.base.get(&id).is_some() {
                self.set_enabled(&id, false);
            }
        }
    }

    /// Forgets every change: what was shipped shows again.
    pub fn reset(&mut self) {
        self.local = Catalog::default();
    }

    /// What is worth a second look about entries that replace others. Pointers are
    /// those of the local catalog.
    pub fn conflicts(&self, profile: Profile, limit: usize) -> Report {
        let mut report = Report::new(profile, limit);
        for shown in self.view() {
            let Some(base) = shown.replaces else {
                continue;
            };
            let at = self.local.position(shown.entry.id()).unwrap_or_default();
            let place = Pointer::root().push("capabilities").push_index(at);
            for diagnostic in compare(base.manifest(), shown.entry.manifest(), &place) {
                report.push(diagnostic);
            }
        }
        report
    }
}

/// How an entry is bolder than the one that it replaces.
fn compare(base: &Manifest<'_>, local: &Manifest<'_>, place: &Pointer) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let id = quoted(&local.id);
    let mut push = |rule: &'static Rule, member: &str, message: String| {
        found.push(rule.at_pointer(place.clone().push(member), message));
    };
    if local.trust_level > base.trust_level {
        push(&rules::OVERRIDE_TRUST, "trust_level", format!("{id} is trusted more"));
    }
    if is_wider(&base.permissions, &local.permissions) {
        push(&rules::OVERRIDE_PERMISSIONS, "permissions", format!("{id} may do more"));
    }
    if base.origin.signature.is_some() && local.origin.signature.is_none() {
        push(&rules::OVERRIDE_SIGNATURE, "origin", format!("{id} is not signed any more"));
    }
    if local.kind != base.kind {
        push(&rules::OVERRIDE_TYPE, "type", format!("{id} is another sort of resource"));
    }
    let versions =
        version::parse_exact(&base.version).ok().zip(version::parse_exact(&local.version).ok());
    if versions.is_some_and(|(base, local)| local < base) {
        let (old, new) = (quoted(&local.version), quoted(&base.version));
        push(&rules::OVERRIDE_VERSION, "version", format!("{id} is {old}, older than {new}"));
    }
    if local.is_enabled() && !base.is_enabled() {
        push(&rules::OVERRIDE_ENABLED, "enabled", format!("{id} is switched on"));
    }
    if base.requires_oauth == Some(true) && local.requires_oauth != Some(true) {
        push(&rules::OVERRIDE_OAUTH, "requires_oauth", format!("{id} needs no sign-in any more"));
    }
    found
}

/// Whether one set of permissions allows what the other does not.
fn is_wider(base: &Permissions<'_>, local: &Permissions<'_>) -> bool {
    // Not one by one: both are a stranger's, and as long as a document may be.
    let has_more = |local: &[Text<'_>], base: &[Text<'_>]| {
        let base: BTreeSet<&str> = base.iter().map(AsRef::as_ref).collect();
        local.iter().any(|one| !base.contains(one.as_ref()))
    };
    let reaches = local.network == Network::Allowlist;
    local.network > base.network
        || (reaches && has_more(&local.network_allowlist, &base.network_allowlist))
        || local.filesystem > base.filesystem
        || has_more(&local.devices, &base.devices)
}
