//! Failures at any step, and crashes at any time, leave earlier capabilities callable, and
//! no incomplete ones.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test that cannot go on fails

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use toolglot::capability::install::{StagingState, installed_path};
use toolglot::capability::{Catalog, CatalogEntry, Layers, Policy, ReadCatalog};
use toolglot::core::sha256_hex;
use toolglot::json::Document;
use toolglot::{Limits, ValidateOptions};

use super::{CapabilityStore, Content, Error};

const ID: &str = "files.count";

/// The folder of one test, which contains a store.
struct TestStore {
    folder: PathBuf,
    store: CapabilityStore,
}

impl TestStore {
    fn new(name: &str) -> Self {
        let folder = format!("toolglot-capabilities-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self { store: CapabilityStore::at(folder.join("store"), None), folder }
    }

    /// Returns a capability whose program prints this version, and the program.
    fn new_capability(&self, version: &str) -> (CatalogEntry, Content) {
        let program = format!("#!/bin/sh\necho {version}\n");
        fs::write(self.folder.join("count"), &program).unwrap();
        let entry = entry(version, &sha256_hex(program.as_bytes()));
        let content = Content::read(&entry, &self.folder).unwrap().unwrap();
        (entry, content)
    }

    fn install(&self, version: &str) -> Result<Layers, Error> {
        let (entry, content) = self.new_capability(version);
        self.store.begin_transaction()?.install(
            entry,
            Some(&content),
            &self.layers(),
            &Policy::default(),
        )
    }

    fn layers(&self) -> Layers {
        let local = fs::read(self.store.local_path()).map_or_else(
            |_| Catalog::default(),
            |bytes| {
                let document = Document::parse(&bytes, &Limits::for_catalog()).unwrap();
                Catalog::read(&document, &ReadCatalog::default()).unwrap().0
            },
        );
        Layers::new(Catalog::default(), local)
    }

    /// Recovers the store as a new process does, and returns the version that can be
    /// called.
    fn recover_version(&self) -> Option<String> {
        let change = self.store.begin_transaction().unwrap();
        let layers = self.layers();
        change.recover(&layers).unwrap();
        let runnable = self.store.is_runnable(&layers, ID).unwrap();
        runnable.then(|| layers.get(ID).unwrap().entry.manifest().version.clone())
    }

    /// Returns the names below a folder of the store, without its lock.
    fn names(&self, below: &str) -> Vec<String> {
        let mut names = super::entry_names(&self.store.root.join(below)).unwrap();
        names.retain(|name| name != ".lock");
        names.sort();
        names
    }

    /// Installs up to a step and stops there, like a crash: there is no rollback.
    fn die_after(&self, step: usize, version: &str) {
        let (entry, content) = self.new_capability(version);
        let (change, layers) = (self.store.begin_transaction().unwrap(), self.layers());
        let root = &self.store.root;
        let staging = StagingState::begin(entry.clone(), &Policy::default()).unwrap();
        let staged = root.join(staging.path().as_str());
        match step {
            0 => return,
            1 => {
                // In the middle of a write.
                fs::create_dir_all(staged.join("content")).unwrap();
                return fs::write(staged.join("content/.tmp-0"), "#!/bin").unwrap();
            }
            2 => {
                let name = Path::new(staging.path().as_str()).join("content/count");
                return change.folder.write_program(name, &content.bytes).unwrap();
            }
            _ => {}
        }
        let validating = change.stage(staging, Some(&content), &layers).unwrap();
        if step == 3 {
            return;
        }
        let promoting = change.validate(validating, Some(&content), &layers).unwrap();
        let committing = change.promote(promoting, &layers).unwrap();
        if step == 4 {
            return;
        }
        if step == 5 {
            let half = &committing.local().render()[..100];
            return fs::write(root.join(".tmp-1"), half).unwrap();
        }
        let installed = change.declare(committing, &layers).unwrap();
        if let Some(old) = installed.obsolete.filter(|_| step == 7) {
            fs::remove_file(root.join(old.as_str()).join("manifest.json")).unwrap();
        }
    }
}

impl Drop for TestStore {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn entry(version: &str, digest: &str) -> CatalogEntry {
    let text = format!(
        r#"{{"id": "{ID}", "type": "tool", "version": "{version}", "description": "Counts files.",
        "origin": {{"source": "local", "path": "count", "digest": "{digest}"}},
        "interfaces": {{"inputs": {{"type": "object"}}, "outputs": {{"type": "object"}}}},
        "permissions": {{"network": "deny", "filesystem": "none", "devices": []}},
        "runtime": {{"sandbox": "process", "resources": {{"cpu": "default", "memory": "64Mi"}}}},
        "trust_level": "local",
        "implementation": {{"kind": "command", "command": {{"argv": ["./count"]}}}}}}"#
    );
    CatalogEntry::parse(&text, &ValidateOptions::default()).unwrap()
}

/// The number of steps at which a process can crash, and the first after which the new
/// version is installed.
const STEPS: usize = 8;
const DECLARED: usize = 6;

#[test]
fn dying_at_any_step_leaves_the_old_one_or_the_new_one() {
    for before in [None, Some("1.0.0")] {
        for step in 0..STEPS {
            let place = TestStore::new(&format!("crash-{step}"));
            if let Some(version) = before {
                place.install(version).unwrap();
            }
            place.die_after(step, "2.0.0");
            let expected = if step < DECLARED { before } else { Some("2.0.0") };
            assert_eq!(place.recover_version().as_deref(), expected, "{before:?}, step {step}");
            // No leftovers.
            assert_eq!(place.names("staging"), [""; 0], "{before:?}, step {step}");
            assert_eq!(place.names("installed").len(), usize::from(expected.is_some()));
            assert!(!place.names("").iter().any(|name| name.starts_with(".tmp-")));
            // A second attempt succeeds.
            place.install("2.0.0").unwrap();
            assert_eq!(
                place.recover_version().as_deref(),
                Some("2.0.0"),
                "{before:?}, step {step}"
            );
        }
    }
}

/// Installs a version that is already in place.
#[test]
fn dying_while_it_is_installed_again_leaves_it() {
    for step in 0..STEPS {
        let place = TestStore::new(&format!("again-{step}"));
        place.install("1.0.0").unwrap();
        place.die_after(step, "1.0.0");
        assert_eq!(place.recover_version().as_deref(), Some("1.0.0"), "step {step}");
        assert_eq!(place.names("installed").len(), 1);
    }
}

#[test]
fn a_step_that_fails_leaves_the_old_one() {
    let place = TestStore::new("fails");
    place.install("1.0.0").unwrap();
    let untouched = |what: &str| {
        assert_eq!(place.names("staging"), [""; 0], "{what}");
        assert_eq!(place.recover_version().as_deref(), Some("1.0.0"), "{what}");
        assert_eq!(place.names("installed").len(), 1, "{what}");
    };
    let root = &place.store.root;
    // The files cannot be stored.
    fs::remove_dir_all(root.join("staging")).unwrap();
    fs::write(root.join("staging"), "").unwrap();
    assert!(matches!(place.install("2.0.0"), Err(Error::Store(_))));
    fs::remove_file(root.join("staging")).unwrap();
    untouched("stage");
    // The stored files disappear before they are read, and before they are moved.
    for read in [false, true] {
        let (entry, content) = place.new_capability("2.0.0");
        let (change, layers) = (place.store.begin_transaction().unwrap(), place.layers());
        let staging = StagingState::begin(entry, &Policy::default()).unwrap();
        let validating = change.stage(staging, Some(&content), &layers).unwrap();
        let lose = || fs::remove_dir_all(root.join("staging")).unwrap();
        if read {
            let promoting = change.validate(validating, Some(&content), &layers).unwrap();
            lose();
            assert!(change.promote(promoting, &layers).is_err());
        } else {
            lose();
            assert!(change.validate(validating, Some(&content), &layers).is_err());
        }
        drop(change);
        untouched("promote");
    }
    // The catalog cannot be written.
    let text = fs::read(place.store.local_path()).unwrap();
    let (entry, content) = place.new_capability("2.0.0");
    let (change, layers) = (place.store.begin_transaction().unwrap(), place.layers());
    fs::remove_file(place.store.local_path()).unwrap();
    fs::create_dir(place.store.local_path()).unwrap();
    let refused = change.install(entry, Some(&content), &layers, &Policy::default());
    assert!(matches!(refused, Err(Error::Store(_))));
    drop(change);
    fs::remove_dir(place.store.local_path()).unwrap();
    fs::write(place.store.local_path(), text).unwrap();
    untouched("declare");
}

#[test]
fn content_is_what_the_origin_pins() {
    let place = TestStore::new("digest");
    let (_, content) = place.new_capability("1.0.0");
    let other = entry("1.0.0", &sha256_hex(b"something else"));
    let change = place.store.begin_transaction().unwrap();
    let refused = change.install(other, Some(&content), &place.layers(), &Policy::default());
    let Err(Error::Invalid(report)) = refused else { panic!("{refused:?}") };
    assert_eq!(report.diagnostics[0].rule.code, "capability/digest-mismatch");
    drop(change);
    assert_eq!((place.recover_version(), place.names("installed").len()), (None, 0));
    assert!(!place.store.local_path().exists());
}

/// A capability that was changed after its installation is not called until it is installed
/// again.
#[test]
fn what_was_changed_is_not_in_place() {
    let place = TestStore::new("changed");
    let installed =
        || place.store.root.join(installed_path(&place.new_capability("1.0.0").0).as_str());
    let harm: [&dyn Fn(PathBuf); 5] = [
        &|folder| fs::write(folder.join("content/count"), "#!/bin/sh\nrm -r .\n").unwrap(),
        &|folder| fs::remove_file(folder.join("content/count")).unwrap(),
        &|folder| fs::remove_dir_all(folder.join("content")).unwrap(),
        &|folder| fs::remove_file(folder.join("manifest.json")).unwrap(),
        &|folder| {
            fs::write(folder.join("manifest.json"), entry("9.9.9", &"0".repeat(64)).text())
                .unwrap();
        },
    ];
    for harm in harm {
        place.install("1.0.0").unwrap();
        assert_eq!(place.recover_version().as_deref(), Some("1.0.0"));
        harm(installed());
        assert_eq!(place.recover_version(), None);
    }
}

#[test]
fn only_the_owner_can_read_it() {
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let mut place = TestStore::new("modes");
    fs::set_permissions(&place.folder, fs::Permissions::from_mode(0o755)).unwrap();
    place.store =
        CapabilityStore::at(place.folder.join("store"), Some(place.folder.join("local.json")));
    place.install("1.0.0").unwrap();
    assert_eq!(mode(&place.folder.join("local.json")), 0o600);
    let mut open = vec![place.store.root.clone()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            assert_eq!(mode(&path), 0o700, "{path:?}");
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            let program = path.ends_with("content/count");
            assert_eq!(mode(&path) & 0o077, 0, "{path:?}");
            assert!(program || mode(&path) == 0o600, "{path:?}");
        }
    }
    // A store that others can access is refused.
    fs::set_permissions(&place.store.root, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(matches!(place.store.begin_transaction(), Err(Error::Store(_))));
}

#[test]
fn one_at_a_time() {
    let place = TestStore::new("busy");
    let change = place.store.begin_transaction().unwrap();
    assert!(matches!(place.install("1.0.0"), Err(Error::Busy)));
    drop(change);
    place.install("1.0.0").unwrap();
}

#[test]
fn a_reset_leaves_what_was_shipped() {
    let place = TestStore::new("reset");
    let base = Catalog::from_iter([entry("0.1.0", &"a1".repeat(32))]);
    place.install("1.0.0").unwrap();
    place.store.begin_transaction().unwrap().reset().unwrap();
    assert!(!place.store.local_path().exists());
    assert_eq!(place.names("installed").len(), 0);
    let layers = Layers::new(base, Catalog::default());
    assert!(place.store.is_runnable(&layers, ID).unwrap());
    assert!(!place.store.is_runnable(&place.layers(), ID).unwrap());
    // A crash between the two deletions leaves files that no catalog declares.
    place.install("1.0.0").unwrap();
    fs::remove_file(place.store.local_path()).unwrap();
    assert_eq!((place.recover_version(), place.names("installed").len()), (None, 0));
    // An empty store, and a catalog that cannot be read.
    place.store.begin_transaction().unwrap().reset().unwrap();
    fs::write(place.store.local_path(), "{").unwrap();
    place.store.begin_transaction().unwrap().reset().unwrap();
    assert!(!place.store.local_path().exists());
}

/// Installs a version without its file, then with it, then without it again, then another
/// version whose file is not pinned.
#[test]
fn content_that_comes_later_is_installed() {
    let place = TestStore::new("later");
    let (pinned, content) = place.new_capability("1.0.0");
    let unpinned = entry("2.0.0", &"0".repeat(64));
    let install = |entry: &CatalogEntry, content: Option<&Content>| {
        let change = place.store.begin_transaction().unwrap();
        change.install(entry.clone(), content, &place.layers(), &Policy::default()).unwrap();
    };
    let program = |entry: &CatalogEntry| {
        let folder = place.store.content_folder(entry)?;
        Some(fs::read(folder.join("count")).unwrap())
    };
    install(&pinned, None);
    assert_eq!(program(&pinned), None);
    install(&pinned, Some(&content));
    assert_eq!(program(&pinned).as_ref(), Some(&content.bytes));
    assert_eq!(place.recover_version().as_deref(), Some("1.0.0"));
    assert_eq!(place.names("staging"), [""; 0]);
    install(&pinned, None);
    assert_eq!(program(&pinned).as_ref(), Some(&content.bytes), "it is the same capability");
    // From now on, the content is checked.
    let file = place.store.content_folder(&pinned).unwrap().join("count");
    fs::write(file, "other").unwrap();
    assert_eq!(place.recover_version(), None);

    install(&unpinned, Some(&content));
    let other = Content { bytes: b"#!/bin/sh\necho other\n".to_vec(), ..content.clone() };
    install(&unpinned, Some(&other));
    assert_eq!(program(&unpinned).as_ref(), Some(&other.bytes));
    assert_eq!(place.recover_version().as_deref(), Some("2.0.0"));
}
