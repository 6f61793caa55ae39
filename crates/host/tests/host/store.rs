//! What is installed.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use call::Outcome;
use call::Step;
use disk::store::{FileChange, Record, Store};
use toolglot_host::{Origin, Values};

use crate::support::{LONG, folder, host, program, script};

/// A store with one tool, whose program prints where it runs.
fn installed(name: &str) -> (PathBuf, Store) {
    let root = folder(name).join("tools");
    let store = Store::at(&root);
    let change = store.begin_transaction().unwrap().unwrap();
    let site = change.create_folder("notes", "1.0.0").unwrap();
    fs::create_dir_all(site.tool().join("bin")).unwrap();
    script(&site.tool().join("bin/notes"), "#!/bin/sh\npwd; other");
    script(&site.tool().join("bin/other"), "#!/bin/sh\necho other");
    let record = Record {
        format: "some-format".to_owned(),
        programs: vec!["bin".to_owned()],
        directory: Some("bin".to_owned()),
        ..Record::default()
    };
    change.commit(site, record, b"{}").unwrap();
    drop(change);
    (root, store)
}

fn below(root: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// SHA-256 of `{}`, as `sha256sum` has it.
const EMPTY: &str = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";

#[tokio::test]
async fn programs_of_what_is_installed_come_first() {
    let (_, store) = installed("store-programs");
    let prefix = store.prefix(EMPTY).unwrap();
    assert_eq!(store.prefix(&EMPTY.replace('4', "5")), None, "another text");
    let directory = prefix.directory.clone().unwrap();
    let origin = Origin { prefix, ..Origin::default() };
    let mut step = program(&["notes"]);
    step.inherit = vec!["PATH".to_owned()];
    let step = Step::Run(step);
    assert!(toolglot_host::check_present(&step, &origin).is_ok());
    assert!(toolglot_host::check_present(&step, &Origin::default()).is_err());
    // It runs where it is to, and finds the programs beside it.
    let outcome = host().run_unchecked(&step, &origin, &Values::new(), LONG).await;
    let Outcome::Exited { stdout, .. } = outcome else { panic!("{outcome:?}") };
    let directory = directory.canonicalize().unwrap();
    assert_eq!(String::from_utf8(stdout).unwrap(), format!("{}\nother\n", directory.display()));
}

#[test]
fn what_is_not_kept_is_removed() {
    let (root, store) = installed("store-sweep");
    let change = store.begin_transaction().unwrap().unwrap();
    let site = change.create_folder("notes", "1.0.0").unwrap();
    let left = site.tool();
    fs::write(left.join("half"), "").unwrap();
    assert!(store.begin_transaction().unwrap().is_none(), "one at a time");
    drop(site);
    assert!(!left.exists(), "given up");
    // What a crash leaves, of this tool and of another.
    std::mem::forget(change.create_folder("notes", "1.0.0").unwrap());
    std::mem::forget(change.create_folder("other", "2.0.0").unwrap());
    assert_eq!(below(&root.join("notes/1.0.0")).len(), 3);
    drop(change);
    drop(store.begin_transaction().unwrap().unwrap());
    assert_eq!(below(&root), [".lock", "notes"]);
    assert_eq!(below(&root.join("notes/1.0.0")).len(), 2);
    assert_eq!(store.all().unwrap().len(), 1);

    let one = store.all().unwrap().remove(0);
    store.begin_transaction().unwrap().unwrap().remove(&one.record).unwrap();
    assert_eq!(below(&root), [".lock"]);
}

#[test]
fn what_changed_is_told() {
    let (_, store) = installed("store-changed");
    let one = store.all().unwrap().remove(0);
    assert_eq!(one.changes().unwrap(), []);
    assert_eq!(one.manifest().unwrap().as_deref(), Some(&b"{}"[..]));
    fs::create_dir_all(one.tool().join("lib/__pycache__")).unwrap();
    fs::write(one.tool().join("lib/__pycache__/a.pyc"), "").unwrap();
    assert_eq!(one.changes().unwrap(), [], "Python wrote it");
    fs::write(one.tool().join("new"), "").unwrap();
    fs::remove_file(one.tool().join("bin/other")).unwrap();
    fs::remove_file(one.tool().join("bin/notes")).unwrap();
    symlink("/bin/true", one.tool().join("bin/notes")).unwrap();
    let changed = [
        FileChange::Other("bin/notes".to_owned()),
        FileChange::Gone("bin/other".to_owned()),
        FileChange::New("new".to_owned()),
    ];
    assert_eq!(one.changes().unwrap(), changed);

    let own = one.tool().parent().unwrap().to_owned();
    fs::write(own.join("files.json"), "{}").unwrap();
    assert_eq!(one.changes().unwrap(), [FileChange::List]);
    fs::write(own.join("manifest.json"), "{ }").unwrap();
    assert_eq!(one.manifest().unwrap(), None);
}

#[test]
fn a_record_leads_nowhere_else() {
    let (root, store) = installed("store-record");
    let file = root.join("notes/1.0.0/install.json");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let record = Record { folder: "../../../../etc".to_owned(), ..Record::default() };
    fs::write(&file, serde_json::to_vec(&record).unwrap()).unwrap();
    let one = store.all().unwrap().remove(0);
    assert!(one.tool().starts_with(root.join("notes/1.0.0")), "{:?}", one.tool());
    fs::write(&file, "{").unwrap();
    assert!(store.all().unwrap_err().to_string().contains("is no record"));
    // Whoever else can write there could say that anything is installed.
    fs::set_permissions(&root, fs::Permissions::from_mode(0o777)).unwrap();
    assert!(store.all().is_err());
    assert_eq!(Store::at(root.join("none")).all().unwrap(), []);
}

#[test]
fn the_store_of_the_user_is_below_their_data() {
    let tools = disk::user::data().map(|data| Store::at(data.join("tools")));
    assert_eq!(Store::of_user(), tools);
}
