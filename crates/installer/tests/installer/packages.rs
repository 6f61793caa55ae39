//! Packages that are installed in a project, and what is left when somebody pulls the plug.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use toolglot::Limits;
use toolglot::mcpkg::archive::Entry;
use toolglot::mcpkg::meta::SignedContent;
use toolglot::mcpkg::meta::ed25519::{SigningKey, TrustedKeys};
use toolglot::mcpkg::package::{CheckOptions, Package};
use toolglot::mcpkg::testing::Summary;
use toolglot_installer::packages::{Error, PackageStore};

const ID: &str = "acme.text.echo";
/// 2026-01-01T00:00:00Z, by `date -u -d @1767225600`.
const NOW: i64 = 1_767_225_600;

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path.join(".mcp/tools")
}

fn package(version: &str, files: &[(&str, &str)]) -> Package<'static> {
    let manifest = format!(
        r#"{{"toolId": "{ID}", "name": "Echo", "version": "{version}", "description": "Echoes.",
            "capabilities": ["echo"], "endpoint": {{"type": "local", "command": "./echo.sh"}},
            "input_schema": {{"type": "object"}}, "output_schema": {{"type": "object"}}}}"#
    );
    let files = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let files = files.chain([("manifest.json".to_owned(), manifest)]);
    Package::new(files.map(|(name, text)| Entry::new(name, text.into_bytes())).collect()).unwrap()
}

fn installed(store: &PackageStore, package: &Package<'_>, hears: &mut dyn FnMut(&str)) {
    let offer = store.offer(package, &TrustedKeys::default(), &CheckOptions::default()).unwrap();
    store.install(&offer, NOW, hears).unwrap();
}

/// The versions of the tool that whoever looks finds: at most one, and that one is whole.
fn found(store: &PackageStore) -> Option<String> {
    let held = store.find(ID).unwrap()?;
    let checks = held.verify(&TrustedKeys::default()).unwrap();
    assert!(checks.iter().all(|check| check.holds != Some(false)), "{checks:?}");
    let manifest = String::from_utf8(held.manifest().unwrap()).unwrap();
    assert!(manifest.contains(&format!("\"version\": \"{}\"", held.info.version)), "{manifest}");
    Some(held.info.version)
}

/// Does something, and dies before the step of that number. Says whether there was one.
fn dies(at: usize, work: impl FnOnce(&mut dyn FnMut(&str))) -> bool {
    let mut step = 0;
    let mut hears = |_: &str| {
        step += 1;
        assert!(step != at, "the plug is pulled");
    };
    catch_unwind(AssertUnwindSafe(|| work(&mut hears))).is_err()
}

#[test]
fn a_crash_at_every_step_leaves_the_old_or_the_new() {
    let root = folder("packages-crash");
    let store = PackageStore::at(&root);
    let (old, new) = (package("1.0.0", &[("echo.sh", "1")]), package("1.1.0", &[("echo.sh", "2")]));
    let mut steps = 0;
    for at in 1.. {
        let _ = fs::remove_dir_all(&root);
        if !dies(at, |hears| installed(&store, &old, hears)) {
            break;
        }
        assert!([None, Some("1.0.0".to_owned())].contains(&found(&store)), "{at}");
        installed(&store, &old, &mut |_| ());
        assert_eq!(found(&store).as_deref(), Some("1.0.0"), "{at}");

        assert!(dies(at, |hears| installed(&store, &new, hears)));
        let after = found(&store);
        assert!(matches!(after.as_deref(), Some("1.0.0" | "1.1.0")), "{at}: {after:?}");
        installed(&store, &new, &mut |_| ());
        assert_eq!(found(&store).as_deref(), Some("1.1.0"), "{at}");
        assert!(!root.join(".staging").exists(), "{at}: what was left over is gone");
        steps = at;
    }
    assert!(steps >= 4, "{steps}");
    for at in 1..=2 {
        assert!(dies(at, |hears| store.remove(ID, hears).unwrap()));
        assert!([None, Some("1.0.0".to_owned())].contains(&found(&store)), "{at}");
        installed(&store, &old, &mut |_| ());
    }
    store.remove(ID, &mut |_| ()).unwrap();
    assert_eq!(found(&store), None);
    let left = fs::read_dir(root.join(".packages")).unwrap().count();
    assert_eq!((left, root.join(ID).exists()), (0, false));
}

#[test]
fn what_was_agreed_to_is_known_afterwards() {
    let root = folder("packages-agreed");
    let store = PackageStore::at(&root);
    let old = package("1.0.0", &[("echo.sh", "1"), ("README.md", "# Echo")]);
    installed(&store, &old, &mut |_| ());
    let held = store.find(ID).unwrap().unwrap();
    assert_eq!(held.info.digest, old.digest());
    assert_eq!(held.info.installed_at, "2026-01-01T00:00:00Z");
    let broken = |what: &str| {
        let checks = held.verify(&TrustedKeys::default()).unwrap();
        checks.iter().any(|check| check.what == what && check.holds == Some(false))
    };
    assert!(!broken("files") && !broken("package"));
    // Another file, a new one, one that is gone.
    for (name, text) in [("echo.sh", Some("2")), ("new.sh", Some("")), ("README.md", None)] {
        let path = held.folder().join(name);
        let before = fs::read(&path).ok();
        text.map_or_else(
            || fs::remove_file(&path).unwrap(),
            |text| fs::write(&path, text).unwrap(),
        );
        assert!(broken("files"), "{name}");
        before
            .map_or_else(|| fs::remove_file(&path).unwrap(), |old| fs::write(&path, old).unwrap());
        assert!(!broken("files"), "{name}");
    }
    // Tests that were run are no change of the tool.
    let run = Summary { total: 2, passed: 1, failed: 1, ..Summary::default() };
    store.record_tests(ID, run).unwrap();
    assert!(!broken("files"));
    assert_eq!(held.metrics().unwrap().runs, [run]);
    // A package that is not the one of its name does not count.
    let kept = root.join(".packages").join(ID).join(format!("{}.mcpkg", old.digest()));
    fs::write(kept, package("1.0.0", &[]).write(&Limits::default()).unwrap()).unwrap();
    assert!(broken("package"));
}

#[test]
fn an_upgrade_asks_where_it_breaks() {
    let root = folder("packages-upgrade");
    let store = PackageStore::at(&root);
    let key = SigningKey::from_seed(&[3; 32]).unwrap();
    let mut keys = TrustedKeys::default();
    keys.trust("acme", key.public());
    let signed = |version: &str, change: (&str, &str)| {
        let mut entries = package(version, &[("echo.sh", version)]).into_entries();
        for entry in entries.iter_mut().filter(|entry| entry.name == "manifest.json") {
            let text = String::from_utf8(entry.data.to_vec()).unwrap();
            entry.data = text.replace(change.0, change.1).into_bytes().into();
        }
        let plain = Package::new(entries.clone()).unwrap();
        let signature = key.sign(&SignedContent::new(&plain, &Limits::default()).unwrap());
        entries.push(Entry::new("meta/signature.sig", signature));
        Package::new(entries).unwrap()
    };
    let input = r#""input_schema": {"type": "object""#;
    let asked = |package: &Package<'_>| {
        let offer = store.offer(package, &keys, &CheckOptions::default()).unwrap();
        let questions = offer.questions();
        store.install(&offer, NOW, &mut |_| ()).unwrap();
        questions.join("; ")
    };
    assert_eq!(asked(&signed("1.0.0", ("", ""))), "");
    let more = format!(r#"{input}, "properties": {{"loud": {{"type": "boolean"}}}}"#);
    assert_eq!(asked(&signed("1.1.0", (input, &more))), "", "a new option breaks nothing");
    let must = format!(r#"{more}, "required": ["loud"]"#);
    assert_eq!(asked(&signed("2.0.0", (input, &must))), "what worked may not work any more");
    assert!(asked(&signed("1.1.0", (input, &more))).contains("it is older than 2.0.0"));
    let held = store.find(ID).unwrap().unwrap();
    let versions: Vec<String> =
        held.stored_packages().unwrap().into_iter().map(|one| one.version).collect();
    assert_eq!(versions, ["1.0.0", "1.1.0", "2.0.0"]);
    // The same said in other bytes is another package.
    let again = signed("1.1.0", (input, &format!("{more} ")));
    assert!(asked(&again).contains("its version is the one that is installed"));
    // Not signed any more, and signed otherwise.
    assert!(asked(&package("1.2.0", &[("echo.sh", "x")])).contains("the package is not signed"));
    let mut entries = signed("1.3.0", ("", "")).into_entries();
    entries.push(Entry::new("more.sh", b"x".as_slice()));
    let changed = Package::new(entries).unwrap();
    let offer = store.offer(&changed, &keys, &CheckOptions::default()).unwrap();
    let refused = store.install(&offer, NOW, &mut |_| ());
    assert!(matches!(refused, Err(Error::Signature(_))), "{refused:?}");
    assert_eq!(found(&store).as_deref(), Some("1.2.0"));
}

#[test]
fn what_is_not_ours_is_left_alone() {
    let root = folder("packages-foreign");
    let store = PackageStore::at(&root);
    fs::create_dir_all(root.join(ID)).unwrap();
    fs::write(root.join(ID).join("mine.txt"), "mine").unwrap();
    let (options, keys) = (CheckOptions::default(), TrustedKeys::default());
    let one = package("1.0.0", &[]);
    let offer = store.offer(&one, &keys, &options).unwrap();
    let refused = store.install(&offer, NOW, &mut |_| ());
    assert!(matches!(refused, Err(Error::UnrecordedFolder(_))), "{refused:?}");
    assert_eq!(fs::read_to_string(root.join(ID).join("mine.txt")).unwrap(), "mine");
    // A link leads nowhere.
    fs::remove_dir_all(root.join(ID)).unwrap();
    std::os::unix::fs::symlink("/tmp", root.join(ID)).unwrap();
    assert!(store.install(&offer, NOW, &mut |_| ()).is_err());
    fs::remove_file(root.join(ID)).unwrap();
    // Two who change the store at once, and one who was overtaken.
    let other = store.offer(&one, &keys, &options).unwrap();
    let mut nested = None;
    store
        .install(&offer, NOW, &mut |_| {
            nested.get_or_insert_with(|| store.install(&other, NOW, &mut |_| ()));
        })
        .unwrap();
    assert!(matches!(nested, Some(Err(Error::Busy))), "{nested:?}");
    assert!(matches!(store.install(&other, NOW, &mut |_| ()), Err(Error::OfferOutdated)));
    // Files that the store writes itself, and names that are none of a tool.
    let taken = package("1.0.1", &[("package-info.json", "{}")]);
    assert!(matches!(store.offer(&taken, &keys, &options), Err(Error::Reserved(_))));
    for name in ["", "..", "../x", ".packages", "/", "a/b", "a/", "."] {
        assert_eq!(store.find(name).unwrap(), None, "{name}");
    }
    assert!(!Path::new("package-info.json").exists());
}
