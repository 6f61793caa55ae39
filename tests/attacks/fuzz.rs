//! The bodies of the fuzz targets, run on a corpus and on random changes of it.
//!
//! `TOOLGLOT_CASES=100` tries a hundred times as many. `cargo fuzz` finds more: see
//! CONTRIBUTING.

#![allow(clippy::missing_panics_doc)] // a body that panics has found something
#![allow(unreachable_pub)] // `fuzz/` exports the bodies

mod bodies;

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use toolglot_tests::{fixtures, root, times};

use bodies::{TARGETS, Target};
use toolglot::testkit::Rng;

/// Small files below a folder: those of a folder with `package` in it, too.
fn corpus(folder: &Path, found: &mut Vec<Vec<u8>>) {
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            corpus(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "json" || kind == "mcpkg") {
            found.push(fs::read(&path).unwrap());
        }
    }
    found.retain(|bytes| bytes.len() < 20_000);
}

/// Bits of the languages that the targets read.
fn pieces() -> Vec<Vec<u8>> {
    let text = fs::read_to_string(root().join("tests/attacks/fuzz/dictionary")).unwrap();
    let quoted = text.lines().filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    quoted.map(unescaped).collect()
}

/// The bytes of a line of the dictionary.
fn unescaped(line: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend(before.as_bytes());
        let (byte, length) = match after.strip_prefix('x') {
            Some(hex) => (u8::from_str_radix(&hex[..2], 16).unwrap(), 3),
            None => (after.as_bytes()[0], 1),
        };
        bytes.push(byte);
        rest = &after[length..];
    }
    bytes.extend(rest.as_bytes());
    bytes
}

/// A document with some changes, or bytes from nowhere.
fn mutant(corpus: &[Vec<u8>], pieces: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let piece = |rng: &mut Rng| pieces[rng.below(pieces.len())].clone();
    let mut bytes = match corpus.len() {
        0 => Vec::new(),
        count => corpus[rng.below(count)].clone(),
    };
    if corpus.is_empty() {
        for _ in 0..=rng.below(12) {
            bytes.extend(piece(rng));
        }
        return bytes;
    }
    for _ in 0..=rng.below(4) {
        let at = rng.below(bytes.len() + 1);
        let end = (at + rng.below(24)).min(bytes.len());
        match rng.below(5) {
            0 => drop(bytes.drain(at..end)),
            1 => drop(bytes.splice(at..at, piece(rng))),
            2 => drop(bytes.splice(at..end, piece(rng))),
            3 => {
                let copied = bytes[at..end].to_vec();
                let to = rng.below(bytes.len() + 1);
                drop(bytes.splice(to..to, copied));
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << rng.below(8);
                }
            }
        }
    }
    bytes
}

fn run(target: &Target) {
    let mut known = Vec::new();
    for folder in target.corpus {
        corpus(&fixtures(folder), &mut known);
        assert!(!known.is_empty(), "{folder} is empty");
    }
    let pairs = known.windows(2).map(|pair| [&pair[0], &b"\0"[..], &pair[1]].concat());
    let pairs: Vec<_> = pairs.collect();
    known.extend(pairs);
    let (rng, pieces) = (&mut Rng::new(0), pieces());
    let mutants = (0..target.tries * times()).map(|_| mutant(&known, &pieces, rng));
    for bytes in known.iter().cloned().chain(reached(target)).chain(mutants) {
        let ran = catch_unwind(AssertUnwindSafe(|| (target.body)(&bytes)));
        assert!(ran.is_ok(), "{} fails on {:?}", target.name, String::from_utf8_lossy(&bytes));
    }
}

/// What fuzzing by coverage kept of a target: `fuzz/soak --keep` writes it.
fn reached(target: &Target) -> Vec<Vec<u8>> {
    let folder = root().join("tests/attacks/fuzz/corpus").join(target.name);
    fs::read_dir(folder).unwrap().map(|file| fs::read(file.unwrap().path()).unwrap()).collect()
}

/// What fuzzing found, and must not find again.
const FOUND: &[(&str, &[u8])] = &[
    // A host of dots is no host.
    ("words", b"https://./"),
    // A patch keeps the spelling of a number that says the same.
    ("edit", b"0\0-0"),
    // What a server calls a tool stays where nobody says any more where the server is.
    ("laws", b"\xec\x3a\xec\x61"),
];

#[test]
fn what_was_found_before() {
    for (name, bytes) in FOUND {
        let target = TARGETS.iter().find(|target| target.name == *name).unwrap();
        (target.body)(bytes);
    }
}

macro_rules! tests {
    ($($name:ident)*) => {
        $(#[test] fn $name() { run(TARGETS.iter().find(|target| target.name == stringify!($name)).unwrap()); })*

        #[test]
        fn every_target_is_there() {
            let tested: BTreeSet<&str> = BTreeSet::from([$(stringify!($name)),*]);
            let known: BTreeSet<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(tested, known);
            let files = fs::read_dir(root().join("fuzz/fuzz_targets")).unwrap();
            let files = files.map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned());
            let files: BTreeSet<String> = files.collect();
            assert_eq!(files, known.into_iter().map(str::to_owned).collect());
        }
    };
}

tests! {
    json edit schema tools_json mcpb mcpkg jumith capability install_manifest comparison conversion restoration
    archive bundle client catalog index call chain tests laws jsonpath pattern path words server
    server_json tool_list
}
