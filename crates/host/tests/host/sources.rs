//! Sources of converted manifests, kept and found.

use std::os::unix::fs::PermissionsExt;

use disk::sources::{FindSourceError, StoredSource, find};
use disk::{Access, Folder};

use crate::support::{folder, script};

/// The SHA-256 of `{"a":1}`, as `sha256sum` has it.
const DIGEST: &str = "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862";
const TEXT: &str = r#"{"a":1}"#;

#[test]
fn a_source_is_kept_with_the_files_that_its_calls_name() {
    let (from, to) = (folder("sources-from"), folder("sources-to"));
    script(&from.join("bin/run"), "#!/bin/sh\n");
    std::fs::write(from.join("data.txt"), "data").unwrap();
    let names = ["bin/run", "data.txt", "missing.txt", "../outside"].map(str::to_owned);
    let kept = StoredSource::new(TEXT, names, Some(&from));
    let left: Vec<&str> = kept.skipped_files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(left, ["missing.txt", "../outside"]);
    assert_eq!(kept.skipped_files[0].1, "is not beside the source");
    assert!(kept.skipped_files[1].1.starts_with("cannot be copied"), "{:?}", kept.skipped_files);

    let written = kept.write_beside(&Folder::open(&to, Access::Shared).unwrap()).unwrap();
    let below = format!(".toolglot/sources/{DIGEST}");
    let expected =
        [format!("{below}/bin/run"), format!("{below}/data.txt"), format!("{below}.json")];
    assert_eq!(written, expected);
    let mode = |name: &str| {
        let file = to.join(&below).join(name);
        file.metadata().unwrap().permissions().mode() & 0o111
    };
    assert!(mode("bin/run") != 0 && mode("data.txt") == 0);

    let found = find(DIGEST, Some(&to), 1 << 20).unwrap();
    assert_eq!(found.bytes, TEXT.as_bytes());
    assert_eq!(found.file, to.join(format!("{below}.json")));
    assert_eq!(found.folder, Some(to.join(&below)));
    assert!(find(&DIGEST.to_uppercase(), Some(&to), 1 << 20).is_ok());
}

/// Without files of its own, its calls are relative to the folder that it is below.
#[test]
fn a_source_without_files() {
    let to = folder("sources-alone");
    let kept = StoredSource::new(TEXT, ["x".to_owned()], None);
    assert_eq!(kept.skipped_files.len(), 1);
    kept.write_beside(&Folder::open(&to, Access::Shared).unwrap()).unwrap();
    assert_eq!(find(DIGEST, Some(&to), 1 << 20).unwrap().folder, Some(to));
}

#[test]
fn a_source_that_is_not_there_is_not_found() {
    let to = folder("sources-none");
    let none = |digest: &str| find(digest, Some(&to), 1 << 20).unwrap_err();
    assert_eq!(none(DIGEST), FindSourceError::Nowhere);
    assert!(none(DIGEST).to_string().contains(".toolglot/sources"));
    for digest in ["", &DIGEST[1..], &DIGEST.replace('0', "g"), "../../../../etc/passwd"] {
        assert_eq!(none(digest), FindSourceError::Digest, "{digest}");
    }
    let file = to.join(format!(".toolglot/sources/{DIGEST}.json"));
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "{}").unwrap();
    assert_eq!(none(DIGEST), FindSourceError::Other(file.clone()));
    // One that is too large is none.
    std::fs::write(&file, TEXT).unwrap();
    assert_eq!(find(DIGEST, Some(&to), TEXT.len() - 1).unwrap_err(), FindSourceError::Nowhere);
    assert!(find(DIGEST, Some(&to), TEXT.len()).is_ok());
}
