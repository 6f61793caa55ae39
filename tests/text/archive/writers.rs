//! What is written is read again, by others too.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use archive::Entry;
use manifest_core::Limits;
use proptest::prelude::*;

use super::builder::{self, File, MANIFEST};

/// Row Z54 of the catalogue of attacks.
#[test]
fn same_files_same_bytes() {
    let limits = Limits::default();
    let mut entries = vec![
        Entry::new("z.txt", b"z".as_slice()),
        Entry::new("a/é.txt", vec![b'a'; 5000]),
        Entry::new("manifest.json", MANIFEST.as_bytes()),
        Entry { executable: true, ..Entry::new("bin/run", b"#!/bin/sh\n".as_slice()) },
    ];
    let bytes = archive::write(&entries, &limits).unwrap();
    entries.reverse();
    assert_eq!(archive::write(&entries, &limits).unwrap(), bytes);
    let read = archive::read(&bytes, &limits).unwrap();
    let names: Vec<_> = read.entries.iter().map(|entry| entry.name.as_ref()).collect();
    assert_eq!(names, ["manifest.json", "a/é.txt", "bin/run", "z.txt"]);
    let executable: Vec<_> = read.entries.iter().map(|entry| entry.executable).collect();
    assert_eq!(executable, [false, false, true, false]);
    // Pinned: a new version must not change the bytes of old packages unnoticed.
    assert_eq!(
        manifest_core::sha256_hex(&bytes),
        "b27dc48c8217bdbf8bbc5da43b0821c7d09605c86617a61a8664d13a074b5ab3",
    );
}

#[test]
fn what_would_be_refused_is_not_written() {
    let limits = Limits::default();
    for (name, rule) in [
        ("../a", "zip/path-traversal"),
        ("a\\b", "zip/path-separator"),
        ("a/", "zip/entry-type"),
        ("MANIFEST.json", "zip/path-collision"),
        ("manifest.json", "zip/duplicate"),
    ] {
        let entries = [Entry::new("manifest.json", b"{}".as_slice()), Entry::new(name, vec![])];
        let report = archive::write(&entries, &limits).unwrap_err();
        assert_eq!(report.diagnostics[0].rule.code, rule, "{name}");
    }
    let large = [Entry::new("a", vec![0; (16 << 20) + 1])];
    let report = archive::write(&large, &limits).unwrap_err();
    assert_eq!(report.diagnostics[0].rule.code, "zip/entry-size");
    // What compresses too well is stored.
    let zeros = [Entry::new("a", vec![0; 4 << 20])];
    let bytes = archive::write(&zeros, &limits).unwrap();
    assert!(bytes.len() > 4 << 20);
    archive::read(&bytes, &limits).unwrap();
}

/// A reader takes what is exactly so many times as long as it was.
#[test]
fn what_compresses_as_well_as_allowed_is_compressed() {
    let written = |length: usize, expansion_ratio| {
        let limits = Limits { expansion_ratio, ..Limits::default() };
        archive::write(&[Entry::new("a", vec![0; length])], &limits).unwrap().len()
    };
    let around = written(0, 1);
    let lengths = (100..10_000).map(|length| (length, written(length, u64::MAX) - around));
    let exact: Vec<_> = lengths.filter(|(length, packed)| length % packed == 0).collect();
    assert!(!exact.is_empty());
    for (length, packed) in exact {
        let ratio = (length / packed) as u64;
        assert_eq!(written(length, ratio), around + packed);
        assert_eq!(written(length, ratio - 1), around + length);
    }
}

proptest! {
    #![proptest_config(toolglot_tests::random(64))]
    #[test]
    fn what_is_written_is_read(
        // None of them is the name of a device.
        files in prop::collection::btree_map(
            "f[a-y]{1,7}(/f[a-y]{1,7}){0,3}\\.z",
            (prop::collection::vec(any::<u8>(), 0..2000), any::<bool>()),
            0..12,
        ),
    ) {
        let entries: Vec<_> = files
            .iter()
            .map(|(name, (data, executable))| Entry {
                executable: *executable,
                ..Entry::new(name.as_str(), data.as_slice())
            })
            .collect();
        let limits = Limits::default();
        let bytes = archive::write(&entries, &limits).unwrap();
        prop_assert_eq!(archive::read(&bytes, &limits).unwrap().entries, entries);
    }
}

/// A file may be larger than the room that a reader makes at first, and needs no more than its
/// own.
#[test]
fn large_files_are_read_whole() {
    for length in [(64 << 10) - 1, 64 << 10, (64 << 10) + 1, 128 << 10, 200_001] {
        let letter = |n: u32| u8::try_from((n.wrapping_mul(n) >> 5) & 0x3f).unwrap();
        let data: Vec<u8> = (0..length).map(letter).collect();
        let file = File::deflated("manifest.json", &data);
        assert!(file.data.len() < data.len(), "{length} bytes were to be compressed");
        let bytes = builder::archive(&[file]);
        let read = archive::read(&bytes, &Limits::default()).unwrap();
        assert!(read.entries[0].data == data, "{length}");
    }
}

/// Whether other programs, where they are installed, take what we write.
///
/// Row Z58 of the catalogue of attacks.
#[test]
fn others_read_what_we_write() {
    let entries = [
        Entry::new("manifest.json", MANIFEST.as_bytes()),
        Entry::new("examples/é.md", "# Écho\n".as_bytes()),
        Entry::new("empty", Vec::new()),
        Entry::new("noise", (0..=255).collect::<Vec<u8>>()),
    ];
    let bytes = archive::write(&entries, &Limits::default()).unwrap();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ours.mcpkg");
    fs::write(&path, bytes).unwrap();
    let path = path.to_str().unwrap();
    let python = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); \
                  assert z.testzip() is None; assert len(z.namelist()) == 4";
    for (program, arguments) in
        [("python3", vec!["-c", python, path]), ("unzip", vec!["-tq", path])]
    {
        let run = Command::new(program).args(arguments).stdout(Stdio::null()).status();
        if let Ok(status) = run {
            assert!(status.success(), "{program}");
        }
    }
}
