//! Whatever fails, and whenever the host dies, half an installation never runs.

use std::collections::BTreeMap;

use capability::install::{
    Rollback, StagingState, StorePath, installed_path, is_runnable, leftover_paths,
};
use capability::{Catalog, CatalogEntry, Layers, Policy, ReadCatalog};
use manifest_core::json::Document;
use manifest_core::{Limits, ValidateOptions};
use testkit::{Rng, Tree};
use toolglot_tests::times;

/// What survives a crash.
#[derive(Clone, Default)]
struct Disk {
    /// Places with the manifest that is stored there, and whether all of it is.
    places: BTreeMap<String, (String, bool)>,
    /// The local catalog, as a file.
    local: Option<String>,
}

/// What goes wrong at one operation of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// It says that it failed, and did nothing.
    Refuses,
    /// It says that it failed, and did half of it.
    Tears,
    /// The host dies before it.
    CrashBefore,
    /// The host dies in the middle of it.
    CrashInside,
    /// The host dies after it.
    CrashAfter,
}

const FAULTS: [Fault; 5] =
    [Fault::Refuses, Fault::Tears, Fault::CrashBefore, Fault::CrashInside, Fault::CrashAfter];

/// The host died.
struct Crash;

/// A store that fails at one operation.
struct Store {
    disk: Disk,
    operation: usize,
    fault: Option<(usize, Fault)>,
}

impl Store {
    /// Runs an operation, which may be atomic. Whether it succeeded, if the host lives.
    fn run(&mut self, atomic: bool, act: impl Fn(&mut Disk, bool)) -> Result<bool, Crash> {
        let fault = self.fault.filter(|(at, _)| *at == self.operation).map(|(_, fault)| fault);
        self.operation += 1;
        match fault {
            None => {
                act(&mut self.disk, true);
                Ok(true)
            }
            Some(Fault::Refuses) => Ok(false),
            Some(Fault::CrashBefore) => Err(Crash),
            Some(Fault::Tears) => {
                if !atomic {
                    act(&mut self.disk, false);
                }
                Ok(false)
            }
            Some(Fault::CrashInside) => {
                if !atomic {
                    act(&mut self.disk, false);
                }
                Err(Crash)
            }
            Some(Fault::CrashAfter) => {
                act(&mut self.disk, true);
                Err(Crash)
            }
        }
    }

    fn discard(&mut self, rollback: &Rollback) -> Result<(), Crash> {
        for place in &rollback.discard {
            self.run(false, |disk, whole| {
                if whole {
                    disk.places.remove(place.as_str());
                } else if let Some(kept) = disk.places.get_mut(place.as_str()) {
                    kept.1 = false;
                }
            })?;
        }
        Ok(())
    }

    /// A host that installs an entry.
    fn install(&mut self, layers: &Layers, entry: CatalogEntry) -> Result<bool, Crash> {
        let Ok(staging) = StagingState::begin(entry, &Policy::default()) else {
            return Ok(false);
        };
        let (place, text) = (staging.path(), staging.manifest().to_owned());
        let stored = self.run(false, |disk, whole| {
            let half = text.get(..text.len() / 2).unwrap_or_default();
            let text = if whole { text.clone() } else { half.to_owned() };
            disk.places.insert(place.as_str().to_owned(), (text, whole));
        })?;
        if !stored {
            self.discard(&staging.roll_back(layers))?;
            return Ok(false);
        }
        let back = self.disk.places.get(place.as_str()).map(|(text, _)| text.clone());
        let options = ValidateOptions::default();
        let validating = staging.finish();
        let checked =
            validating.validate(back.unwrap_or_default().as_bytes(), None, layers, &options);
        let promoting = match checked {
            Ok(promoting) => promoting,
            Err((rollback, report)) => {
                assert!(!report.is_valid());
                self.discard(&rollback)?;
                return Ok(false);
            }
        };
        let (from, to) = (promoting.source_path(), promoting.target_path());
        let moved = self.run(true, |disk, _| {
            let content = disk.places.remove(from.as_str()).unwrap();
            disk.places.insert(to.as_str().to_owned(), content);
        })?;
        if !moved {
            self.discard(&promoting.roll_back(layers))?;
            return Ok(false);
        }
        let committing = promoting.finish(layers);
        let file = committing.local().render();
        let written = self.run(true, |disk, _| disk.local = Some(file.clone()))?;
        if !written {
            self.discard(&committing.roll_back(layers))?;
            return Ok(false);
        }
        let installed = committing.finish(layers);
        let discard = installed.obsolete.into_iter().collect::<Vec<_>>();
        for place in discard {
            self.run(false, |disk, _| drop(disk.places.remove(place.as_str())))?;
        }
        Ok(true)
    }
}

/// The catalogs that a host finds when it starts.
fn layers(disk: &Disk) -> Layers {
    let local = disk.local.as_ref().map(|text| {
        let document = Document::parse(text.as_bytes(), &Limits::for_catalog()).unwrap();
        let (catalog, report) = Catalog::read(&document, &ReadCatalog::default()).unwrap();
        assert!(report.is_valid());
        catalog
    });
    Layers::new(Catalog::default(), local.unwrap_or_default())
}

/// A host that starts cleans up first.
fn start(disk: Disk) -> Disk {
    let layers = layers(&disk);
    let mut store = Store { disk, operation: 0, fault: None };
    let places: Vec<String> = store.disk.places.keys().cloned().collect();
    assert!(store.discard(&leftover_paths(&layers, places)).is_ok());
    store.disk
}

/// Nothing that is half there runs, before and after cleaning up.
fn check(disk: &Disk, id: &str, what: &str) {
    let layers = layers(disk);
    let there = |place: &StorePath| disk.places.contains_key(place.as_str());
    if is_runnable(&layers, id, there) {
        let entry = layers.get(id).unwrap().entry;
        let (text, whole) = &disk.places[installed_path(entry).as_str()];
        assert!(
            *whole && CatalogEntry::parse(text, &ValidateOptions::default()).is_ok(),
            "{what}: half runs"
        );
        assert!(
            entry.has_same_value(&CatalogEntry::parse(text, &ValidateOptions::default()).unwrap()),
            "{what}"
        );
    }
}

fn entry(version: &str) -> CatalogEntry {
    let mut tree = capability::testkit::manifest(&mut Rng::new(5), 0, 1);
    for (name, value) in [("version", version), ("trust_level", "local")] {
        *tree.at_mut(&format!("/{name}")).unwrap() = Tree::from(value);
    }
    CatalogEntry::parse(&tree.render(), &ValidateOptions::default()).unwrap()
}

fn attempt(
    disk: Disk,
    entry: CatalogEntry,
    fault: Option<(usize, Fault)>,
) -> (Disk, Option<bool>, usize) {
    let layers = layers(&disk);
    let mut store = Store { disk, operation: 0, fault };
    let done = store.install(&layers, entry).ok();
    (store.disk, done, store.operation)
}

#[test]
fn crash_at_every_step() {
    let (old, new) = (entry("1.0.0"), entry("2.0.0"));
    let id = old.id().to_owned();
    let (with_old, done, _) = attempt(Disk::default(), old.clone(), None);
    assert_eq!(done, Some(true));
    for before in [Disk::default(), with_old] {
        let (_, done, operations) = attempt(before.clone(), new.clone(), None);
        assert_eq!(done, Some(true));
        // Cleaning up has operations of its own, which may fail too.
        for step in 0..operations + 3 {
            for fault in FAULTS {
                let what = format!("step {step}, {fault:?}");
                let (disk, done, _) = attempt(before.clone(), new.clone(), Some((step, fault)));
                check(&disk, &id, &what);
                let disk = start(disk);
                check(&disk, &id, &what);
                // What ran before still does, or the new one does.
                let now = layers(&disk);
                let there = |place: &StorePath| disk.places.contains_key(place.as_str());
                let runs = is_runnable(&now, &id, there);
                let version = now.get(&id).map(|shown| shown.entry.manifest().version.clone());
                if before.local.is_some() || done == Some(true) {
                    assert!(runs, "{what}: nothing runs any more");
                }
                if done == Some(true) {
                    assert_eq!(version.as_deref(), Some("2.0.0"), "{what}");
                }
                if done == Some(false) {
                    let expected = before.local.as_ref().map(|_| "1.0.0");
                    assert_eq!(version.as_deref(), expected, "{what}");
                    assert_eq!(
                        disk.places.keys().collect::<Vec<_>>(),
                        before.places.keys().collect::<Vec<_>>(),
                        "{what}"
                    );
                }
                // And after all that, an installation works.
                let (disk, done, _) = attempt(disk, new.clone(), None);
                assert_eq!(done, Some(true), "{what}");
                check(&disk, &id, &what);
                assert_eq!(start(disk).places.len(), 1, "{what}: something is left over");
            }
        }
    }
}

#[test]
fn any_sequence_of_failures() {
    for seed in 0..125 * times() {
        let rng = &mut Rng::new(seed);
        let mut disk = Disk::default();
        for _ in 0..8 {
            let fault = FAULTS.get(rng.below(FAULTS.len() + 1)).copied();
            let new = entry(rng.word(&["1.0.0", "2.0.0", "3.0.0"]));
            let id = new.id().to_owned();
            let (after, _, _) = attempt(disk, new, fault.map(|fault| (rng.below(7), fault)));
            check(&after, &id, &format!("seed {seed}"));
            disk = if rng.once_in(2) { start(after) } else { after };
            check(&disk, &id, &format!("seed {seed}"));
        }
    }
}

#[test]
fn what_is_not_as_promised_is_not_promoted() {
    let layers = Layers::default();
    let options = ValidateOptions::default();
    let mut pinned: serde_json::Value = serde_json::from_str(entry("1.0.0").text()).unwrap();
    pinned["origin"]["digest"] = "A1".repeat(32).into();
    let pinned = CatalogEntry::parse(&pinned.to_string(), &options).unwrap();
    let staged = || StagingState::begin(pinned.clone(), &Policy::default()).unwrap().finish();
    let text = pinned.text().as_bytes();
    assert!(staged().validate(text, Some(&"a1".repeat(32)), &layers, &options).is_ok());
    let (_, report) =
        staged().validate(text, Some(&"a2".repeat(32)), &layers, &options).unwrap_err();
    assert_eq!(report.diagnostics[0].rule.code, "capability/digest-mismatch");
    let (_, report) = staged().validate(b"{}", None, &layers, &options).unwrap_err();
    assert_eq!(report.diagnostics[0].rule.code, "capability/install-changed");
}

#[test]
fn strangers_are_not_staged() {
    let text =
        entry("1.0.0").text().replace("\"trust_level\":\"local\"", "\"trust_level\":\"untrusted\"");
    let stranger = CatalogEntry::parse(&text, &ValidateOptions::default()).unwrap();
    let denial = StagingState::begin(stranger, &Policy::default()).unwrap_err();
    assert_eq!(denial.reason, "trust_level not allowed by policy: untrusted");
}
