//! The one writer.

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use disk::{Access, Folder, user};

use crate::support::folder;

fn mode(path: &Path) -> u32 {
    std::fs::symlink_metadata(path).unwrap().mode() & 0o7777
}

fn names(path: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(path).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Others may look into the folder, and not into what is written there.
#[test]
fn files_of_a_shared_folder_can_be_private() {
    let root = folder("disk-private");
    std::fs::set_permissions(&root, std::fs::Permissions::from_mode(0o755)).unwrap();
    let shared = Folder::open(&root, Access::Shared).unwrap().with_private_files();
    shared.write("file", b"one").unwrap();
    assert_eq!((mode(&root), mode(&root.join("file"))), (0o755, 0o600));
}

/// A folder that is made as a whole takes the place of an empty one, and of nothing else.
#[test]
fn a_folder_is_made_as_a_whole_or_not_at_all() {
    let root = folder("disk-made");
    let fill = |made: &Folder| made.write("file", b"one");
    let make = |name: &str| Folder::create_with(&root.join(name), Access::Shared, fill);
    make("new").unwrap();
    std::fs::create_dir(root.join("empty")).unwrap();
    make("empty").unwrap();
    std::fs::write(root.join("text"), "mine").unwrap();
    assert!(make("new").is_err(), "it is not empty");
    assert!(make("text").is_err(), "it is a file");
    assert!(
        Folder::create_with(&root.join("other"), Access::Shared, |_| Err(std::io::Error::other(
            "no"
        )))
        .is_err()
    );
    assert_eq!(names(&root), ["empty", "new", "text"]);
    assert_eq!(names(&root.join("new")), ["file"]);
    assert_eq!(names(&root.join("empty")), ["file"]);
    assert_eq!(std::fs::read_to_string(root.join("text")).unwrap(), "mine");
}

#[test]
fn state_is_its_owners_alone() {
    let root = folder("disk-state");
    let state = Folder::create(&root.join("a/state"), Access::Private).unwrap();
    state.write("deep/er/file", b"one").unwrap();
    state.write_program("run", b"two").unwrap();
    let _lock = state.lock().unwrap();
    let at = root.join("a/state");
    for (name, expected) in [
        ("", 0o700),
        ("deep", 0o700),
        ("deep/er", 0o700),
        ("deep/er/file", 0o600),
        ("run", 0o700),
        (".lock", 0o600),
    ] {
        assert_eq!(mode(&at.join(name)), expected, "{name}");
    }
}

#[test]
fn a_state_folder_that_others_can_reach_is_refused() {
    let root = folder("disk-open");
    for bits in [0o750, 0o705, 0o770, 0o777] {
        std::fs::set_permissions(&root, std::fs::Permissions::from_mode(bits)).unwrap();
        assert!(Folder::open(&root, Access::Private).is_err(), "{bits:o}");
        assert!(Folder::open(&root, Access::Shared).is_ok(), "{bits:o}");
    }
}

#[test]
fn two_folders_change_places_at_once() {
    let root = folder("disk-exchange");
    let out = Folder::open(&root, Access::Shared).unwrap();
    out.write("old/file", b"old").unwrap();
    out.write(".new/here/file", b"new").unwrap();
    out.exchange(".new/here", "old").unwrap();
    assert_eq!(out.read("old/file", 9).unwrap().as_deref(), Some(&b"new"[..]));
    assert_eq!(out.read(".new/here/file", 9).unwrap().as_deref(), Some(&b"old"[..]));
    // Without the other, nothing is moved.
    assert!(out.exchange("old", "gone").is_err());
    assert!(out.exchange("../outside", "old").is_err());
    assert_eq!(names(&root), [".new", "old"]);
}

#[test]
fn a_secret_is_written_once_and_for_its_owner() {
    let root = folder("disk-secret");
    let out = Folder::open(&root, Access::Shared).unwrap();
    out.write_secret("key", b"one").unwrap();
    assert_eq!(mode(&root.join("key")), 0o600);
    assert!(out.write_secret("key", b"two").is_err());
    symlink("elsewhere", root.join("link")).unwrap();
    assert!(out.write_secret("link", b"two").is_err());
    assert_eq!(out.read("key", 9).unwrap().as_deref(), Some(&b"one"[..]));
    assert_eq!(names(&root), ["key", "link"]);
}

#[test]
fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
    let root = folder("disk-replace");
    let out = Folder::open(&root, Access::Shared).unwrap();
    out.write("file", &vec![b'x'; 100_000]).unwrap();
    out.write("file", b"short").unwrap();
    assert_eq!(out.read("file", 5).unwrap().as_deref(), Some(&b"short"[..]));
    assert_eq!(names(&root), ["file"]);
    assert!(out.read("file", 4).is_err(), "more than the limit");
    assert_eq!(out.read("none", 4).unwrap(), None);
    assert_eq!(out.read("no/ne", 4).unwrap(), None);
    // What cannot take the place of a folder leaves nothing behind either.
    std::fs::create_dir(root.join("taken")).unwrap();
    assert!(out.write("taken", b"").is_err());
    assert_eq!(names(&root), ["file", "taken"]);
    out.remove("file").unwrap();
    out.remove("file").unwrap();
    assert_eq!(names(&root), ["taken"]);
}

#[test]
fn what_is_added_comes_last() {
    let root = folder("disk-append");
    for (access, file, bits) in
        [(Access::Shared, "log", 0), (Access::Private, "private/log", 0o077)]
    {
        let at = root.join(file);
        let out = match access {
            Access::Shared => Folder::open(&root, access).unwrap(),
            Access::Private => Folder::create(at.parent().unwrap(), access).unwrap(),
        };
        out.append("log", b"one\n").unwrap();
        out.append("log", b"two\n").unwrap();
        assert_eq!(std::fs::read_to_string(&at).unwrap(), "one\ntwo\n");
        assert_eq!(mode(&at) & bits, 0, "{file}");
        out.append("below/it/log", b"x").unwrap();
        assert_eq!(out.read("below/it/log", 9).unwrap().as_deref(), Some(&b"x"[..]));
    }
    let out = Folder::open(&root, Access::Shared).unwrap();
    assert!(out.append("private", b"x").is_err(), "a folder");
    std::os::unix::fs::symlink(root.join("log"), root.join("link")).unwrap();
    assert!(out.append("link", b"x").is_err());
    assert!(out.append("../log", b"x").is_err());
}

#[test]
fn nothing_is_reached_outside_the_folder() {
    let root = folder("disk-outside");
    let within = root.join("within");
    let out = Folder::create(&within, Access::Shared).unwrap();
    std::fs::write(root.join("victim"), "safe").unwrap();
    symlink("..", within.join("up")).unwrap();
    symlink("../victim", within.join("link")).unwrap();
    symlink(&root, within.join("away")).unwrap();
    let victim = root.join("victim");
    for name in [
        "../victim",
        "up/victim",
        "away/victim",
        "a/../../victim",
        "..",
        ".",
        "",
        victim.to_str().unwrap(),
    ] {
        assert!(out.write(name, b"gone").is_err(), "{name}");
        assert!(out.read(name, 100).is_err(), "{name}");
        assert!(out.remove(name).is_err(), "{name}");
    }
    assert!(out.read("link", 100).is_err());
    // Writing replaces the link itself.
    out.write("link", b"mine").unwrap();
    assert_eq!(std::fs::read(within.join("link")).unwrap(), b"mine");
    assert_eq!(std::fs::read(&victim).unwrap(), b"safe");
    // The folder that was opened is meant, whatever is at its path by now.
    std::fs::rename(&within, root.join("moved")).unwrap();
    symlink(&root, &within).unwrap();
    out.write("victim", b"mine").unwrap();
    assert_eq!(std::fs::read(&victim).unwrap(), b"safe");
    assert_eq!(std::fs::read(root.join("moved/victim")).unwrap(), b"mine");
}

#[test]
fn what_is_no_file_is_not_read() {
    let root = folder("disk-odd");
    let out = Folder::open(&root, Access::Shared).unwrap();
    std::fs::create_dir(root.join("folder")).unwrap();
    assert!(out.read("folder", 100).is_err());
    out.write("file", b"x").unwrap();
    assert!(Folder::open(&root.join("file"), Access::Shared).is_err(), "it is no folder");
    let made = std::process::Command::new("mkfifo").arg(root.join("pipe")).status().unwrap();
    assert!(made.success());
    assert!(out.read("pipe", 100).is_err(), "and nobody waits for it");
}

#[test]
fn one_holds_the_folder_at_a_time() {
    let root = folder("disk-lock");
    let [one, two] = [0; 2].map(|_| Folder::open(&root, Access::Shared).unwrap());
    let lock = one.lock().unwrap();
    assert!(two.try_lock().unwrap().is_none());
    drop(lock);
    assert!(two.try_lock().unwrap().is_some());
    // Many writers that read, add and write lose nothing.
    let add = |root: &Path| {
        for _ in 0..10 {
            let out = Folder::open(root, Access::Shared).unwrap();
            let _lock = out.lock().unwrap();
            let mut text = out.read("count", 1000).unwrap().unwrap_or_default();
            text.push(b'.');
            out.write("count", &text).unwrap();
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| add(&root));
        }
    });
    assert_eq!(one.read("count", 1000).unwrap().unwrap().len(), 40);
    assert_eq!(names(&root), [".lock", "count"]);
}

/// Between its fork and its exec, a child has every open file of this process.
#[test]
fn a_child_that_is_being_started_does_not_hold_the_folder() {
    let root = folder("disk-lock-fork");
    let folder = Folder::create(&root.join("state"), Access::Private).unwrap();
    let done = std::sync::atomic::AtomicBool::new(false);
    let is_done = || done.load(std::sync::atomic::Ordering::Relaxed);
    let refused = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done() {
                std::process::Command::new("true").status().unwrap();
            }
        });
        let refused = (0..20_000).filter(|_| folder.try_lock().unwrap().is_none()).count();
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        refused
    });
    assert_eq!(refused, 0);
}

#[test]
fn a_folder_moves_as_a_whole_and_takes_no_others_place() {
    let root = folder("disk-rename");
    let out = Folder::open(&root, Access::Shared).unwrap();
    out.write(".new/deep/file", b"one").unwrap();
    out.rename(".new", "tool/1.0.0").unwrap();
    assert_eq!(out.read("tool/1.0.0/deep/file", 9).unwrap().as_deref(), Some(&b"one"[..]));
    out.write(".new/deep/file", b"two").unwrap();
    assert!(out.rename(".new", "tool/1.0.0").is_err(), "it is there already");
    assert_eq!(out.read("tool/1.0.0/deep/file", 9).unwrap().as_deref(), Some(&b"one"[..]));
    for outside in ["../x", "/tmp/x"] {
        assert!(out.rename(".new", outside).is_err() && out.rename(outside, "x").is_err());
    }
    symlink("/tmp", root.join("link")).unwrap();
    assert!(out.rename(".new", "link/x").is_err(), "links are not followed");
    assert_eq!(names(&root), [".new", "link", "tool"]);
}

/// For the next test: the environment of a test cannot be changed, so that one runs this one
/// with others.
#[test]
fn print_the_folders_of_the_user() {
    println!("folders: {:?}", [user::state(), user::data(), user::cache()]);
}

/// The XDG base directory specification. What is not an absolute path counts as not set.
#[test]
fn the_folders_of_the_user_are_absolute() {
    let at_home = r#"[Some("/me/.local/state/toolglot"), Some("/me/.local/share/toolglot"), Some("/me/.cache/toolglot")]"#;
    let named = r#"[Some("/s/toolglot"), Some("/d/toolglot"), Some("/c/toolglot")]"#;
    let none = "[None, None, None]";
    for (home, [state, data, cache], expected) in [
        ("/me", ["/s", "/d", "/c"], named),
        ("", ["/s", "/d", "/c"], named),
        ("/me", ["", "data", "./cache"], at_home),
        ("here", ["", "data", "./cache"], none),
        ("", ["", "", ""], none),
    ] {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "disk::print_the_folders_of_the_user", "--nocapture"])
            .envs([("HOME", home), ("XDG_STATE_HOME", state)])
            .envs([("XDG_DATA_HOME", data), ("XDG_CACHE_HOME", cache)])
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(printed.contains(&format!("folders: {expected}\n")), "{home}: {printed}");
    }
}
