//! One archive for each refusal: `attacks.md`, section 2. The archives are built
//! here, byte by byte.

#![allow(clippy::too_many_lines)] // tables of attacks

use std::collections::BTreeSet;

use archive::rules::RULES;
use manifest_core::{Limits, Report};

use super::builder::{
    CENTRAL, DESCRIPTOR, END, File, LOCAL, MANIFEST, archive, archive_with, assemble, crc, good,
    words,
};

/// Reads an archive that must have a manifest.
fn package(bytes: &[u8], limits: &Limits) -> Result<(), Report> {
    let archive = archive::read(bytes, limits)?;
    archive::manifest(&archive.entries).map(drop)
}

fn manifest() -> File {
    File::deflated("manifest.json", MANIFEST)
}

/// An archive of a manifest and a file.
fn with(file: File) -> Vec<u8> {
    archive(&[manifest(), file])
}

/// A file of that name.
fn named(name: impl AsRef<[u8]>) -> Vec<u8> {
    if name.as_ref().ends_with(b"/") {
        return with(File::stored(name, "").with(|file| file.attributes = 0o040_755 << 16));
    }
    with(File::stored(name, "x"))
}

fn extra(id: u16, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).unwrap();
    [&id.to_le_bytes()[..], &length.to_le_bytes(), data].concat()
}

fn with_extra(bytes: &[u8]) -> Vec<u8> {
    with(File::stored("a", "x").both(|fields| fields.extra = bytes.to_vec()))
}

/// A mode of Unix for a file.
fn mode(mode: u32) -> Vec<u8> {
    with(File::stored("a", "/etc/passwd").with(|file| file.attributes = mode << 16))
}

/// The attack, the rule that must refuse it, and the archive.
type Attack = (&'static str, &'static str, Vec<u8>);

fn paths() -> Vec<Attack> {
    let rows: &[(&str, &[u8], &str)] = &[
        ("Z01 up", b"../evil", "zip/path-traversal"),
        ("Z01 up twice", b"a/../../b", "zip/path-traversal"),
        ("Z01 up and down", b"a/../b", "zip/path-traversal"),
        ("Z01 parent", b"..", "zip/path-traversal"),
        ("Z01 parent folder", b"../", "zip/path-traversal"),
        ("Z02 absolute", b"/abs", "zip/path-absolute"),
        ("Z02 share", b"//server/share", "zip/path-absolute"),
        ("Z02 backslash share", b"\\\\server\\share", "zip/path-absolute"),
        ("Z02 device", b"\\\\?\\C:\\x", "zip/path-absolute"),
        ("Z03 drive", b"C:/x", "zip/path-absolute"),
        ("Z03 drive, relative", b"C:x", "zip/path-character"),
        ("Z03 drive, backslash", b"c:\\x", "zip/path-absolute"),
        ("Z04 up by backslash", b"..\\evil", "zip/path-separator"),
        ("Z04 backslash", b"tests\\a.json", "zip/path-separator"),
        ("Z05 NUL", b"manifest.json\0.png", "zip/path-character"),
        ("Z05 control", b"a\x01b", "zip/path-character"),
        ("Z05 delete", b"a\x7fb", "zip/path-character"),
        ("Z06 empty", b"", "zip/path-empty"),
        ("Z06 slash", b"/", "zip/path-absolute"),
        ("Z06 dot", b"./manifest.json", "zip/path-noncanonical"),
        ("Z06 two slashes", b"a//b", "zip/path-noncanonical"),
        ("Z06 dot inside", b"a/./b", "zip/path-noncanonical"),
        ("Z45 not UTF-8", b"a\xff", "zip/path-encoding"),
        ("P05 fullwidth", "．．/x".as_bytes(), "zip/path-normalization"),
        ("P06 dot at the end", b"x.", "zip/path-trailing"),
        ("P07 device", b"aux/x", "zip/path-reserved"),
        ("P10 hidden", "manifest\u{200b}.json".as_bytes(), "zip/path-character"),
        ("P12 decomposed", "e\u{301}".as_bytes(), "zip/path-normalization"),
    ];
    let mut attacks: Vec<Attack> =
        rows.iter().map(|(what, name, rule)| (*what, *rule, named(name))).collect();
    attacks.push(("P11 long", "zip/path-length", named("a/".repeat(600) + "b")));
    attacks.push(("P11 deep", "zip/path-length", named("a/".repeat(32) + "b")));
    let unmarked = File::stored("é", "x").both(|fields| fields.flags = 0);
    attacks.push(("Z45 unmarked", "zip/path-encoding", with(unmarked)));
    for (what, one, other) in [
        ("Z11 case", "a", "A"),
        ("Z11 sharp s", "stra\u{df}e", "strasse"),
        ("Z11 Kelvin", "k", "\u{212a}"),
        ("Z11 case of a folder", "x/a", "X/b"),
        ("Z12 a file as a folder", "a", "a/b"),
        ("Z12 a folder as a file", "a/b", "a"),
    ] {
        let files = [manifest(), File::stored(one, "x"), File::stored(other, "y")];
        let rule =
            if other == "\u{212a}" { "zip/path-normalization" } else { "zip/path-collision" };
        attacks.push((what, rule, archive(&files)));
    }
    let case = File::stored("MANIFEST.JSON", "x");
    attacks.push(("Z11 case of the manifest", "zip/path-collision", with(case)));
    for data in [MANIFEST, "{}"] {
        let again = File::stored("manifest.json", data);
        attacks.push(("Z10 twice", "zip/duplicate", with(again)));
    }
    attacks
}

fn kinds() -> Vec<Attack> {
    let rule = "zip/entry-type";
    let folder =
        |data: &str| File::stored("a/", data).with(|file| file.attributes = 0o040_755 << 16 | 0x10);
    vec![
        ("Z07 link", rule, mode(0o120_777)),
        ("Z08 device", rule, mode(0o020_644)),
        ("Z08 pipe", rule, mode(0o010_644)),
        ("Z08 socket", rule, mode(0o140_644)),
        ("Z09 mode of another system", rule, {
            with(File::stored("a", "x").with(|file| file.system = 0))
        }),
        ("Z09 folder by attribute", rule, {
            with(File::stored("a", "x").with(|file| file.attributes |= 0x10))
        }),
        ("Z09 folder by mode", rule, mode(0o040_755)),
        ("Z09 folder with data", rule, with(folder("x"))),
        ("Z09 folder that is a file", rule, {
            with(folder("").with(|file| file.attributes = 0o100_644 << 16))
        }),
        ("Z09 label", rule, with(File::stored("a", "x").with(|file| file.attributes |= 0x08))),
        ("Z23 folder with a checksum", "zip/checksum", {
            with(folder("").both(|fields| fields.crc = 1))
        }),
    ]
}

fn records() -> Vec<Attack> {
    let mismatch = "zip/header-mismatch";
    let local = |change: fn(&mut super::builder::Fields)| {
        with(File::deflated("a.txt", "x").with(|file| change(&mut file.local)))
    };
    let described = |change: fn(&mut File)| with(File::described("a", b"xyz").with(change));
    let descriptor = "zip/data-descriptor";
    vec![
        ("Z13 name", mismatch, local(|fields| fields.name = b"b.txt".to_vec())),
        ("Z14 method", mismatch, local(|fields| fields.method = 0)),
        ("Z14 method, in the directory", mismatch, {
            with(File::stored("a", "x").with(|file| file.central.method = 8))
        }),
        ("Z15 size", mismatch, local(|fields| fields.size += 1)),
        ("Z15 packed size", mismatch, local(|fields| fields.packed += 1)),
        ("Z15 checksum", mismatch, local(|fields| fields.crc += 1)),
        ("time", mismatch, local(|fields| fields.modified += 1)),
        ("flags", mismatch, local(|fields| fields.flags |= 1 << 11)),
        ("Z55 descriptor in one only", mismatch, {
            described(|file| file.central.flags &= !(1 << 3))
        }),
        ("Z16 checksum", descriptor, described(|file| file.after[4] ^= 1)),
        ("Z16 packed size", descriptor, described(|file| file.after[8] ^= 1)),
        ("Z16 size", descriptor, described(|file| file.after[12] ^= 1)),
        ("Z16 unsigned", descriptor, described(|file| drop(file.after.drain(..4)))),
        ("Z16 64-bit", descriptor, {
            described(|file| {
                let (packed, size) = (file.central.packed, file.central.size);
                file.after = words(&[DESCRIPTOR, file.central.crc, packed, 0, size, 0]);
            })
        }),
        ("Z16 sizes on both sides", descriptor, described(|file| file.local.size = 3)),
        ("Z17 stored", descriptor, {
            with(File::stored("a", "x").with(|file| {
                file.local.flags = 1 << 3;
                file.central.flags = 1 << 3;
                file.after = words(&[DESCRIPTOR, crc(b"x"), 1, 1]);
                (file.local.crc, file.local.packed, file.local.size) = (0, 0, 0);
            }))
        }),
        ("Z19 unannounced", "zip/gap", {
            with(File::deflated("a", "x").with(|file| file.after = vec![0; 16]))
        }),
        ("Z36 no entry", mismatch, {
            let ghost = File::stored("a", "").with(|file| file.present = false);
            archive(&[manifest(), ghost])
        }),
        ("Z46 comment of an entry", "zip/comment", {
            with(File::stored("a", "x").with(|file| file.comment = b"c".to_vec()))
        }),
        ("Z39 entry of another part", "zip/split", {
            with(File::stored("a", "x").with(|file| file.disk = 1))
        }),
        ("flag", "zip/flags", with(File::stored("a", "x").both(|fields| fields.flags |= 1 << 5))),
    ]
}

fn contents() -> Vec<Attack> {
    let packed = |data: &[u8]| miniz_oxide::deflate::compress_to_vec(data, 9);
    let size_of = |size: u32, data: &[u8]| {
        with(File::packed("a", data, packed(data)).both(|fields| fields.size = size))
    };
    let mut tail = packed(b"xyz");
    tail.push(0);
    let mut short = packed(b"xyzxyzxyz");
    short.pop();
    // Sizes that are declared, and not there: nothing is expanded to find out.
    let declared = |name: &str, packed: u32, size: u32| {
        let file = File::packed(name, b"", vec![3, 0]);
        file.with(|file| file.data.resize(packed as usize, 0)).both(|fields| {
            (fields.packed, fields.size) = (packed, size);
        })
    };
    vec![
        ("Z20 tail", "zip/deflate", with(File::packed("a", b"xyz", tail))),
        ("Z20 cut off", "zip/deflate", with(File::packed("a", b"xyzxyzxyz", short))),
        ("broken", "zip/deflate", with(File::packed("a", b"xyz", vec![0xff; 9]))),
        ("Z21 yields more", "zip/size-mismatch", size_of(10, &vec![b'a'; 1 << 20])),
        ("yields less", "zip/size-mismatch", size_of(10, b"abc")),
        ("Z22 declares more", "zip/size-mismatch", {
            with(File::stored("a", "xy").both(|fields| fields.size = 4_294_967_294))
        }),
        ("Z23 checksum", "zip/checksum", {
            with(File::stored("a", "x").both(|fields| fields.crc ^= 1))
        }),
        ("Z26 bomb", "zip/ratio", with(File::deflated("a", vec![0; 2 << 20]))),
        ("Z27 entry", "zip/entry-size", with(declared("a", 1 << 17, (16 << 20) + 1))),
        ("Z27 total", "zip/total-size", {
            let files = (0..5).map(|n| declared(&format!("a{n}"), 1 << 17, 15 << 20));
            archive(&files.collect::<Vec<_>>())
        }),
        ("Z40 encrypted", "zip/encrypted", {
            with(File::stored("a", "x").both(|fields| fields.flags |= 1))
        }),
        ("Z40 strongly", "zip/encrypted", {
            with(File::stored("a", "x").both(|fields| fields.flags |= 1 << 6))
        }),
        ("Z40 masked", "zip/encrypted", {
            with(File::stored("a", "x").both(|fields| fields.flags |= 1 << 13))
        }),
        ("Z40 AES", "zip/encrypted", with_extra(&extra(0x9901, &[2, 0, 65, 69, 3, 8, 0]))),
        ("Z40 directory", "zip/encrypted", {
            assemble(&[manifest()], &words(&[0x0806_4b50, 0]), &[], |_| {})
        }),
    ]
}

fn methods() -> Vec<Attack> {
    [1, 6, 9, 12, 14, 20, 93, 95, 98, 99, 65535]
        .map(|method| {
            let file = File::stored("a", "x").both(|fields| fields.method = method);
            ("Z41 method", "zip/method", with(file))
        })
        .into()
}

fn extras() -> Vec<Attack> {
    let name =
        |name: &[u8], sum: u32| extra(0x7075, &[&[1][..], &sum.to_le_bytes(), name].concat());
    let rule = "zip/extra-field";
    let right = name(b"a", crc(b"a"));
    vec![
        ("Z42 another name", rule, with_extra(&name(b"b", crc(b"a")))),
        ("Z42 checksum", rule, with_extra(&name(b"a", 0))),
        ("Z42 twice", rule, with_extra(&[right.clone(), right].concat())),
        ("Z44 three bytes", rule, with_extra(&[0x55, 0x54, 0])),
        ("Z44 too long", rule, with_extra(&[0x55, 0x54, 9, 0, 1])),
        ("Z44 twice", rule, with_extra(&[extra(0x5455, &[0]), extra(0x5455, &[0])].concat())),
        ("not known", rule, with_extra(&extra(0xcafe, &[]))),
        ("Z38 extended", "zip/extended-format", with_extra(&extra(1, &[0; 16]))),
        ("local only", rule, {
            with(File::stored("a", "x").with(|file| file.local.extra = extra(0xcafe, &[])))
        }),
    ]
}

fn layouts() -> Vec<Attack> {
    let overlap = |size: usize| {
        let kernel = File::deflated("a", vec![0; size]);
        let others = (0..200).map(|n| {
            kernel.clone().both(|fields| fields.name = format!("b{n}").into_bytes()).with(|file| {
                file.present = false;
                file.offset = Some(0);
            })
        });
        let files: Vec<_> = std::iter::once(kernel.clone()).chain(others).collect();
        archive(&files)
    };
    // The stream of the first file begins with a stored block that holds the whole
    // second file.
    let inner = archive(&[File::stored("b", "x")]);
    let inner = &inner[..30 + "b".len() + "x".len()];
    let length = u16::try_from(inner.len()).unwrap();
    let mut quoted = vec![1];
    quoted.extend(length.to_le_bytes());
    quoted.extend((!length).to_le_bytes());
    let offset = u32::try_from(30 + 1 + quoted.len()).unwrap();
    quoted.extend(inner);
    let quoting = [
        File::packed("a", inner, quoted),
        File::stored("b", "x").with(|file| {
            file.present = false;
            file.offset = Some(offset);
        }),
    ];
    let hidden = File::stored("hidden", "x").with(|file| file.listed = false);
    let prefix = |shift: bool| {
        let stub = b"#!/bin/sh\n";
        let moved = u32::try_from(stub.len()).unwrap();
        let mut file = manifest();
        file.offset = Some(if shift { moved } else { 0 });
        let archive = archive_with(&[file], |end| end.offset += if shift { moved } else { 0 });
        [stub.as_slice(), &archive].concat()
    };
    let mut trailing = good();
    trailing.push(b'x');
    let second = [good(), good()].concat();
    // The directory lists the second file first.
    let swapped = {
        let first = File::stored("manifest.json", "{}");
        let second = File::stored("a", "x");
        let offset = u32::try_from(30 + 13 + 2).unwrap();
        let listed = second.clone().with(|file| {
            file.present = false;
            file.offset = Some(offset);
        });
        archive(&[listed, first, second.with(|file| file.listed = false)])
    };
    vec![
        ("Z24 overlap", "zip/overlap", overlap(9)),
        ("Z24 overlap bomb", "zip/overlap", overlap(2 << 20)),
        ("Z25 quoted overlap", "zip/overlap", archive(&quoting)),
        ("Z33 one byte", "zip/trailing", trailing),
        ("Z33 zeros", "zip/trailing", [good(), vec![0; 99]].concat()),
        ("Z33 second archive", "zip/prefix", second),
        ("Z34 stub, adjusted", "zip/prefix", prefix(true)),
        ("Z34 stub", "zip/prefix", prefix(false)),
        ("Z35 hidden first", "zip/gap", archive(&[hidden.clone(), manifest()])),
        (
            "Z35 hidden between",
            "zip/gap",
            archive(&[manifest(), hidden.clone(), File::stored("b", "x")]),
        ),
        ("Z35 hidden last", "zip/gap", archive(&[manifest(), hidden])),
        ("Z35 zeros", "zip/gap", assemble(&[manifest()], &[0; 4], &[], |_| {})),
        ("Z36 order", "zip/gap", swapped),
        ("reaches into the directory", "zip/overlap", {
            let file =
                File::packed("manifest.json", b"", Vec::new()).both(|fields| fields.packed = 20);
            archive(&[file])
        }),
    ]
}

fn ends() -> Vec<Attack> {
    let rule = "zip/end";
    let end = |change: fn(&mut super::builder::End)| archive_with(&[manifest()], change);
    let extended = "zip/extended-format";
    // The data of the last file is an end record whose comment would be the rest.
    let decoy = |rest: usize| {
        let rest = u16::try_from(rest).unwrap();
        let record = [words(&[END, 0, 0, 0, 0]), rest.to_le_bytes().to_vec()].concat();
        archive(&[manifest(), File::stored("z", record)])
    };
    let place = decoy(0).windows(4).position(|w| w == words(&[END])).unwrap();
    let decoy = decoy(decoy(0).len() - place - 22);
    vec![
        ("Z30 count", rule, end(|end| (end.entries, end.disk_entries) = (4000, 4000))),
        ("Z30 two counts", rule, end(|end| end.disk_entries = 2)),
        (
            "Z30 fewer",
            rule,
            archive_with(&[manifest(), File::stored("a", "x")], |end| {
                (end.entries, end.disk_entries) = (1, 1);
            }),
        ),
        ("Z31 second end", rule, decoy),
        (
            "Z31 end in the comment",
            "zip/trailing",
            end(|end| {
                end.comment = words(&[END]);
                end.comment.extend([0; 20]);
            }),
        ),
        ("Z32 comment", "zip/comment", end(|end| end.comment = b"hello".to_vec())),
        ("Z37 size", rule, end(|end| end.size += 1)),
        ("Z37 offset", rule, end(|end| end.offset += 1)),
        ("Z37 wraps", rule, end(|end| end.offset = u32::MAX - 1)),
        ("Z38 locator", extended, {
            assemble(&[manifest()], &[], &words(&[0x0706_4b50, 0, 0, 0, 1]), |_| {})
        }),
        ("Z38 entries", extended, end(|end| (end.entries, end.disk_entries) = (0xFFFF, 0xFFFF))),
        ("Z38 offset", extended, end(|end| end.offset = u32::MAX)),
        ("Z38 size", extended, end(|end| end.size = u32::MAX)),
        ("Z38 size of an entry", extended, {
            with(File::deflated("a", "x").both(|fields| fields.size = u32::MAX))
        }),
        ("Z39 parts", "zip/split", end(|end| end.disk = 1)),
        ("Z39 directory", "zip/split", end(|end| end.directory_disk = 1)),
        ("Z51 short", rule, vec![b'P'; 21]),
        ("Z51 zeros", rule, vec![0; 22]),
        ("Z51 gzip", rule, b"\x1f\x8b\x08\0\0\0\0\0\0\x03, and so on and so forth".to_vec()),
        ("Z51 nothing", rule, Vec::new()),
        ("signature of the directory", rule, {
            let mut bytes = archive(&[manifest()]);
            let at = bytes.windows(4).position(|w| w == words(&[CENTRAL])).unwrap();
            bytes[at + 3] = 9;
            bytes
        }),
        ("signature of the entry", "zip/header-mismatch", {
            let mut bytes = archive(&[manifest()]);
            assert_eq!(bytes[..4], words(&[LOCAL]));
            bytes[3] = 9;
            bytes
        }),
        ("Z29 many", "zip/entries", {
            let files: Vec<_> = (0..4097).map(|n| File::stored(format!("{n}"), "")).collect();
            archive(&files)
        }),
        ("too long", "zip/size", vec![0; (32 << 20) + 1]),
    ]
}

fn manifests() -> Vec<Attack> {
    let rule = "zip/no-manifest";
    let only = |name: &str| archive(&[File::stored(name, "{}")]);
    vec![
        ("Z47 none", rule, only("a")),
        ("Z47 case", rule, only("Manifest.json")),
        ("Z47 upper case", rule, only("MANIFEST.JSON")),
        ("Z47 in a folder", rule, only("pkg/manifest.json")),
        (
            "Z47 a folder",
            rule,
            archive(&[
                File::stored("manifest.json/", "").with(|file| file.attributes = 0o040_755 << 16)
            ]),
        ),
        ("Z47 space", "zip/path-trailing", only("manifest.json ")),
        ("Z51 nothing in it", rule, archive(&[])),
    ]
}

fn all() -> Vec<Attack> {
    [paths(), kinds(), records(), contents(), methods(), extras(), layouts(), ends(), manifests()]
        .concat()
}

#[test]
fn every_attack_is_refused_by_its_rule() {
    let limits = Limits::default();
    let mut wrong = Vec::new();
    for (what, rule, bytes) in all() {
        let found = match package(&bytes, &limits) {
            Ok(()) => "accepted",
            Err(report) => {
                assert!(!report.is_valid(), "{what}");
                report.diagnostics[0].rule.code
            }
        };
        if found != rule {
            wrong.push(format!("{what}: {found}, not {rule}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_rule_has_an_attack() {
    let broken: BTreeSet<&str> = all().into_iter().map(|(_, rule, _)| rule).collect();
    let unbroken: Vec<_> =
        RULES.iter().map(|rule| rule.code).filter(|code| !broken.contains(code)).collect();
    assert_eq!(unbroken, ["zip/mode"], "only a warning is no attack");
}

#[test]
fn set_user_bits_are_worth_a_word() {
    let bytes = mode(0o104_755);
    let archive = archive::read(&bytes, &Limits::default()).unwrap();
    assert_eq!(archive.warnings[0].rule.code, "zip/mode");
    assert!(archive.entries[1].executable);
}

/// Row L08 of the catalogue of attacks.
#[test]
fn messages_are_short_and_plain() {
    for (what, _, bytes) in all() {
        let Err(report) = package(&bytes, &Limits::default()) else { continue };
        for found in &report.diagnostics {
            let text = found.to_string();
            assert!(text.len() < 512 && !text.chars().any(char::is_control), "{what}: {text}");
        }
    }
}

#[test]
fn a_near_miss_is_named() {
    let bytes = archive(&[File::stored("pkg/Manifest.json", "{}")]);
    let report = package(&bytes, &Limits::default()).unwrap_err();
    let help = report.diagnostics[0].help.as_deref();
    assert_eq!(help, Some("there is \"pkg/Manifest.json\", in its place"));
}

#[test]
fn all_problems_are_reported_at_once() {
    let bytes = archive(&[
        File::stored("../a", "x").with(|file| file.comment = b"c".to_vec()),
        File::stored("b", "x").both(|fields| fields.method = 99),
        File::stored("/c", "x"),
    ]);
    let report = archive::read(&bytes, &Limits::default()).unwrap_err();
    let codes: Vec<_> = report.diagnostics.iter().map(|found| found.rule.code).collect();
    assert_eq!(codes, ["zip/comment", "zip/method", "zip/path-traversal", "zip/path-absolute"],);
}

#[test]
fn limits_hold_to_the_byte() {
    let bytes = archive(&[File::stored("a", vec![7; 100]), File::stored("b", vec![7; 50])]);
    let exact = Limits {
        archive_bytes: bytes.len(),
        archive_entries: 2,
        entry_bytes: 100,
        expanded_bytes: 150,
        ..Limits::default()
    };
    archive::read(&bytes, &exact).unwrap();
    let refused =
        |limits: Limits| archive::read(&bytes, &limits).unwrap_err().diagnostics[0].rule.code;
    let base = || exact.clone();
    assert_eq!(refused(Limits { archive_bytes: bytes.len() - 1, ..base() }), "zip/size");
    assert_eq!(refused(Limits { archive_entries: 1, ..base() }), "zip/entries");
    assert_eq!(refused(Limits { entry_bytes: 99, ..base() }), "zip/entry-size");
    assert_eq!(refused(Limits { expanded_bytes: 149, ..base() }), "zip/total-size");
}

/// So many times its size, and no more. What is stored is as long as it is.
#[test]
fn expansion_is_measured_to_the_byte() {
    let read = |length, expansion_ratio| {
        let bytes = archive(&[File::stored("a", vec![7; length])]);
        archive::read(&bytes, &Limits { expansion_ratio, ..Limits::default() })
            .map_err(|report| report.diagnostics[0].rule.code)
            .map(drop)
    };
    assert_eq!(read((1 << 20) + 1, 1), Ok(()));
    assert_eq!(read((1 << 20) + 1, 0), Err("zip/ratio"));
    // What is small is let be.
    assert_eq!(read(1 << 20, 0), Ok(()));
}

#[test]
fn what_is_harmless_is_read() {
    let nested = archive(&[File::stored("manifest.json", "{}")]);
    let name = "é";
    let sum = crc(name.as_bytes()).to_le_bytes();
    let same_name = extra(0x7075, &[&[1][..], &sum, name.as_bytes()].concat());
    for (what, file) in [
        ("Z18 descriptor", File::described("a", b"xyz")),
        ("Z28 nested", File::stored("a.zip", &nested)),
        ("Z28 nested, deflated", File::deflated("a.zip", &nested)),
        ("Z43 the same name", File::stored(name, "x").both(|f| f.extra.clone_from(&same_name))),
        ("Z54 no time", File::stored("a", "x").both(|fields| fields.modified = 0)),
        ("Z54 odd time", File::stored("a", "x").both(|fields| fields.modified = u32::MAX)),
        (
            "times and owners",
            File::stored("a", "x").both(|fields| {
                fields.extra =
                    [extra(0x5455, &[1, 0, 0, 0, 0]), extra(0x7875, &[1, 0, 0])].concat();
            }),
        ),
        ("folder", File::stored("a/", "").with(|file| file.attributes = 0o040_755 << 16 | 0x10)),
        ("folder by Java", {
            File::described("a/", b"").with(|file| (file.system, file.attributes) = (0, 0))
        }),
        ("empty", File::stored("a", "")),
        ("empty, deflated", File::deflated("a", "")),
    ] {
        let bytes = with(file);
        if let Err(report) = package(&bytes, &Limits::default()) {
            panic!("{what}: {}", report.diagnostics[0]);
        }
    }
}
